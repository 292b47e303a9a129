import { Type } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import { countDistinctUsers } from "../kernels/distinct-users.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { Probe, ProbeSubject } from "../probes/probe.ts"
import type { Finding } from "../probes/score.ts"

const options = Type.Object({})

/**
 * The adversary saw the victim type one query and finds it in the release. How many users of the log can the victim be?
 * Those who issued exactly that text; in a generalised release, those whose queries are replaced by the same concept.
 * Carpineto & Romano 2015, §5. A victim is one user with one of their released queries. All such pairs are counted, so
 * the scores are exact and not sampled.
 */
export const knownQuery: Probe<typeof options> = {
  name: "known-query",
  summary: "an attacker saw someone type a released query: how many users it can be",
  options,
  applies: ({ release, log, audit }) => {
    if (log.users.size === 0) return "the log has no users"
    return traitsOf(release.manifest.guarantee).shows === "concepts" && audit === undefined
      ? "needs to know which concept stands for which query (--audit DIR)"
      : true
  },
  async run(subject, _options, context) {
    const { release, log } = subject
    const { k } = release.manifest.guarantee
    const own = Int32Array.from({ length: log.queries.size }, (_, query) => query)
    const found = countVictims(log, await shownAs(subject, context))
    const before = countVictims(log, own)
    const share = (score: string, below: number): Finding => ({
      score,
      value: shareBelow(found, below),
      n: found.total,
      baseline: shareBelow(before, below),
      chance: 0,
      better: "lower",
    })
    const middle = (percent: number): Finding => ({
      score: "known-query",
      at: { percent },
      value: candidatesAt(found, percent),
      n: found.total,
      baseline: candidatesAt(before, percent),
      better: "higher",
    })
    return [share("one", 2), share("under-k", k), ...[5, 25, 50].map(middle)]
  },
}

/** For each query, the text or concept that the release shows for it; -1 if it is not released. */
async function shownAs({ release, log, audit }: ProbeSubject, context: RunContext): Promise<Int32Array> {
  const released = await release.log(context)
  const shown = new Int32Array(log.queries.size).fill(-1)
  if (traitsOf(release.manifest.guarantee).shows !== "concepts") {
    for (let query = 0; query < released.queries.size; query++) {
      const found = log.queries.findBytes(released.queries.bytes(query))
      if (found >= 0) shown[found] = found
    }
    return shown
  }
  for await (const [text, concept] of audit?.rows("queries", ["query", "concept"]) ?? []) {
    const query = log.queries.find(text)
    if (query >= 0) shown[query] = released.queries.find(concept)
  }
  return shown
}

interface Victims {
  /** The number of pairs of a user and one of their released queries. */
  total: number
  /** The number of pairs for each number of candidates, in ascending order. */
  counts: [candidates: number, pairs: number][]
}

function countVictims(log: SearchLog, shown: Int32Array): Victims {
  const column = Int32Array.from(log.query, (query) => shown[query])
  const size = shown.reduce((most, id) => Math.max(most, id), -1) + 1
  const candidates = countDistinctUsers(column, log.user, { size })
  const victims = countDistinctUsers(log.query, log.user, { size: log.queries.size })
  const counts = new Map<number, number>()
  let total = 0
  for (let query = 0; query < shown.length; query++) {
    if (shown[query] < 0 || victims[query] === 0) continue
    const possible = candidates[shown[query]]
    counts.set(possible, (counts.get(possible) ?? 0) + victims[query])
    total += victims[query]
  }
  return { total, counts: [...counts].sort(([a], [b]) => a - b) }
}

function shareBelow({ total, counts }: Victims, bound: number): number {
  const below = counts.reduce((sum, [candidates, pairs]) => sum + (candidates < bound ? pairs : 0), 0)
  return total === 0 ? 0 : below / total
}

/** The smallest number of candidates such that at least this percentage of the victims have no more. */
function candidatesAt({ total, counts }: Victims, percent: number): number {
  let sum = 0
  for (const [candidates, pairs] of counts) {
    sum += pairs
    if (sum * 100 >= total * percent) return candidates
  }
  return 0
}
