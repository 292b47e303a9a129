import type { Static, TObject } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { Label } from "../release/labels.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { Release, RowsRelease, TablesRelease } from "../release/read-release.ts"
import type { Truth } from "../release/truth.ts"
import type { Finding, Scored } from "./score.ts"

/** The subject of a probe: the release, the original log and, if it is known, what was planted in the log. */
export interface ProbeSubject<R extends Release = RowsRelease> {
  release: R
  log: SearchLog
  truth?: Truth
  /** Human judgements of queries, if there are any. */
  labels?: readonly Label[]
  /** The private side tables of the release, if they are available. */
  audit?: AuditFolder
  /** A second release of people who are in the log, and its side tables, if they are available. */
  other?: { release: Release; audit?: AuditFolder }
  /**
   * Receives lines of TREC files by file name, if they are wanted. The lines of several calls with one name make one
   * file.
   */
  trec?: (name: string, lines: readonly string[]) => Promise<void>
}

/** True if the release has query texts, else the reason why a probe that compares them does not apply. */
export const hasQueries = ({ release }: ProbeSubject<Release>): true | string =>
  traitsOf(release.manifest.guarantee).shows === "concepts" ? "the release has concepts, not queries" : true

/** An attack or a measure. Pure: anything it needs from files is in its subject. */
export type AnyProbe = Probe | TablesProbe | ReleaseProbe

/** A probe of released rows. It never receives tables. */
export interface Probe<O extends TObject = TObject> extends ProbeOf<O, RowsRelease> {
  looksAt?: "rows"
}

/** A probe of released tables. It never receives rows. */
export interface TablesProbe<O extends TObject = TObject> extends ProbeOf<O, TablesRelease> {
  looksAt: "tables"
}

/** A probe of rows and tables alike. */
export interface ReleaseProbe<O extends TObject = TObject> extends ProbeOf<O, Release> {
  looksAt: "any"
}

interface ProbeOf<O extends TObject, R extends Release> {
  name: string
  summary: string
  options: O
  /** True if it also examines tables of profiles, which show no searches. */
  looksAtProfiles?: boolean
  /** The label of a score for readers (default: the names of the probe and the score). */
  label?(scored: Scored): string
  /** True, or the reason why this probe, with these options, does not apply to this subject. */
  applies(subject: ProbeSubject<R>, options: Static<O>): true | string
  /** Scores the subject; returns no score if there is nothing to judge. Called only if the probe applies. */
  run(subject: ProbeSubject<R>, options: Static<O>, context: RunContext): Promise<Finding[]>
}
