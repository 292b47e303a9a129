import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Guarantee, TablesGuarantee } from "../methods/guarantee.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { Release, RowsRelease, TablesRelease } from "../release/read-release.ts"
import type { RemoteOriginal } from "./remote-original.ts"

/**
 * Result of a check. `not promised`: the policy that the check is about is switched off, so the check does not count.
 */
export const checkStates = ["passed", "failed", "not checked", "not promised"] as const
/** One of `checkStates`. */
export type CheckState = (typeof checkStates)[number]

/** One thing that was checked, or could not be checked. */
export interface Check {
  /** Short, for machines and `--only`. */
  name: string
  /** What a reader of the release is promised. */
  promise: string
  state: CheckState
  /** What is missing to check it. */
  needs?: "against" | "audit"
  /** The first row of the release (1 is the first after the header) that fails. */
  row?: number
  value?: number
  bound?: number
  /** What was found, without text from the log. */
  detail?: string
}

/**
 * One state for many checks. A failure weighs most, then a check that was not made. What was not promised does not
 * count.
 */
export function overall(checks: readonly Check[]): CheckState {
  if (checks.some(({ state }) => state === "failed")) return "failed"
  return checks.some(({ state }) => state === "not checked") ? "not checked" : "passed"
}

/**
 * A release, and what its owner has in addition. If something is missing, the checks that need it are `not checked`.
 */
export interface VerifySubject<R extends Release = RowsRelease> {
  release: R
  /** The original log, for checks that need it. */
  log?: SearchLog
  /** The original log, if it is in a database elsewhere. Verifiers that cannot use it do without. */
  remote?: RemoteOriginal
  /** The private side tables, for checks that need them. */
  audit?: AuditFolder
  /** Queries that the owner exempted from the scrub, as `verify` reads them from the audit. */
  exempt?: ReadonlySet<string>
}

/**
 * Checks a guarantee on the released data itself. A verifier imports neither the method nor the kernel that made the
 * selection it checks. It counts in its own way.
 */
export interface Verifier {
  model: Guarantee["model"]
  /** Checks each promise of the guarantee by its own count. */
  verify(subject: VerifySubject, context: RunContext): Promise<Check[]>
}

/** A verifier of a guarantee about tables. */
export interface TablesVerifier {
  model: TablesGuarantee["model"]
  /** Checks each promise of the guarantee by its own count. */
  verify(subject: VerifySubject<TablesRelease>, context: RunContext): Promise<Check[]>
}
