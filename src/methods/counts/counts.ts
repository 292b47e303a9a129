import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import type { SearchLog, Unit } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import { type DpGuarantee, dpGuarantee } from "../dp-guarantee.ts"
import type { Method } from "../method.ts"
import { type CountsTables, countApproximately } from "./approximate.ts"
import { explainCounts } from "./explain.ts"
import { formatFraction } from "./fractions.ts"
import { countKorolova } from "./korolova.ts"
import { openLists, planMode } from "./open-mode.ts"
import { checkPool } from "./open-pool.ts"
import { type CountsOptions, countsOptions, settleOptions } from "./options.ts"
import { countAsPublished } from "./paper.ts"
import { type CountsParts, shippedParts } from "./parts.ts"
import { describeMechanism, type Plan, planApproximate, planKorolova, planPaper, planPure } from "./plan-mechanisms.ts"
import { findInLog, type Pool } from "./pool.ts"
import { previewCounts } from "./preview.ts"
import { countPublicKeys } from "./pure.ts"

/**
 * Noisy counts of queries, clicks and transitions. Zhang, Yang & Singh 2016, with bounds and thresholds that make the
 * claim true; docs/methods/counts.md has the proof.
 *
 * Guarantee: the unit is the user (all rows of one user id). Whatever else an adversary knows, and for every set of
 * outputs, Pr[release of the log] ≤ e^ε · Pr[release of the log without that user] + δ, and the other way round, in
 * approximate, korolova and pure mode (δ = 0). In `--mode paper` nothing is proved, and the guarantee says so.
 */
export const counts = countsWith(shippedParts)

/**
 * Builds the method from these parts. Only tests of the code that audits the method pass other parts than the shipped
 * ones.
 */
export function countsWith(parts: CountsParts): Method<typeof countsOptions> {
  return {
    name: "counts",
    summary: "release noisy counts of queries, clicks and transitions (differential privacy)",
    options: countsOptions,
    releases: "tables",
    // The paper gives neither q_f nor c_f. With 100 and 100, its ε would be 29.9; it states 29.99.
    paper: { mode: "paper", scrub: "none", noiseScale: "10", cutoff: 500, firstQueries: 100, firstClicks: 100 },
    settle: settleOptions,
    check: checkOptions,
    async run(log, options, context) {
      const { plan, pool, ...made } = await runMode(log, options, parts, context)
      return {
        kind: "tables",
        tables: made.tables,
        guarantee: guaranteeCounts({ unit: log.unit, options, plan, pool: pool.name }),
        withheld: made.withheld,
        audit: {},
        warnings: [
          ...warnOfCounts({ users: log.users.size, plan, tables: made.tables }),
          ...warnOfMode(options),
          ...warnOfPool(log, pool),
        ],
      }
    },
    preview: (log, options, context) => previewCounts(log, options, context),
    explain: explainCounts,
  }
}

/** The guarantee of noisy counts that follow a plan. */
export function guaranteeCounts(about: { unit: Unit; options: CountsOptions; plan: Plan; pool: string }): DpGuarantee {
  const { unit, options, plan, pool } = about
  return dpGuarantee({
    unit,
    mode: options.mode,
    epsilon: formatFraction(plan.epsilon),
    delta: formatFraction(plan.delta),
    pool,
    mechanisms: plan.mechanisms.map((mechanism) => describeMechanism(mechanism, unit)),
    parametersChosenOnData: options.chosenOnData,
  })
}

async function runMode(
  log: SearchLog,
  options: CountsOptions,
  parts: CountsParts,
  context: RunContext,
): Promise<CountsTables & { plan: Plan; pool: Pool }> {
  const { mode } = options
  const { pool, urls } = await openLists(options, context)
  const plan = planMode(options, { pool, urls }, parts.plan)
  const run = { log, options, plan, parts, pool, urls }
  await context.beforeNoise?.()
  if (mode === "pure") return { ...(await countPublicKeys(run, context)), plan, pool }
  if (mode === "korolova") return { ...(await countKorolova(run, context)), plan, pool }
  if (mode === "paper") return { ...(await countAsPublished(run, context)), plan, pool }
  return { ...(await countApproximately(run, context)), plan, pool }
}

function checkOptions(options: CountsOptions): void {
  refuseStrangers(options)
  checkPool(options)
  const atLeast = { tables: ["queries"] as const, thresholdOf: () => 1 }
  if (options.mode === "approximate") planApproximate(options)
  else if (options.mode === "paper") planPaper(options)
  else if (options.mode === "korolova") planKorolova(options, atLeast)
  else planPure(options, atLeast)
}

/** Refuses options of another mode, because they would do nothing. */
function refuseStrangers(options: CountsOptions): void {
  const { mode, noiseScale, cutoff, firstQueries, firstClicks, poolUrls, threshold, epsilon, delta } = options
  const refuse = (given: Record<string, unknown>, belongs: string) => {
    const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
    if (flag !== undefined)
      throw new QueryveilError("usage", `${flag} is for --mode ${belongs}. Leave it out, or change the mode.`, { flag })
  }
  if (mode !== "paper") refuse({ "--noise-scale": noiseScale, "--cutoff": cutoff }, "paper")
  if (mode !== "paper" && mode !== "korolova")
    refuse({ "--first-queries": firstQueries, "--first-clicks": firstClicks }, "paper or korolova")
  if (mode !== "pure" && mode !== "korolova")
    refuse({ "--pool-urls": poolUrls, "--threshold": threshold }, "pure or korolova")
  if (mode === "korolova") refuse({ "--pool": options.pool }, "approximate, pure or paper")
  if (mode === "paper") refuse({ "--epsilon": epsilon, "--delta": delta }, "approximate, pure or korolova")
  if (mode !== "pure" && mode !== "paper" && options.poolFrequencies === "add")
    refuse({ "--pool-frequencies add": true }, "pure or paper")
  if (mode !== "approximate" && options.select === "optimal")
    refuse({ "--select optimal": options.select }, "approximate")
}

/** Reports the values that were chosen here because the paper leaves them open. */
function warnOfMode({ mode, firstQueries, firstClicks }: CountsOptions): string[] {
  if (mode !== "paper") return []
  return [
    [
      "The paper does not say how many searches and clicks of a user count (q_f and c_f).",
      `Here they are ${firstQueries} and ${firstClicks}.`,
    ].join(" "),
  ]
}

/** A pool with at least this share of the queries of only one user looks as if it came from the log. */
const suspiciousShare = 0.5
const fewestSingles = 20

function warnOfPool(log: SearchLog, pool: Pool): string[] {
  if (!pool.name.startsWith("sha256:")) return []
  const { users } = countQueries(log)
  const isSingle = (query: number) => users[query] === 1
  const singles = users.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0)
  const found = findInLog(pool, log.queries).reduce((sum, query) => sum + (query >= 0 && isSingle(query) ? 1 : 0), 0)
  if (singles < fewestSingles || found < suspiciousShare * singles) return []
  return [
    [
      `The pool has ${Math.round((100 * found) / singles)} %`,
      "of the queries that only one user searched for.",
      "Was it made from this log?",
      "Then the guarantee is void: a pool must be public.",
    ].join(" "),
  ]
}

/** Warns if the plan promises little to this many users, or if nothing is shown. */
export function warnOfCounts(found: { users: number; plan: Plan; tables: CountsTables["tables"] }): string[] {
  const { plan, tables } = found
  const warnings: string[] = []
  const users = Math.max(1, found.users)
  if (approximate(plan.delta) === 1) {
    warnings.push(
      [
        "As published, this proves no differential privacy (--mode paper): any person's query may be shown.",
        "Do not publish it.",
      ].join(" "),
    )
  } else if (approximate(plan.delta) > 1 / (10 * users)) {
    warnings.push(
      [
        `δ = ${approximate(plan.delta)} is large for ${users} users:`,
        "with that chance, some user may be shown.",
        `Use at most ${(1 / (10 * users)).toPrecision(1)}.`,
      ].join(" "),
    )
  }
  if (Object.values(tables).every(({ rows }) => rows === 0)) {
    warnings.push(
      "No count reaches its threshold: the tables are empty. queryveil plan counts shows what would survive.",
    )
  }
  return warnings
}
