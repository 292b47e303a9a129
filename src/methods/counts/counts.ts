import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { promiseDp } from "../dp-guarantee.ts"
import type { Method } from "../method.ts"
import { type CountsTables, countApproximately } from "./approximate.ts"
import { formatFraction } from "./fractions.ts"
import { type CountsOptions, countsOptions, type TableName } from "./options.ts"
import { countAsPublished } from "./paper.ts"
import { type CountsParts, shippedParts } from "./parts.ts"
import { describeMechanism, type Plan, planApproximate, planPaper, planPure } from "./plan-mechanisms.ts"
import { openPool, openUrls, type Pool } from "./pool.ts"
import { previewCounts } from "./preview.ts"
import { countPublicKeys, publicThreshold } from "./pure.ts"

/**
 * Noisy counts of queries, clicks and transitions. Zhang, Yang & Singh 2016, with bounds and thresholds that make the
 * claim true; docs/methods/counts.md has the proof.
 *
 * Guarantee: the unit is the user (all rows of one user id). Whatever else an adversary knows, whatever set of outputs he
 * looks for, Pr[release of the log] ≤ e^ε · Pr[release of the log without that user] + δ, and the other way round, under
 * approximate and pure mode (δ = 0). Under `--mode paper` nothing is proved, and the guarantee says so.
 */
export const counts = countsWith(shippedParts)

/** The method made of these parts; the shipped ones, but for tests of what audits the method. */
export function countsWith(parts: CountsParts): Method<typeof countsOptions> {
  return {
    name: "counts",
    summary: "noisy counts of queries, clicks and transitions under differential privacy",
    options: countsOptions,
    releases: "tables",
    paper: { mode: "paper", scrub: "none", noiseScale: "10", cutoff: 500 },
    check: checkOptions,
    async run(log, options, context) {
      const { plan, pool, ...made } = await runMode(log, options, parts, context)
      return {
        kind: "tables",
        tables: made.tables,
        guarantee: promiseDp({
          unit: log.unit,
          mode: options.mode,
          epsilon: formatFraction(plan.epsilon),
          delta: formatFraction(plan.delta),
          pool: pool.name,
          mechanisms: plan.mechanisms.map((mechanism) => describeMechanism(mechanism, log.unit)),
          parametersChosenOnData: options.chosenOnData,
        }),
        withheld: made.withheld,
        audit: {},
        warnings: warn(log, plan, made),
      }
    },
    preview: async (log, options, context) => {
      if (options.mode !== "approximate")
        throw new QueryveilError("usage", "Only --mode approximate has thresholds to plan.", { flag: "--mode" })
      if (options.pool !== undefined)
        throw new QueryveilError("usage", "Public keys need no threshold to plan. Leave --pool out.", {
          flag: "--pool",
        })
      return previewCounts(log, options, context)
    },
  }
}

async function runMode(
  log: SearchLog,
  options: CountsOptions,
  parts: CountsParts,
  context: RunContext,
): Promise<CountsTables & { plan: Plan; pool: Pool }> {
  const { scrub = "default" } = options
  if (options.mode === "pure") {
    const [pool, urls] = [await openPool(options.pool ?? "wordnet", scrub, context), openUrls(options.poolUrls)]
    const tables: TableName[] = ["queries", ...(urls.texts.size > 0 ? (["clicks"] as const) : []), "transitions"]
    const plan = planPure(options, {
      tables,
      // How many pairs there are is known only when the queries are drawn; their number then is public too, but a
      // threshold that is fixed before is simpler to check: that of the whole pool.
      thresholdOf: (_table, scale) => publicThreshold(scale, options, pool.texts.size),
    })
    await context.beforeNoise?.()
    return { ...(await countPublicKeys({ log, options, plan, parts, pool, urls }, context)), plan, pool }
  }
  const pool = await openPool(options.pool, scrub, context)
  if (options.mode === "paper") {
    const plan = planPaper(options)
    await context.beforeNoise?.()
    return { ...(await countAsPublished({ log, options, plan, parts, pool }, context)), plan, pool }
  }
  const plan = parts.plan(options)
  await context.beforeNoise?.()
  return { ...(await countApproximately({ log, options, plan, parts, pool }, context)), plan, pool }
}

function checkOptions(options: CountsOptions): void {
  refuseStrangers(options)
  if (options.mode === "approximate") planApproximate(options)
  else if (options.mode === "paper") planPaper(options)
  else planPure(options, { tables: ["queries"], thresholdOf: () => 1 })
}

/** Options of another mode would do nothing: they are not to be said. */
function refuseStrangers(options: CountsOptions): void {
  const { mode, noiseScale, cutoff, firstQueries, firstClicks, poolUrls, threshold, epsilon, delta } = options
  const refuse = (given: Record<string, unknown>, belongs: string) => {
    const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
    if (flag !== undefined)
      throw new QueryveilError("usage", `${flag} is for --mode ${belongs}. Leave it out, or change the mode.`, { flag })
  }
  const paper = {
    "--noise-scale": noiseScale,
    "--cutoff": cutoff,
    "--first-queries": firstQueries,
    "--first-clicks": firstClicks,
  }
  if (mode !== "paper") refuse(paper, "paper")
  if (mode !== "pure") refuse({ "--pool-urls": poolUrls, "--threshold": threshold }, "pure")
  if (mode === "paper") refuse({ "--epsilon": epsilon, "--delta": delta }, "approximate or pure")
  if (mode !== "approximate" && options.select === "optimal")
    refuse({ "--select optimal": options.select }, "approximate")
}

function warn(log: SearchLog, plan: Plan, { tables }: CountsTables): string[] {
  const warnings: string[] = []
  const users = Math.max(1, log.users.size)
  if (approximate(plan.delta) === 1) {
    warnings.push(
      "As published, this proves no differential privacy (--mode paper): any person's query may be shown. It must not leave the house.",
    )
  } else if (approximate(plan.delta) > 1 / (10 * users)) {
    warnings.push(
      `δ = ${approximate(plan.delta)} is large for ${users} users: δ allows that some user is shown with that chance. Take at most ${(1 / (10 * users)).toPrecision(1)}.`,
    )
  }
  if (Object.values(tables).every(({ rows }) => rows === 0)) {
    warnings.push(
      "No count reaches its threshold: the tables are empty. queryveil plan counts shows what would survive.",
    )
  }
  return warnings
}
