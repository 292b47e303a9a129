import { refuseImport } from "./refuse-import.ts"

/* Entry points whose code is not public any more. */
refuseImport(
  ["kernels", "text", "wordnet"],
  "queryveil (createContext and QueryveilError are there); the rest is not public",
)
