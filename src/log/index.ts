export type { FileIntake, Intake } from "./intake.ts"
export type { ReadResult } from "./parse-sources.ts"
export { type ReadOptions, readLog, readOptions } from "./read-log.ts"
export type { SearchLog } from "./search-log.ts"
