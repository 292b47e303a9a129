import { type Static, Type } from "#typebox"
import { type Markup } from "../pages/page.ts"
import type { ReportContent } from "./compose-report.ts"
/** What a signer decides on: the first page of a report as data. It is kept inside the page. */
export declare const reportSummarySchema: Type.TObject<{
  /** The id of the release, and the SHA-256 of its manifest. */
  release: Type.TString
  manifest: Type.TString
  method: Type.TString
  seeded: Type.TBoolean
  /** When the release was made, and when it was judged. */
  made: Type.TString
  judged: Type.TString
  /** How the log relates to the log of the receipt; `not compared` without a receipt or without the log. */
  original: Type.TEnum<["same", "alike", "other", "not compared"]>
  statement: Type.TString
  /** Who or what is protected. */
  protects: Type.TString
  notCovered: Type.TArray<Type.TString>
  promise: Type.TObject<{
    kept: Type.TEnum<["yes", "no", "in part", "nothing promised"]>
    sentence: Type.TString
    open: Type.TArray<Type.TString>
    empty: Type.TBoolean
  }>
  attacks: Type.TObject<{
    state: Type.TEnum<["nothing above chance", "above chance", "over the accepted risk", "not attacked"]>
    sentence: Type.TString
    caveats: Type.TArray<Type.TString>
    meanings: Type.TArray<Type.TString>
    acceptedRisk: Type.TNumber
  }>
  /** What is left of the log, in sentences. */
  left: Type.TArray<Type.TString>
  /** How the log was read. */
  readings: Type.TArray<Type.TString>
}>
/** The first page of a report as data. */
export type ReportSummary = Static<typeof reportSummarySchema>
export declare function summariseReport(content: ReportContent): ReportSummary
/** The summary as a part of the page that is not shown. */
export declare const embedSummary: (summary: ReportSummary) => Markup
/** The summary inside a report; undefined if the page has none, as those of version 0.1. */
export declare function readSummary(page: string): ReportSummary | undefined
/**
 * What a signer accepts, point by point: what the promise does not cover, checks that could not be made, and what the
 * attacks found.
 */
export declare function pointsToAccept({ notCovered, promise, attacks }: ReportSummary): string[]
