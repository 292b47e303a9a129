export { attack, attacks } from "./attacks/index.ts"
export { type ContextOptions, createContext, type ErrorCode, QueryveilError, type RunContext } from "./kernels/index.ts"
export { type Intake, type ReadOptions, type ReadResult, readLog, type SearchLog } from "./log/index.ts"
export { measure, measures } from "./measures/index.ts"
export { type Guarantee, type Method, methods, type Table } from "./methods/index.ts"
export {
  anonymize,
  type Draft,
  type Manifest,
  openDraft,
  type Probe,
  type ProbeOutcome,
  type ProbeSubject,
  type Receipt,
  type Release,
  readRelease,
  readTruth,
  type Score,
  type Truth,
  type WriteOptions,
  type WriteSynthOptions,
  writeRelease,
  writeSynth,
} from "./release/index.ts"
export { runStudy, type Study, studies } from "./study/index.ts"
export { type Check, overall, type Verifier, verify } from "./verify/index.ts"
