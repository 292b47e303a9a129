import type { RunContext } from "../../kernels/context.ts"
import { openPool, openUrls } from "./open-pool.ts"
import type { CountsOptions, TableName } from "./options.ts"
import { type Plan, planKorolova, planPaper, planPure } from "./plan-mechanisms.ts"
import type { Pool } from "./pool.ts"
import { publicThreshold } from "./pure.ts"

/** The public lists of a mode. */
export interface PublicLists {
  pool: Pool
  urls: Pool
}

/** Opens the public lists that the options name. Pure mode uses WordNet if they name none. */
export async function openLists(options: CountsOptions, context: RunContext): Promise<PublicLists> {
  const { mode, pool = mode === "pure" ? "wordnet" : undefined } = options
  return {
    pool: await openPool({ ...options, ...(pool === undefined ? {} : { pool }) }, context),
    urls: openUrls(options.poolUrls),
  }
}

/** If no threshold is given: noise alone shows about one click per this many released queries. */
const queriesPerFalseClick = 100

/**
 * The mechanisms of a mode. A public threshold is fixed here, before anything is drawn. The number of pairs is known
 * only after the queries are drawn. So queries and transitions use the threshold for the whole pool, and clicks use the
 * threshold for 100 times the number of urls.
 */
export function planMode(
  options: CountsOptions,
  { pool, urls }: PublicLists,
  planApproximate: (options: CountsOptions) => Plan,
): Plan {
  const { mode } = options
  const withClicks: TableName[] = urls.texts.size > 0 ? ["queries", "clicks"] : ["queries"]
  const thresholdOf = (table: TableName, scale: Plan["epsilon"]) =>
    publicThreshold(scale, options, table === "clicks" ? queriesPerFalseClick * urls.texts.size : pool.texts.size)
  if (mode === "pure") return planPure(options, { tables: [...withClicks, "transitions"], thresholdOf })
  if (mode === "korolova") return planKorolova(options, { tables: withClicks, thresholdOf })
  return mode === "paper" ? planPaper(options) : planApproximate(options)
}
