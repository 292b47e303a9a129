import { Type } from "#typebox"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { clopperPearson } from "../../kernels/statistics/clopper-pearson.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type DpGuarantee, type DpMechanism, ledgerNumber } from "../../methods/dp-guarantee.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { TablesProbe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import { completeOptions, findMethod, type OptionValues } from "../../release/anonymize.ts"
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

/** Probability that any bound of one audit is too high. */
const error = 0.05
/** The most rows of a scenario in all, if the number of trials is not given. */
const usualRows = 400_000
/** The most rows in one run; groups share a run up to this size. */
const rowsAtOnce = 400_000

/** Runs a mechanism on a log and returns the released tables. */
export type AuditedRun = (log: SearchLog, context: RunContext) => Promise<Record<string, ColumnTable>>

/**
 * Runs the mechanism of the release again, with its parameters, on synthetic logs that differ by one user. It gives a
 * lower bound on the true ε of each table at the δ it claims: if an event has probability p with the user and q
 * without, then ε ≥ ln((p − δ)/q).
 *
 * The bounds are Clopper–Pearson bounds; all bounds of an audit hold jointly with 95 % confidence. A value must not
 * exceed the claim, which is its baseline. A low value proves nothing: other logs may be worse.
 */
export const dpAudit: TablesProbe<typeof options> = {
  name: "dp-audit",
  looksAt: "tables",
  summary: "runs the mechanism on neighbouring logs and bounds its true ε from below; must not exceed the claim",
  options,
  applies: ({ release }) => {
    const { noise } = traitsOf(release.manifest.guarantee)
    if (noise === undefined) return "the release has no noisy counts"
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
    // The public lists are not in the release, so every text of the synthetic log counts as public here.
    const listsFor = (log: SearchLog, { threshold }: DpMechanism): OptionValues => {
      const urls = log.urls.size > 0 ? { poolUrls: listOf(log.urls) } : {}
      // Use the whole list, regardless of the parameters of the release.
      const pool = { pool: listOf(log.queries), poolNgrams: 1, poolMinFrequency: 1 }
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

/** The table to audit, and the promise it is audited against. */
export interface AuditOptions {
  guarantee: DpGuarantee
  table: string
  /** The most seconds between the two searches of a transition. */
  gap: number
  trials?: number
}

/** The bound for one table, and for each scenario. */
export async function auditRun(run: AuditedRun, options: AuditOptions, context: RunContext): Promise<Finding[]> {
  const { guarantee, table, gap } = options
  const mechanisms = new Map(guarantee.mechanisms.map((mechanism) => [mechanism.table, mechanism]))
  const mechanism = mechanisms.get(table)
  const queries = mechanisms.get("queries")
  if (mechanism === undefined || queries === undefined || !isTable(table)) return []
  // Enough users that a supporting query is almost never missing: far above its threshold.
  const [leastShown, spread] = [thresholdOf(queries), queries.selection?.scale ?? queries.scale]
  const support = Math.ceil(Math.max(leastShown, thresholdOf(mechanism)) + 40 * ledgerNumber(spread))
  const frame: Frame = { table, support, gap }
  const [epsilon, delta] = [ledgerNumber(mechanism.epsilon), ledgerNumber(mechanism.delta)]
  const audited = { ...mechanism, threshold: thresholdOf(mechanism) }
  // If every search counts, the user has either d searches of different queries or d searches of one query.
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

/** The smallest noisy count with which a key is shown. */
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
    await yieldAndReport(context, { stage: "auditing", done, total: trials })
  }
  return scores
}

/**
 * A bound on ε from the scores with the user and without. The event, "the score is at least t" or "the score is less
 * than t", is chosen on the first half of the trials and evaluated on the second. Choosing it therefore needs no
 * correction.
 */
function boundEpsilon(given: Float64Array, without: Float64Array, { delta, error }: { delta: number; error: number }) {
  const half = Math.floor(given.length / 2)
  const chosen = chooseEvent(given.slice(0, half).sort(), without.slice(0, half).sort(), delta)
  const [p, q] = countEvent(given.slice(half).sort(), without.slice(half).sort(), chosen)
  return judge(p, q, { delta, n: given.length - half, error })
}

interface Event {
  cut: number
  /** True for scores of at least the cut, false for scores below it. */
  above: boolean
  /** True if the event should be more likely with the user. */
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

/** How often the event occurred in sorted scores. The side where it should be more likely comes first. */
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

/** ln((p − δ)/q), with a lower bound for p and an upper bound for q; 0 if that shows nothing. */
function judge(p: number, q: number, { delta, n, error }: { delta: number; n: number; error: number }): number {
  const [low] = clopperPearson(p, n, { confidence: 1 - error / 2, side: "lower" })
  const [, high] = clopperPearson(q, n, { confidence: 1 - error / 2, side: "upper" })
  return low <= delta ? 0 : Math.max(0, Math.log((low - delta) / high))
}

const listOf = (texts: Dictionary) => Array.from({ length: texts.size }, (_, text) => texts.text(text)).join("\n")
