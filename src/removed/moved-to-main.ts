import { refuseImport } from "./refuse-import.ts"

/* Entry points whose functions are in `queryveil`. */
refuseImport(["log", "synth", "release", "verify", "study"], "queryveil")
