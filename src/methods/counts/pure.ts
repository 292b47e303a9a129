import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { approximate, type Rational } from "../../kernels/noise/rational.ts"
import type { RandomSource } from "../../kernels/random.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import { boundOf, type CountsRun, type CountsTables } from "./approximate.ts"
import type { KeyCounts } from "./bound-users.ts"
import { tableInKeyOrder } from "./key-tables.ts"
import type { CountsOptions } from "./options.ts"
import type { Mechanism } from "./plan-mechanisms.ts"
import { findInLog, type Pool } from "./pool.ts"
import { drawPublicKeys } from "./public-keys.ts"
import type { Noise } from "./select-keys.ts"
import { transitionRule } from "./transition-rule.ts"

/** The default threshold: noise alone reaches it for about one of `keys` keys. It is public, as the keys are. */
export function publicThreshold(scale: Rational, { threshold }: CountsOptions, keys: number): number {
  return threshold ?? Math.max(1, Math.ceil(approximate(scale) * Math.log(Math.max(2, keys))))
}

/** Public texts. `inLog` gives the id of each in the log, or -1. */
export interface PublicTexts {
  name: string
  texts: Dictionary
  ids: Int32Array
  inLog: Int32Array
}

/**
 * Counts public keys only. Every key gets noise, including those that nobody has, and is shown if its noisy count
 * reaches a public threshold. δ = 0, because the log does not decide whether a key can appear. Clicks are pairs of a
 * released query, which is public by then, and a url of the list. Transitions are pairs of released queries.
 */
export async function countPublicKeys(run: CountsRun & { urls: Pool }, context: RunContext): Promise<CountsTables> {
  const { log, options, plan, parts, pool, urls } = run
  const { random } = context
  const tables: CountsTables["tables"] = {}
  let queries = publicTexts("query", pool, log.queries)
  for (const mechanism of plan.mechanisms) {
    const draw = { mechanism, noise: parts.createNoise(mechanism, random) }
    const bound = boundOf(mechanism, options)
    if (mechanism.table === "queries") {
      const { total } = await parts.countQueries(log, bound, context)
      const held = new Map<number, number>()
      for (const [key, query] of queries.inLog.entries()) {
        const count = (query < 0 ? 0 : total[query]) + (pool.frequencies?.[key] ?? 0)
        if (count > 0) held.set(key, count)
      }
      const { keys, values } = drawPublicKeys({ size: queries.ids.length, held }, draw, random)
      queries = pickTexts(queries, keys)
      tables.queries = tableInKeyOrder([queries], values)
      continue
    }
    const seconds = mechanism.table === "clicks" ? publicTexts("url", urls, log.urls) : { ...queries, name: "next" }
    const among = new Uint8Array(log.queries.size)
    for (const query of queries.inLog) if (query >= 0) among[query] = 1
    const counts =
      mechanism.table === "clicks"
        ? await parts.countClicks(log, bound, { among }, context)
        : await parts.countTransitions(log, bound, { among, rule: transitionRule(options) }, context)
    tables[mechanism.table] = drawPairs(counts, { firsts: queries, seconds }, draw, random)
  }
  return { tables, withheld: {} }
}

/** Adds noise to every pair of two public lists and shows those that reach the threshold. */
export function drawPairs(
  counts: KeyCounts,
  { firsts, seconds }: { firsts: PublicTexts; seconds: PublicTexts },
  draw: { mechanism: Mechanism; noise: Noise },
  random: RandomSource,
): ColumnTable {
  const width = seconds.ids.length
  const held = heldPairs(counts, firsts, seconds)
  const { keys, values } = drawPublicKeys({ size: firsts.ids.length * width, held }, draw, random)
  const pairs = [
    pickTexts(
      firsts,
      keys.map((pair) => Math.floor(pair / width)),
    ),
    pickTexts(
      seconds,
      keys.map((pair) => pair % width),
    ),
  ]
  return tableInKeyOrder(pairs, values)
}

/** All texts of a pool. */
export function publicTexts(name: string, pool: Pool, dictionary: Dictionary): PublicTexts {
  const ids = Int32Array.from({ length: pool.texts.size }, (_, text) => text)
  return { name, texts: pool.texts, ids, inLog: findInLog(pool, dictionary) }
}

function pickTexts({ name, texts, ids, inLog }: PublicTexts, places: Float64Array): PublicTexts {
  const pick = (column: Int32Array) => Int32Array.from(places, (place) => column[place])
  return { name, texts, ids: pick(ids), inLog: pick(inLog) }
}

/** Counts of public pairs, by the number of the pair: first · width + second. */
function heldPairs(counts: KeyCounts, firsts: PublicTexts, seconds: PublicTexts): Map<number, number> {
  const placeOf = ({ inLog }: PublicTexts) => new Map(Array.from(inLog, (id, place) => [id, place]))
  const [first, second] = [placeOf(firsts), placeOf(seconds)]
  const held = new Map<number, number>()
  for (let key = 0; key < counts.size; key++) {
    const [a, b] = [first.get(counts.a[key]), second.get(counts.b[key])]
    if (a !== undefined && b !== undefined) held.set(a * seconds.ids.length + b, counts.total[key])
  }
  return held
}
