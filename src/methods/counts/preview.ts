import { breathe, type RunContext } from "../../kernels/context.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Preview } from "../method.ts"
import { tableOf } from "../table.ts"
import { boundOf } from "./approximate.ts"
import { countBoundedClicks, countBoundedQueries, countBoundedTransitions, type KeyCounts } from "./bound-users.ts"
import type { CountsOptions } from "./options.ts"
import { type Mechanism, planApproximate } from "./plan-mechanisms.ts"

const grid = [1, 2, 5, 10, 20, 50, 100]
const unbounded = { most: 2 ** 31, perKey: 2 ** 31, choose: "first" } as const

/**
 * For a grid of ℓ₀: thresholds, how many keys are expected to be shown, and what share of the log's events they are.
 * Expectations over the noise, no draw of it: nothing is released. Computed on the log, so what it suggests was chosen on
 * the data, and a release made with it says so.
 */
export async function previewCounts(log: SearchLog, options: CountsOptions, context: RunContext): Promise<Preview> {
  const whole = await countRaw(log, options, context)
  const rows: (string | number)[][] = []
  let best = { share: -1, l0: grid[0] }
  for (const [i, l0] of grid.entries()) {
    const bounded = { ...options, maxQueries: l0, maxClicks: l0, maxTransitions: l0 }
    const { mechanisms } = planApproximate(bounded)
    let chances: Float64Array = new Float64Array(log.queries.size)
    for (const mechanism of mechanisms) {
      const bound = boundOf(mechanism, bounded)
      const shown = { keys: 0, events: 0 }
      if (mechanism.table === "queries") {
        const { users, total } = await countBoundedQueries(log, bound, context)
        chances = Float64Array.from(users, (count, query) => chanceOf(mechanism, count, total[query]))
        for (let query = 0; query < chances.length; query++) {
          shown.keys += chances[query]
          shown.events += chances[query] * whole.queries[query]
        }
      } else {
        const among = Uint8Array.from(chances, (chance) => (chance > 0 ? 1 : 0))
        const gap = options.sessionGap * 60
        const isClicks = mechanism.table === "clicks"
        const counts = isClicks
          ? await countBoundedClicks(log, bound, { among }, context)
          : await countBoundedTransitions(log, bound, { among, gap }, context)
        const raw = whole[mechanism.table]
        for (let key = 0; key < counts.size; key++) {
          const both = chances[counts.a[key]] * (isClicks ? 1 : chances[counts.b[key]])
          const chance = both * chanceOf(mechanism, counts.users[key], counts.total[key])
          shown.keys += chance
          shown.events += chance * raw.totalOf(counts.a[key], counts.b[key])
        }
      }
      const all = mechanism.table === "queries" ? log.events : whole[mechanism.table].total
      const share = all === 0 ? 0 : shown.events / all
      // As shown: for what is no more than rounding, nobody takes the larger noise of more keys.
      if (mechanism.table === "queries" && Number(share.toFixed(4)) > best.share)
        best = { share: Number(share.toFixed(4)), l0 }
      rows.push([l0, mechanism.table, mechanism.threshold ?? 0, Math.round(shown.keys), share.toFixed(4)])
    }
    await breathe(context, { stage: "planning", done: i + 1, total: grid.length })
  }
  const columns = ["keys of a user", "table", "threshold", "keys shown (expected)", "share of events (expected)"]
  const { l0 } = best
  return {
    table: tableOf(columns, rows),
    suggested: { maxQueries: l0, maxClicks: l0, maxTransitions: l0, chosenOnData: true },
  }
}

/** The chance that a key is shown; 0 where users are too few. */
function chanceOf(mechanism: Mechanism, users: number, total: number): number {
  const { minUsers, threshold = 0, truncation } = mechanism
  if (users < minUsers) return 0
  const scale = approximate(mechanism.scale)
  const tail = (x: number): number => {
    const a = Math.exp(-1 / scale)
    return x >= 1 ? Math.exp(-x / scale) / (1 + a) : 1 - Math.exp(-(1 - x) / scale) / (1 + a)
  }
  const from = threshold - total
  if (truncation === undefined) return tail(from)
  if (from > truncation) return 0
  const beyond = tail(truncation + 1)
  return from <= -truncation ? 1 : (tail(from) - beyond) / (1 - 2 * beyond)
}

/** What the log holds without any bound: events of each query, and of each pair. */
async function countRaw(log: SearchLog, options: CountsOptions, context: RunContext) {
  const among = new Uint8Array(log.queries.size).fill(1)
  const gap = options.sessionGap * 60
  return {
    queries: (await countBoundedQueries(log, unbounded, context)).total,
    clicks: indexPairs(await countBoundedClicks(log, unbounded, { among }, context)),
    transitions: indexPairs(await countBoundedTransitions(log, unbounded, { among, gap }, context)),
  }
}

function indexPairs({ size, a, b, total }: KeyCounts) {
  const table = new PairTable({ expected: size })
  for (let key = 0; key < size; key++) table.intern(a[key], b[key], key)
  return {
    total: total.reduce((sum, count) => sum + count, 0),
    totalOf: (first: number, second: number) => total[table.intern(first, second, 0)],
  }
}
