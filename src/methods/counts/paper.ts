import { breathe, type RunContext } from "../../kernels/context.ts"
import { withoutQueries } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import { tokeniseQueries } from "../../text/tokens.ts"
import { type CountsRun, type CountsTables, pairTable, queryTable } from "./approximate.ts"
import { PairCounts } from "./bound-users.ts"
import { type History, histories } from "./histories.ts"
import { findInLog, joinTexts } from "./pool.ts"
import { type Shown, selectKeys } from "./select-keys.ts"

/** Step 1 of the paper: queries of fewer searches are removed. */
const leastFrequency = 5

/**
 * Zhang, Yang & Singh 2016, §4, as published: remove rare queries and those with a term of one user, limit users to their
 * first searches and clicks, add the pool, show queries whose noisy count exceeds K, and every click and transition among
 * them with a noisy count. The noise is discrete here. What is proved of it is nothing: see docs/methods/counts.md.
 */
export async function countAsPublished(run: CountsRun, context: RunContext): Promise<CountsTables> {
  const { log, options, plan, parts, pool } = run
  const kept = withoutQueries(log, await sensitiveQueries(log, context))
  const [queries, clicks, transitions] = plan.mechanisms
  const totals = new Float64Array(log.queries.size)
  const clickCounts = new PairCounts()
  const pairs = new PairCounts()
  const { firstQueries = 0, firstClicks = 0, sessionGap } = options
  for (const history of histories(kept)) {
    const searches = Math.min(history.size, firstQueries)
    for (let i = 0; i < searches; i++) totals[kept.query[history.events[i]]]++
    for (let i = 1; i < searches; i++) {
      const [last, next] = [history.events[i - 1], history.events[i]]
      if (kept.query[last] !== kept.query[next] && kept.time[next] - kept.time[last] <= sessionGap * 60)
        pairs.add(kept.query[last], kept.query[next], 1)
    }
    for (const row of firstClickRows(kept, history, firstClicks)) clickCounts.add(kept.query[row], kept.url[row], 1)
  }
  await breathe(context, { stage: "counting", done: 1, total: 2 })

  const noise = parts.createNoise(queries, context.random)
  const inLog = findInLog(pool, log.queries)
  const isPublic = new Uint8Array(log.queries.size)
  for (const query of inLog) if (query >= 0) isPublic[query] = 1
  const counted = { size: totals.length, users: totals, total: totals }
  const shown = selectKeys(counted, queries, { noise, isPublic })
  const among = new Uint8Array(log.queries.size)
  for (const query of shown.places) among[query] = 1
  const absent = Array.from(inLog.keys()).filter((text) => inLog[text] < 0)
  const none = { size: absent.length, users: new Uint8Array(absent.length), total: new Uint8Array(absent.length) }
  const added = selectKeys(none, queries, { noise, isPublic: new Uint8Array(absent.length).fill(1) })
  const joined = joinTexts(
    { texts: log.queries, ids: shown.places },
    { texts: pool.texts, ids: added.places.map((place) => absent[place]) },
  )
  const values = Float64Array.from([...shown.values, ...added.values])
  const amongReleased = (counts: PairCounts, both: boolean) =>
    counts.freeze((a, b) => among[a] === 1 && (!both || among[b] === 1))
  const shownPairs = (counts: ReturnType<PairCounts["freeze"]>, mechanism: typeof clicks): Shown =>
    selectKeys(counts, mechanism, { noise: parts.createNoise(mechanism, context.random) })
  const clicked = amongReleased(clickCounts, false)
  const followed = amongReleased(pairs, true)
  return {
    tables: {
      queries: queryTable(joined.texts, { places: joined.ids, values }),
      clicks: pairTable("clicks", log, { counts: clicked, shown: shownPairs(clicked, clicks) }),
      transitions: pairTable("transitions", log, { counts: followed, shown: shownPairs(followed, transitions) }),
    },
    withheld: { "rows of rare queries or with a term of one user": log.rows - kept.rows },
  }
}

function* firstClickRows(log: SearchLog, { events, size }: History, most: number): Generator<number> {
  let clicks = 0
  for (let i = 0; i < size; i++) {
    const event = log.event[events[i]]
    for (let row = events[i]; row < log.rows && log.event[row] === event; row++) {
      if (log.url[row] < 0) continue
      if (clicks++ === most) return
      yield row
    }
  }
}

/** By query: 1 where it is rare, or holds a term that only one user issued. Reads raw counts: that is what breaks the proof. */
export async function sensitiveQueries(log: SearchLog, context: RunContext): Promise<Uint8Array> {
  const { events } = countQueries(log)
  const { words, offsets, tokens } = await tokeniseQueries(log.queries, { tokens: "words" }, context)
  const users = countTermUsers(log, { offsets, tokens, words: words.size })
  return Uint8Array.from(events, (count, query) => {
    if (count < leastFrequency) return 1
    for (let token = offsets[query]; token < offsets[query + 1]; token++) if (users[tokens[token]] === 1) return 1
    return 0
  })
}

function countTermUsers(
  log: SearchLog,
  { offsets, tokens, words }: { offsets: Uint32Array; tokens: Int32Array; words: number },
): Uint32Array {
  const users = new Uint32Array(words)
  const last = new Int32Array(words).fill(-1)
  for (let row = 0; row < log.rows; row++) {
    const query = log.query[row]
    for (let token = offsets[query]; token < offsets[query + 1]; token++) {
      const word = tokens[token]
      if (last[word] === log.user[row]) continue
      last[word] = log.user[row]
      users[word]++
    }
  }
  return users
}
