import { refuseImport } from "./refuse-import.ts"

/* The entry point of servers. */
refuseImport(["server"], "queryveil/stream, and queryveil/personal for the searcher's own server")
