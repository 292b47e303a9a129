import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import { tableOf } from "../../kernels/table.ts"
import { withoutQueries } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Preview } from "../method.ts"
import { boundOf } from "./approximate.ts"
import { countBoundedClicks, countBoundedQueries, countBoundedTransitions, type KeyCounts } from "./bound-users.ts"
import { type ExpectedShown, expectPairs, expectQueries, type KeySource } from "./expect-shown.ts"
import { countFirst } from "./first-searches.ts"
import { openLists, planMode } from "./open-mode.ts"
import type { CountsOptions } from "./options.ts"
import { sensitiveQueries } from "./paper.ts"
import { type Mechanism, planApproximate } from "./plan-mechanisms.ts"
import { transitionRule } from "./transition-rule.ts"

const bounds = [1, 2, 5, 10, 20, 50, 100]
const cutoffs = [10, 20, 50, 100, 200, 500]
const unbounded = { most: 2 ** 31, perKey: 2 ** 31, choose: "first" } as const

/**
 * For a grid of ℓ₀ (korolova: of d; paper: of K), lists the thresholds, how many keys are expected to be shown, which
 * share of the log's events they cover, and how many of them nobody has. These are expectations over the noise. No
 * noise is drawn and nothing is released. The preview is computed on the log, so the options that it suggests were
 * chosen on the data, and a release made with them says so.
 */
export async function previewCounts(log: SearchLog, options: CountsOptions, context: RunContext): Promise<Preview> {
  const lists = await openLists(options, context)
  const whole = await countRaw(log, options, context)
  const { name, settings } = settingsOf(options)
  const counted = options.mode === "paper" ? withoutQueries(log, await sensitiveQueries(log, context)) : log
  const rows: (string | number)[][] = []
  let best = { share: -1, suggested: settings[0]?.suggested ?? {} }
  for (const [i, { value, suggested }] of settings.entries()) {
    const set = { ...options, ...suggested }
    const source = openSource(counted, set, context)
    let chances = { ofLog: new Float64Array(log.queries.size), others: new Float64Array(0) }
    for (const mechanism of planMode(set, lists, planApproximate).mechanisms) {
      let shown: ExpectedShown
      if (mechanism.table === "queries") {
        const given = { counts: await source.queries(mechanism), raw: whole.queries }
        const expected = expectQueries(log, mechanism, { ...given, pool: lists.pool })
        chances = expected.chances
        shown = expected
      } else {
        const among = Uint8Array.from(chances.ofLog, (chance) => (chance > 0 ? 1 : 0))
        const given = { counts: await source.pairs(mechanism, among), rawOf: whole[mechanism.table].totalOf }
        shown = expectPairs(log, mechanism, { ...given, chances, urls: lists.urls })
      }
      const all = mechanism.table === "queries" ? log.events : whole[mechanism.table].total
      const share = all === 0 ? 0 : shown.events / all
      // Compare rounded shares, as shown: a gain below rounding is not worth the larger noise of more keys.
      if (mechanism.table === "queries" && Number(share.toFixed(4)) > best.share)
        best = { share: Number(share.toFixed(4)), suggested }
      const threshold = mechanism.threshold ?? mechanism.selection?.threshold ?? 0
      rows.push([
        value,
        mechanism.table,
        threshold,
        Math.round(shown.keys),
        share.toFixed(4),
        Math.round(shown.nobodys),
      ])
    }
    await yieldAndReport(context, { stage: "planning", done: i + 1, total: settings.length })
  }
  const columns = [
    name,
    "table",
    "threshold",
    "keys shown (expected)",
    "share of events (expected)",
    "of these by noise alone",
  ]
  return { table: tableOf(columns, rows), suggested: { ...best.suggested, chosenOnData: true } }
}

interface Setting {
  value: number
  suggested: Partial<
    Record<"maxQueries" | "maxClicks" | "maxTransitions" | "firstQueries" | "firstClicks" | "cutoff", number>
  >
}

/** The settings that are tried: bounds on a user, or in the paper's mode its cut-off K. */
function settingsOf({ mode, cutoff = 500 }: CountsOptions): { name: string; settings: Setting[] } {
  if (mode === "paper") {
    const values = [...new Set([...cutoffs, cutoff])].sort((a, b) => a - b)
    return { name: "K", settings: values.map((value) => ({ value, suggested: { cutoff: value } })) }
  }
  if (mode === "korolova")
    return {
      name: "searches of a user",
      settings: bounds.map((value) => ({ value, suggested: { firstQueries: value, firstClicks: value } })),
    }
  return {
    name: "keys of a user",
    settings: bounds.map((value) => ({
      value,
      suggested: { maxQueries: value, maxClicks: value, maxTransitions: value },
    })),
  }
}

/** Opens the counts of the mode. */
function openSource(log: SearchLog, options: CountsOptions, context: RunContext): KeySource {
  const rule = transitionRule(options)
  if (options.mode === "paper" || options.mode === "korolova") {
    const { firstQueries: queries = 1, firstClicks: clicks = 1 } = options
    const first = countFirst(log, { queries, clicks, rule })
    return {
      queries: async () => first,
      pairs: async ({ table }) => (table === "clicks" ? first.clicks : first.transitions).freeze(),
    }
  }
  return {
    queries: (mechanism) => countBoundedQueries(log, boundOf(mechanism, options), context),
    pairs: (mechanism: Mechanism, among) =>
      mechanism.table === "clicks"
        ? countBoundedClicks(log, boundOf(mechanism, options), { among }, context)
        : countBoundedTransitions(log, boundOf(mechanism, options), { among, rule }, context),
  }
}

/** Counts without any bound: the events of each query and of each pair. */
async function countRaw(log: SearchLog, options: CountsOptions, context: RunContext) {
  const among = new Uint8Array(log.queries.size).fill(1)
  const rule = transitionRule(options)
  return {
    queries: (await countBoundedQueries(log, unbounded, context)).total,
    clicks: indexPairs(await countBoundedClicks(log, unbounded, { among }, context)),
    transitions: indexPairs(await countBoundedTransitions(log, unbounded, { among, rule }, context)),
  }
}

function indexPairs({ size, a, b, total }: KeyCounts) {
  const table = new PairTable({ expected: size })
  for (let key = 0; key < size; key++) table.intern(a[key], b[key], key)
  return {
    total: total.reduce((sum, count) => sum + count, 0),
    // Adjacent searches of Q_clean may not be adjacent in the log. The log then has no such pair.
    totalOf: (first: number, second: number) => total[table.find(first, second)] ?? 0,
  }
}
