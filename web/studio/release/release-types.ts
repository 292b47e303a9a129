import type { RegisterView } from "../answers.ts"

/** A release in the register. */
export type RegisteredRelease = RegisterView["releases"][number]
/** The first page of its report. */
export type ReportSummary = NonNullable<RegisteredRelease["summary"]>
/** The ledger's account of a log. */
export type Account = RegisterView["ledger"][number]
/** Two releases with the same people. */
export type Overlap = RegisterView["overlaps"][number]
