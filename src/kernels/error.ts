/** Every error that a person can see has a code from this list, and an entry in docs/errors.md that says what to do. */
export const errorCodes = [
  "usage",
  "option-unknown",
  "option-value",
  "config",
  "input-missing",
  "input-directory",
  "input-unreadable",
  "input-empty",
  "input-encoding",
  "input-gzip",
  "input-rows",
  "input-columns",
  "input-category",
  "input-size",
  "input-changed",
  "input-incomplete",
  "input-foreign",
  "output-exists",
  "output-full",
  "output-unwritable",
  "output-changed",
  "output-ahead",
  "address-unusable",
  "release-missing",
  "release-broken",
  "truth-broken",
  "truth-foreign",
  "audit-broken",
  "ledger-broken",
  "ledger-busy",
  "budget-spent",
  "risk-high",
  "study-busy",
  "project-missing",
  "project-busy",
  "project-broken",
  "project-newer",
  "project-changed",
  "not-signed",
  "store-busy",
  "store-damaged",
  "store-foreign",
  "store-mismatch",
  "taxonomy-broken",
  "classifier-broken",
  "classifier-service",
  "topics-broken",
  "profile-broken",
  "profile-passphrase",
  "profile-taxonomy",
  "profile-changed",
  "cluster-unreachable",
  "cluster-refused",
  "cluster-answer",
  "index-mappings",
  "engine-unreachable",
  "engine-slow",
  "engine-refused",
  "engine-answer",
  "remote-refused",
  "kernel-version",
  "kernel-input",
  "kernel-rows",
  "unknown-name",
  "extension-name",
  "extension-broken",
  "entry-removed",
  "store-settings",
  "stream-stopped",
  "kafka-client",
  "kafka-unreachable",
  "kafka-topic",
  "kafka-claimed",
  "kafka-message",
  "kafka-state",
  "spark-client",
  "spark-unreachable",
  "spark-refused",
  "spark-failed",
  "spark-lost",
  "interrupted",
  "internal",
] as const

/** One of `errorCodes`. `docs/errors.md` says what to do about each. */
export type ErrorCode = (typeof errorCodes)[number]

/** Where an error is. Contains only locations, never the text of a query or a user id. */
export interface ErrorFields {
  file?: string
  line?: number
  column?: string
  flag?: string
}

/**
 * The only error class. The message says what happened, where, and what to do next, in one or two lines. It never
 * contains text from a log.
 */
export class QueryveilError extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorFields

  constructor(code: ErrorCode, message: string, options: ErrorFields & { cause?: unknown } = {}) {
    const { cause, ...fields } = options
    super(message, cause === undefined ? undefined : { cause })
    this.name = "QueryveilError"
    this.code = code
    this.fields = fields
  }
}

/** The system's error code (`ENOENT`, `ENOSPC`, …) of an unknown thrown value, if any. A `QueryveilError` has none. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof QueryveilError || typeof error !== "object" || error === null || !("code" in error))
    return undefined
  return typeof error.code === "string" ? error.code : undefined
}
