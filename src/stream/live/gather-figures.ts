import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { lateRecords } from "./arrival-order.ts"
import { statePromise } from "./state-promise.ts"
import type { StreamCore } from "./stream-core.ts"
import type { LargestCategory, Quantiles, RiskFigures, StreamFigures } from "./stream-figures.ts"

/** How many categories are shown. */
export const mostShown = 20

/** The figures of a stream at this moment. */
export function gatherFigures(
  core: StreamCore,
  about: {
    state: StreamFigures["state"]
    now: number
    startedAt: number
    taxonomy: Taxonomy
    risk: RiskFigures | undefined
    commit: Quantiles
    journalBytes: number
    inputs: StreamFigures["inputs"]
    checkpoint: StreamFigures["checkpoint"]
  },
): StreamFigures {
  const { taxonomy, ...rest } = about
  const { k, depth, branches, mode, users } = core.settings
  const { lines, taken, cells } = core.totals
  const { delayRecords, delaySeconds } = core.watch
  const { rss, heapUsed } = process.memoryUsage()
  return {
    ...rest,
    k,
    depth,
    ...(branches !== undefined && { branches: branches.length }),
    mode,
    users,
    ...statePromise(core.settings, about.risk),
    lines,
    taken,
    cells,
    released: core.nextRelease,
    waiting: core.held,
    rejected: countsUnder(core.totals, "rejected "),
    withheld: countsUnder(core.totals, "withheld "),
    late: lateRecords(core.totals),
    categories: inhabited(core).length,
    largest: largestCategories(core, taxonomy),
    delay: { records: delayRecords.quantiles(about.now), seconds: delaySeconds.quantiles(about.now) },
    delayOfRun: { records: delayRecords.sinceStart(), seconds: delaySeconds.sinceStart() },
    memory: { rss, heap: heapUsed },
  }
}

/** The categories with the most waiting records. */
export function largestCategories(core: StreamCore, taxonomy: Taxonomy): LargestCategory[] {
  const largest = inhabited(core).sort((a, b) => core.waiting[b] - core.waiting[a])
  return largest.slice(0, mostShown).map((category) => ({
    path: taxonomy.path(category),
    waiting: core.waiting[category],
    users: core.usersIn(category),
    gated: core.isGated(category),
  }))
}

/** Categories with waiting records. */
function inhabited({ waiting }: StreamCore): number[] {
  const found: number[] = []
  waiting.forEach((count, category) => {
    if (count > 0) found.push(category)
  })
  return found
}

/** The totals whose names begin with a prefix, without it. */
export function countsUnder(totals: Record<string, number>, prefix: string): Record<string, number> {
  const found = Object.entries(totals).filter(([key]) => key.startsWith(prefix))
  return Object.fromEntries(found.map(([key, count]) => [key.slice(prefix.length), count]))
}
