import type { RunContext } from "../kernels/context.ts"
import type { AnyProbe, ProbeSubject } from "../release/probe.ts"
import type { Release } from "../release/read-release.ts"
import { type ProbeOptions, type ProbeOutcome, runProbes, selectProbes } from "../release/run-probes.ts"
import { fBetaMeasure } from "./f-beta.ts"
import { memberDistance } from "./groups/member-distance.ts"
import { objectsChanged } from "./groups/objects-changed.ts"
import { eventsKept, queriesKept } from "./kept.ts"
import { keptPerUser } from "./kept-per-user.ts"
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

/** Every measure, by name. */
export const measures: readonly AnyProbe[] = [
  eventsKept,
  queriesKept,
  keptPerUser,
  topQueries,
  topUrls,
  ncp,
  fBetaMeasure,
  topicDistance,
  profileDistance,
  topicLoss,
  shownCounts,
  retrieval,
  suggestions,
  perplexity,
  uniqueSuppressed,
  objectsChanged,
  memberDistance,
]

/** Runs the measures of these names, or all, on a release and its original. */
export async function measure(
  subject: ProbeSubject<Release>,
  options: { only?: readonly string[] } & ProbeOptions,
  context: RunContext,
): Promise<ProbeOutcome[]> {
  return runProbes(selectProbes(measures, options.only), subject, options, context)
}
