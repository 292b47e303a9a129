import { createContext, type RunContext } from "../kernels/context.ts"
import type { AnyProbe, ProbeSubject } from "../probes/probe.ts"
import { type ProbeChoice, type ProbeOutcome, runChosen } from "../probes/run-probes.ts"
import type { Release } from "../release/read-release.ts"
import { fBetaMeasure } from "./f-beta.ts"
import { memberDistance } from "./groups/member-distance.ts"
import { objectsChanged } from "./groups/objects-changed.ts"
import { eventsKept, queriesKept } from "./kept.ts"
import { keptPerUser } from "./kept-per-user.ts"
import { type BuiltInMeasure, type ExtensionMeasures, measureRegistry } from "./measure-registry.ts"
import { ncp } from "./ncp.ts"
import { perplexity } from "./perplexity/perplexity.ts"
import { retrieval } from "./retrieval/retrieval.ts"
import { shownCounts } from "./shown-counts.ts"
import { suggestions } from "./suggestions/suggestions.ts"
import { topQueries, topUrls } from "./top-overlap.ts"
import { profileDistance } from "./topics/profile-distance.ts"
import { topicDistance } from "./topics/topic-distance.ts"
import { topicLoss } from "./topics/topic-loss.ts"
import { uniqueSuppressed } from "./unique-suppressed.ts"

const byName = {
  "events-kept": eventsKept,
  "queries-kept": queriesKept,
  "kept-per-user": keptPerUser,
  "top-queries": topQueries,
  "top-urls": topUrls,
  ncp,
  "f-beta": fBetaMeasure,
  "topic-distance": topicDistance,
  "profile-distance": profileDistance,
  "topic-loss": topicLoss,
  "shown-counts": shownCounts,
  retrieval,
  suggestions,
  perplexity,
  "unique-suppressed": uniqueSuppressed,
  "objects-changed": objectsChanged,
  "member-distance": memberDistance,
} satisfies Record<BuiltInMeasure, AnyProbe>

/** Every measure, including those of extensions. The list grows when a measure is registered. */
export const measures: readonly AnyProbe[] = measureRegistry.complete(Object.values(byName))

/** @inline */
type ByName = typeof byName & ExtensionMeasures

/** The name of a measure. */
export type MeasureName = keyof ByName

/** Which measures to run, and their options. */
export type MeasureOptions = ProbeChoice<ByName>

/** Runs the named measures, or all, on a release and its original. */
export async function measure(
  subject: ProbeSubject<Release>,
  options: MeasureOptions = {},
  context: RunContext = createContext(),
): Promise<ProbeOutcome[]> {
  return runChosen({ who: "measure", probes: measures }, subject, options, context)
}
