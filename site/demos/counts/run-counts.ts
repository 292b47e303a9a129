import type { RunContext } from "../../../src/kernels/context.ts"
import { dictionaryOf } from "../../../src/kernels/dictionary.ts"
import { countDistinctUsers } from "../../../src/kernels/distinct-users.ts"
import { approximate } from "../../../src/kernels/noise/rational.ts"
import { type ColumnTable, tableOfColumns } from "../../../src/kernels/table.ts"
import type { SearchLog } from "../../../src/log/search-log.ts"
import { countApproximately } from "../../../src/methods/counts/approximate.ts"
import type { CountsOptions } from "../../../src/methods/counts/options.ts"
import { type CountsParts, shippedParts } from "../../../src/methods/counts/parts.ts"

/** The limits of a release of counts. ε and δ are decimal texts, and stay exact. */
export interface CountsLimits {
  epsilon: string
  delta: string
  maxQueries: number
}

/** A query of the log. Only the noisy count of a shown query is published. */
export interface CountedQuery {
  query: string
  /** Users who searched for it. */
  users: number
  /** The same, after each user was bounded to so many queries. */
  bounded: number
  /** The count with noise; undefined if too few users have the query, so that no noise is drawn. */
  noisy?: number
  isShown: boolean
}

/** The table that `queryveil anonymize counts` would release, and what it was made of (private). */
export interface CountsRun {
  /** The most users first. */
  queries: CountedQuery[]
  /** The least noisy count that is shown. */
  threshold: number
  tau: number
  /** The scale of the noise. */
  scale: number
  minUsers: number
  /** What is released: query and noisy count, in the order of the queries. */
  table: { query: string; count: number }[]
}

/** The defaults of `queryveil anonymize counts`, with the table of queries alone. */
export function countsOptionsOf({ epsilon, delta, maxQueries }: CountsLimits): CountsOptions {
  return {
    epsilon,
    delta,
    maxQueries,
    mode: "approximate",
    split: "1,0,0",
    maxClicks: 10,
    maxTransitions: 10,
    maxPerKey: 1,
    bound: "first",
    sessionGap: 30,
    repeats: "drop",
    minUsers: 5,
    select: "laplace",
    poolMinFrequency: 1,
    poolFrequencies: "ignore",
    chosenOnData: false,
  }
}

/**
 * Runs the method with the parts that a release uses. They are watched, so that the page can show what a release never
 * shows: counts without noise, and noisy counts under the threshold.
 */
export async function runCounts(log: SearchLog, limits: CountsLimits, context: RunContext): Promise<CountsRun> {
  const options = countsOptionsOf(limits)
  const drawn: number[] = []
  let bounded = new Uint32Array(0)
  const parts: CountsParts = {
    ...shippedParts,
    createNoise: (mechanism, random) => {
      const noise = shippedParts.createNoise(mechanism, random)
      return {
        draw: () => {
          const value = noise.draw()
          drawn.push(value)
          return value
        },
      }
    },
    countQueries: async (...given) => {
      const counted = await shippedParts.countQueries(...given)
      bounded = Uint32Array.from(counted.users)
      return counted
    },
  }
  const plan = parts.plan(options)
  const [mechanism] = plan.mechanisms
  if (mechanism?.threshold === undefined || mechanism.tau === undefined) throw new Error("queries have a threshold")
  const pool = { name: "none", texts: dictionaryOf([]) }
  const { tables } = await countApproximately({ log, options, plan, parts, pool }, context)
  const table = readTable(tables.queries)
  const shown = new Set(table.map(({ query }) => query))
  const users = countDistinctUsers(log.query, log.user, { size: log.queries.size })
  let draws = 0
  const queries = Array.from(users, (count, id): CountedQuery => {
    const query = log.queries.text(id)
    const known = { query, users: count, bounded: bounded[id], isShown: shown.has(query) }
    return bounded[id] < mechanism.minUsers ? known : { ...known, noisy: bounded[id] + drawn[draws++] }
  })
  return {
    queries: queries.sort((a, b) => b.users - a.users || (a.query < b.query ? -1 : 1)),
    threshold: mechanism.threshold,
    tau: mechanism.tau,
    scale: approximate(mechanism.scale),
    minUsers: mechanism.minUsers,
    table,
  }
}

function readTable(columns: ColumnTable | undefined): CountsRun["table"] {
  if (columns === undefined) return []
  const { rows, cell } = tableOfColumns(columns)
  return Array.from({ length: rows }, (_, row) => ({ query: String(cell(row, 0)), count: Number(cell(row, 1)) }))
}
