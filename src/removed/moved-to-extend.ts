import { refuseImport } from "./refuse-import.ts"

/* Entry points whose contracts are in `queryveil/extend`. */
refuseImport(["methods", "attacks", "measures"], "queryveil to run them, queryveil/extend to add your own")
