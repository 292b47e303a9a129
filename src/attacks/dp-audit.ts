import { Type } from "typebox"
import { breathe, type RunContext } from "../kernels/context.ts"
import { clopperPearson } from "../kernels/statistics/clopper-pearson.ts"
import type { SearchLog } from "../log/search-log.ts"
import { ledgerNumber } from "../methods/dp-guarantee.ts"
import type { ColumnTable } from "../methods/table.ts"
import { completeOptions, findMethod } from "../release/anonymize.ts"
import type { Score, TablesProbe } from "../release/probe.ts"
import { composeGroups, rowsOfGroup, type Scenario, scenariosFor, scoreGroups } from "./dp-scenarios.ts"

const options = Type.Object({
  trials: Type.Integer({
    default: 1000,
    minimum: 20,
    maximum: 10_000_000,
    description: "dp-audit: runs of the mechanism on each of two neighbouring logs",
  }),
})

/** Chance that any bound of one audit is too high. */
const error = 0.05
/** Groups share a run up to so many rows. */
const rowsAtOnce = 400_000

/** The table of queries that a mechanism releases of a log. */
export type AuditedRun = (log: SearchLog, context: RunContext) => Promise<ColumnTable>

/**
 * Runs the mechanism of the release again, with its parameters, on made-up logs that differ by one user, and bounds from
 * below the ε that it really has at the δ it claims: if an event has the chance p with the user and q without, then
 * ε ≥ ln((p − δ)/q). Bounds are those of Clopper and Pearson; all of an audit hold together with 95 %. Its value must not
 * exceed the claim, which is the baseline. A low value proves nothing: other logs may be worse. The table of queries alone.
 */
export const dpAudit: TablesProbe<typeof options> = {
  name: "dp-audit",
  looksAt: "tables",
  summary: "runs the mechanism on neighbouring logs and bounds its true ε from below; must not exceed the claim",
  options,
  applies: ({ release }) => {
    const { mode, mechanisms } = release.manifest.guarantee
    if (mode === "paper") return "δ = 1 claims nothing that could be refuted"
    return mechanisms.some(({ table }) => table === "queries") ? true : "the release has no table of queries"
  },
  async run({ release }, { trials }, context) {
    const { method: name, parameters, guarantee } = release.manifest
    const [{ epsilon, delta, ...mechanism }] = guarantee.mechanisms.filter(({ table }) => table === "queries")
    const threshold = mechanism.threshold ?? 1
    const method = findMethod(name)
    const run: AuditedRun = async (log, own) => {
      const pure = guarantee.mode === "pure" ? { pool: listOf(log), threshold } : {}
      const result = await method.run(log, completeOptions(method, { ...parameters, ...pure }), own)
      return result.kind === "tables" ? result.tables.queries : { rows: 0, columns: [] }
    }
    const claim = { epsilon: ledgerNumber(epsilon), delta: ledgerNumber(delta) }
    return auditRun(run, { ...claim, trials, scenarios: scenariosFor({ ...mechanism, threshold }) }, context)
  },
}

interface AuditOptions {
  epsilon: number
  delta: number
  trials: number
  scenarios: readonly Scenario[]
}

/** One score for each scenario, and the highest of them. */
export async function auditRun(
  run: AuditedRun,
  { epsilon, delta, trials, scenarios }: AuditOptions,
  context: RunContext,
): Promise<Score[]> {
  const scores: Score[] = []
  for (const scenario of scenarios) {
    const given = await scoresOf(run, scenario, { trials, withUser: true }, context)
    const without = await scoresOf(run, scenario, { trials, withUser: false }, context)
    const value = boundEpsilon(given, without, { delta, error: error / scenarios.length })
    scores.push({ name: `dp-audit/${scenario.name}`, value, n: trials, baseline: epsilon, better: "lower" })
  }
  const highest = Math.max(0, ...scores.map(({ value }) => value))
  return [{ name: "dp-audit", value: highest, n: trials, baseline: epsilon, better: "lower" }, ...scores]
}

async function scoresOf(
  run: AuditedRun,
  scenario: Scenario,
  { trials, withUser }: { trials: number; withUser: boolean },
  context: RunContext,
): Promise<Float64Array> {
  const scores = new Float64Array(trials)
  const atOnce = Math.max(1, Math.floor(rowsAtOnce / rowsOfGroup(scenario)))
  for (let done = 0; done < trials; ) {
    const groups = Math.min(atOnce, trials - done)
    const table = await run(composeGroups(scenario, { groups, withUser }), context)
    scores.set(scoreGroups(scenario, groups, countsOf(table)), done)
    done += groups
    await breathe(context, { stage: `auditing ${scenario.name}`, done, total: trials })
  }
  return scores
}

function countsOf({ rows, columns }: ColumnTable): (query: string) => number | undefined {
  const [query, count] = columns
  const held = new Map<string, number>()
  if (query !== undefined && "ids" in query && count !== undefined && "values" in count) {
    for (let row = 0; row < rows; row++) held.set(query.texts.text(query.ids[row]), count.values[row])
  }
  return (text) => held.get(text)
}

/**
 * A bound on ε from the scores with the user and without him. The event, "the score is at least t" or "less than t", is
 * chosen on the first half of the trials and judged on the second, so that choosing it costs nothing.
 */
function boundEpsilon(given: Float64Array, without: Float64Array, { delta, error }: { delta: number; error: number }) {
  const half = Math.floor(given.length / 2)
  const chosen = chooseEvent(given.slice(0, half).sort(), without.slice(0, half).sort(), delta)
  const [p, q] = countEvent(given.slice(half).sort(), without.slice(half).sort(), chosen)
  return judge(p, q, { delta, n: given.length - half, error })
}

interface Event {
  cut: number
  /** Scores of at least the cut, or of less. */
  above: boolean
  /** Whether it is to be more likely with the user. */
  withUser: boolean
}

function chooseEvent(given: Float64Array, without: Float64Array, delta: number): Event {
  const cuts = [...new Set([...given, ...without])].sort((x, y) => x - y)
  const step = Math.max(1, Math.floor(cuts.length / 200))
  let best: Event = { cut: 0, above: true, withUser: true }
  let most = -1
  for (let i = 0; i < cuts.length; i += step) {
    for (const above of [true, false]) {
      for (const withUser of [true, false]) {
        const [p, q] = countEvent(given, without, { cut: cuts[i], above, withUser })
        const value = judge(p, q, { delta, n: given.length, error })
        if (value <= most) continue
        most = value
        best = { cut: cuts[i], above, withUser }
      }
    }
  }
  return best
}

/** How often the event came in sorted scores: first where it is to be more likely. */
function countEvent(given: Float64Array, without: Float64Array, { cut, above, withUser }: Event): [number, number] {
  const count = (scores: Float64Array) => {
    const less = countLess(scores, cut)
    return above ? scores.length - less : less
  }
  return withUser ? [count(given), count(without)] : [count(without), count(given)]
}

function countLess(sorted: Float64Array, cut: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < cut) low = middle + 1
    else high = middle
  }
  return low
}

/** ln((p − δ)/q), p from below and q from above; 0 where that says nothing. */
function judge(p: number, q: number, { delta, n, error }: { delta: number; n: number; error: number }): number {
  const [low] = clopperPearson(p, n, { confidence: 1 - error / 2, side: "lower" })
  const [, high] = clopperPearson(q, n, { confidence: 1 - error / 2, side: "upper" })
  return low <= delta ? 0 : Math.max(0, Math.log((low - delta) / high))
}

const listOf = ({ queries }: SearchLog) =>
  Array.from({ length: queries.size }, (_, query) => queries.text(query)).join("\n")
