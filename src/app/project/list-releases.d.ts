import type { Project } from "../../project/open-project.ts"
import { readLedger } from "../../release/ledger-file.ts"
import { type ReportSummary } from "../../study/report/report-summary.ts"
/** `signed`, and the signature was verified; `changed`: there is a signature, but something does not match it. */
export declare const signedStates: readonly ["signed", "changed", "refused", "open"]
/** A release of a project, with what is known about it. */
export interface RegisteredRelease {
  name: string
  id: string
  method: string
  parameters: Record<string, string | number | boolean>
  made: string
  rows: number
  /** SHA-256 of the files of its log, sorted. */
  logs: string[]
  state: (typeof signedStates)[number]
  /** Who decided, when and why, from the newest decision. */
  decision?: {
    name: string
    date: string
    reason: string
  }
  /** Why a signature does not match. */
  problem?: string
  summary?: ReportSummary
  handedOut: {
    to: string
    at: string
  }[]
}
/** Two releases in which the same people are, or may be. */
export interface Overlap {
  releases: [string, string]
  /** `same log`: everybody is in both. `shared files`: those of the shared files are. */
  why: "same log" | "shared files"
}
/** The releases of a project, how they overlap, and what was spent of its budgets. */
export interface Register {
  releases: RegisteredRelease[]
  overlaps: Overlap[]
  ledger: Awaited<ReturnType<typeof readLedger>>["logs"]
  /** Folders among the releases that are none. */
  broken: {
    name: string
    why: string
  }[]
}
/**
 * Lists the releases in a project, also those that were made there from the command line. Writes a signature again that
 * is in the record but was lost before it reached its place.
 */
export declare function listReleases(project: Project): Promise<Register>
