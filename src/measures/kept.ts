import { Type } from "#typebox"
import { countQueries } from "../log/statistics.ts"
import { hasQueries, type ReleaseProbe } from "../probes/probe.ts"
import { type Finding, labelAlone } from "../probes/score.ts"
import { hasTrail } from "../release/follow-trail.ts"
import { shownOf, shownQueries } from "./shown/shown-texts.ts"
import { countTraced } from "./traced-events.ts"

const options = Type.Object({})

/**
 * Share of the log's events that the release still holds: Σ min(shown, there) / events over query texts. A text that
 * the release shows more often than the log has it, under other names or by noise, counts as fully kept and no more.
 *
 * Rows: truncated times and session names merge events for a reader of the release, so events are counted through rows.
 * A text with r of its R rows released keeps r/R of its events. This is exact for methods that keep or drop whole
 * queries. Tables: a noisy count is taken as a number of events, and a count below 0 as none. A count of users, or a
 * bounded count, is below the number of events; the difference is part of the loss.
 *
 * A text that one user loses and another receives counts as kept. If the audit shows what is behind each row,
 * `events-traced` counts each user's events separately.
 */
export const eventsKept: ReleaseProbe<typeof options> = {
  name: "events-kept",
  looksAt: "any",
  summary: "share of events whose query is in the release, as often as it is there",
  options,
  label: labelAlone,
  applies: hasQueries,
  async run(subject, _options, context) {
    const { release, log } = subject
    const shown = shownOf(await shownQueries(release, context), log.queries)
    const { rows, events } = countQueries(log)
    const there = release.kind === "rows" ? rows : events
    let kept = 0
    for (let query = 0; query < shown.length; query++) {
      if (shown[query] > 0 && there[query] > 0) kept += events[query] * Math.min(1, shown[query] / there[query])
    }
    const score = (score: string, part: number): Finding => {
      return { score, value: part / log.events, n: log.events, baseline: 1, better: "higher" }
    }
    const traced =
      release.kind === "rows" && hasTrail({ ...subject, release })
        ? [score("events-traced", await countTraced({ ...subject, release }, context))]
        : []
    return [score("events-kept", kept), ...traced]
  },
}

/** Share of the log's distinct query texts that are in the release; in a table, with a count above 0. */
export const queriesKept: ReleaseProbe<typeof options> = {
  name: "queries-kept",
  looksAt: "any",
  summary: "share of distinct queries that are in the release",
  options,
  applies: hasQueries,
  async run({ release, log }, _options, context) {
    const shown = shownOf(await shownQueries(release, context), log.queries)
    const kept = shown.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0)
    return [
      { score: "queries-kept", value: kept / log.queries.size, n: log.queries.size, baseline: 1, better: "higher" },
    ]
  },
}
