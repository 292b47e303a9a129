import { Type } from "#typebox"
import { breathe, type RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { clopperPearson } from "../../kernels/statistics/clopper-pearson.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type DpGuarantee, type DpMechanism, ledgerNumber } from "../../methods/dp-guarantee.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { TablesProbe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import { completeOptions, findMethod, type Parameters } from "../../release/anonymize.ts"
import { composeGroups, type Frame, scoreGroups } from "./dp-groups.ts"
import { rowsOfGroup, type Scenario, scenariosFor } from "./dp-scenarios.ts"

const options = Type.Object({
  trials: Type.Optional(
    Type.Integer({
      minimum: 20,
      maximum: 10_000_000,
      description:
        "dp-audit: run the mechanism this often on each of two neighbouring logs (default 40 to 1000, by their size)",
    }),
  ),
})

/** Chance that any bound of one audit is too high. */
const error = 0.05
/** Rows that a scenario may have in all where nobody says how many trials there are to be. */
const usualRows = 400_000
/** Groups share a run up to so many rows. */
const rowsAtOnce = 400_000

/** The tables that a mechanism releases of a log. */
export type AuditedRun = (log: SearchLog, context: RunContext) => Promise<Record<string, ColumnTable>>

/**
 * Runs the mechanism of the release again, with its parameters, on made-up logs that differ by one user, and bounds from
 * below the ε that each table really has at the δ it claims: if an event has the chance p with the user and q without, then
 * ε ≥ ln((p − δ)/q). Bounds are those of Clopper and Pearson; all of an audit hold together with 95 %. A value must not
 * exceed the claim, which is its baseline. A low value proves nothing: other logs may be worse.
 */
export const dpAudit: TablesProbe<typeof options> = {
  name: "dp-audit",
  looksAt: "tables",
  summary: "runs the mechanism on neighbouring logs and bounds its true ε from below; must not exceed the claim",
  options,
  applies: ({ release }) => {
    const { noise } = traitsOf(release.manifest.guarantee)
    if (noise === undefined) return "the release holds no noisy counts"
    const { mode, mechanisms } = noise
    if (mode === "paper") return "δ = 1 claims nothing that could be refuted"
    return mechanisms.length > 0 ? true : "its ledger has no mechanism"
  },
  async run({ release }, options, context) {
    const { method: name, parameters } = release.manifest
    const { noise: guarantee } = traitsOf(release.manifest.guarantee)
    if (guarantee === undefined) return []
    const method = findMethod(name)
    const scores: Finding[] = []
    // Public lists stay with their owner: whatever the made-up log has is public here.
    const listsFor = (log: SearchLog, { threshold }: DpMechanism): Parameters => {
      const urls = log.urls.size > 0 ? { poolUrls: listOf(log.urls) } : {}
      const pool = { pool: listOf(log.queries), poolNgrams: 1, poolMinFrequency: 1 } // all of it, whatever was read before
      if (guarantee.mode === "pure") return { ...pool, ...urls, threshold: threshold ?? 1 }
      return guarantee.mode === "korolova" ? { ...urls, ...(threshold === null ? {} : { threshold }) } : {}
    }
    for (const mechanism of guarantee.mechanisms) {
      const run: AuditedRun = async (log, own) => {
        const result = await method.run(
          log,
          completeOptions(method, { ...parameters, ...listsFor(log, mechanism) }),
          own,
        )
        return result.kind === "tables" ? result.tables : {}
      }
      const claims = { guarantee, table: mechanism.table, gap: Number(parameters.sessionGap ?? 30) * 60 }
      scores.push(...(await auditRun(run, { ...claims, ...options }, context)))
    }
    return scores
  },
}

/** Which table is audited, and under which promise. */
export interface AuditOptions {
  guarantee: DpGuarantee
  table: string
  /** Seconds between the searches of a transition, at most. */
  gap: number
  trials?: number
}

/** The bound for one table, and that of each scenario. */
export async function auditRun(run: AuditedRun, options: AuditOptions, context: RunContext): Promise<Finding[]> {
  const { guarantee, table, gap } = options
  const mechanisms = new Map(guarantee.mechanisms.map((mechanism) => [mechanism.table, mechanism]))
  const mechanism = mechanisms.get(table)
  const queries = mechanisms.get("queries")
  if (mechanism === undefined || queries === undefined || !isTable(table)) return []
  // Far enough above its threshold that a query is all but never missing.
  const [leastShown, spread] = [thresholdOf(queries), queries.selection?.scale ?? queries.scale]
  const support = Math.ceil(Math.max(leastShown, thresholdOf(mechanism)) + 40 * ledgerNumber(spread))
  const frame: Frame = { table, support, gap }
  const [epsilon, delta] = [ledgerNumber(mechanism.epsilon), ledgerNumber(mechanism.delta)]
  const audited = { ...mechanism, threshold: thresholdOf(mechanism) }
  // Where every search counts, a user has d of different queries, or d of one.
  const scenarios =
    guarantee.mode === "korolova"
      ? [
          ...scenariosFor({ ...audited, perKey: 1 }),
          ...scenariosFor({ ...audited, l0: 1 }).map((one) => ({ ...one, name: `${one.name}-together` })),
        ]
      : scenariosFor(audited)
  const tests = scenarios.length * mechanisms.size
  const scores: Finding[] = []
  for (const scenario of scenarios) {
    const usual = Math.min(1000, Math.max(40, Math.floor(usualRows / rowsOfGroup(scenario))))
    const trials = options.trials ?? usual
    const given = await scoresOf(run, scenario, { frame, trials, withUser: true }, context)
    const without = await scoresOf(run, scenario, { frame, trials, withUser: false }, context)
    const value = boundEpsilon(given, without, { delta, error: error / tests })
    const at = { table, scenario: scenario.name }
    scores.push({ score: "dp-audit", at, value, n: trials, baseline: epsilon, chance: null, better: "lower" })
  }
  const highest = Math.max(0, ...scores.map(({ value }) => value))
  const about = { at: { table }, better: "lower" } as const
  return [
    { score: "dp-audit", ...about, value: highest, baseline: epsilon, chance: null },
    { score: "refuted", ...about, value: highest > epsilon ? 1 : 0, baseline: 0 },
    ...scores,
  ]
}

/** The least noisy count of a key that is shown. */
const thresholdOf = ({ threshold, selection }: DpMechanism) => threshold ?? selection?.threshold ?? 1

const isTable = (name: string): name is Frame["table"] => ["queries", "clicks", "transitions"].includes(name)

async function scoresOf(
  run: AuditedRun,
  scenario: Scenario,
  { frame, trials, withUser }: { frame: Frame; trials: number; withUser: boolean },
  context: RunContext,
): Promise<Float64Array> {
  const scores = new Float64Array(trials)
  const atOnce = Math.max(1, Math.floor(rowsAtOnce / rowsOfGroup(scenario)))
  for (let done = 0; done < trials; ) {
    const groups = Math.min(atOnce, trials - done)
    const tables = await run(composeGroups(scenario, frame, { groups, withUser }), context)
    const table = tables[frame.table] ?? { rows: 0, columns: [] }
    scores.set(scoreGroups(scenario, frame, { groups, table }), done)
    done += groups
    await breathe(context, { stage: "auditing", done, total: trials })
  }
  return scores
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

const listOf = (texts: Dictionary) => Array.from({ length: texts.size }, (_, text) => texts.text(text)).join("\n")
