import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { withoutQueries } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import { tokeniseQueries } from "../../text/tokens.ts"
import { type CountsRun, type CountsTables, pairTable, selectQueries } from "./approximate.ts"
import { countFirst } from "./first-searches.ts"
import { selectKeys } from "./select-keys.ts"
import { transitionRule } from "./transition-rule.ts"

/** Step 1 of the paper: queries with fewer searches are removed. */
const leastFrequency = 5

/**
 * Zhang, Yang & Singh 2016, §4, as published:
 * 1. Remove rare queries and queries with a term of one user.
 * 2. Limit users to their first searches and clicks, which gives Q_clean.
 * 3. Add the pool, Q⁺ = Q_clean + Q_p.
 * 4. Show queries with M(q, Q⁺) + noise > K.
 * 5. Show every click on them, with noisy counts.
 * 6. Show every transition of adjacent searches of Q_clean among them, with noisy counts.
 *
 * The noise is discrete here. Nothing is proved about this mode: see docs/methods/counts.md.
 */
export async function countAsPublished(run: CountsRun, context: RunContext): Promise<CountsTables> {
  const { log, options, plan, parts, pool } = run
  const kept = withoutQueries(log, await sensitiveQueries(log, context))
  const [queries, clicks, transitions] = plan.mechanisms
  const { firstQueries = 0, firstClicks = 0 } = options
  const first = countFirst(kept, { queries: firstQueries, clicks: firstClicks, rule: transitionRule(options) })
  await yieldAndReport(context, { stage: "counting", done: 1, total: 2 })
  const noise = parts.createNoise(queries, context.random)
  const counts = { size: log.queries.size, users: first.users, total: first.total }
  const { table, among } = selectQueries({ log, pool }, { counts, mechanism: queries, noise })
  const shownTable = (mechanism: typeof clicks) => {
    const isClicks = mechanism.table === "clicks"
    const pairs = isClicks ? first.clicks : first.transitions
    const counted = pairs.freeze((a, b) => among[a] === 1 && (isClicks || among[b] === 1))
    const shown = selectKeys(counted, mechanism, { noise: parts.createNoise(mechanism, context.random) })
    return pairTable(isClicks ? "clicks" : "transitions", log, { counts: counted, shown })
  }
  return {
    tables: { queries: table, clicks: shownTable(clicks), transitions: shownTable(transitions) },
    withheld: { "rows of rare queries or with a term of one user": log.rows - kept.rows },
  }
}

/**
 * By query: 1 if it is rare, or has a term that only one user issued. Reads raw counts, which is what breaks the proof.
 */
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
