import { Type } from "#typebox"
import { countQueries } from "../log/statistics.ts"
import { hasQueries, type ReleaseProbe } from "../probes/probe.ts"
import { type Finding, labelAlone } from "../probes/score.ts"
import { hasTrail } from "../release/follow-trail.ts"
import { shownOf, shownQueries } from "./shown/shown-texts.ts"
import { countTraced } from "./traced-events.ts"

const options = Type.Object({})

/**
 * Share of the log's events that the release still holds, Σ min(shown, there) / events over query texts: what a release
 * shows more often than the log has it, under other names or by noise, counts no more than all of it.
 *
 * Of rows: cut times and session names merge events for whoever reads the release, so they are counted through rows. A
 * text with r of its R rows released keeps r/R of its events, which is exact for methods that keep or leave whole queries.
 * Of tables: a noisy count is taken for events, and one below 0 for none. A count of users, or one that is bounded, is
 * below the events, and that is part of what is lost.
 *
 * A text that one user loses and another is given counts as kept. Where the audit says what is behind each row, `events-traced`
 * counts each user's events apart.
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
