import type { Static, TObject } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { Label } from "../release/labels.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { Release, RowsRelease, TablesRelease } from "../release/read-release.ts"
import type { Truth } from "../release/truth.ts"
import type { Finding, Scored } from "./score.ts"

/** What a probe looks at: the release, the original log, and what was planted in it, where that is known. */
export interface ProbeSubject<R extends Release = RowsRelease> {
  release: R
  log: SearchLog
  truth?: Truth
  /** Judgements of queries by people, where there are any. */
  labels?: readonly Label[]
  /** The private side tables of the release, where they are at hand. */
  audit?: AuditFolder
  /** A second release of people whom the log covers, and its side tables, where they are at hand. */
  other?: { release: Release; audit?: AuditFolder }
  /** Takes lines of TREC's files by file name, where they are wanted; those of several calls for one name are one file. */
  trec?: (name: string, lines: readonly string[]) => Promise<void>
}

/** Why a probe that compares query texts says nothing about a release; true when it has them. */
export const hasQueries = ({ release }: ProbeSubject<Release>): true | string =>
  traitsOf(release.manifest.guarantee).shows === "concepts" ? "the release holds concepts, not queries" : true

/** An attack or a measure. Pure: what it needs from files is in its subject. */
export type AnyProbe = Probe | TablesProbe | ReleaseProbe

/** A probe of released rows: it is never given tables. */
export interface Probe<O extends TObject = TObject> extends ProbeOf<O, RowsRelease> {
  looksAt?: "rows"
}

/** A probe of released tables: it is never given rows. */
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
  /** True if it also looks at tables of profiles, which show no searches. */
  looksAtProfiles?: boolean
  /** The label of a score for people; without it, that of its probe and its own. */
  label?(scored: Scored): string
  /** True, or the reason why this probe, with these options, says nothing about this subject. */
  applies(subject: ProbeSubject<R>, options: Static<O>): true | string
  /** Scores the subject, without a score where there is nothing to judge; called only where the probe applies. */
  run(subject: ProbeSubject<R>, options: Static<O>, context: RunContext): Promise<Finding[]>
}
