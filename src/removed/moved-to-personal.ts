import { refuseImport } from "./refuse-import.ts"

/* The entry point of taxonomies. */
refuseImport(["taxonomy"], "queryveil for topics of a log (classify), queryveil/personal for openTaxonomy")
