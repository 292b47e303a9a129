import { Value } from "#typebox"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { type Table, tableOf } from "../../../kernels/table.ts"
import { checkSwap, depthOf, type SwapOptions, settleRepeats, swapOptions } from "../../../methods/swap/options.ts"
import { categoryColumns, warnOfNames, withheldSearches } from "../../../methods/swap/swap.ts"
import type { OptionValues } from "../../../release/anonymize.ts"
import { cutTopics, findTopics } from "../../../swapper/categories.ts"
import { type DealingSecret, dealingTable, drawSecret, parseSecret } from "../../../swapper/dealing-secret.ts"
import { builtIn, openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import type { RowPlan } from "./row-plan.ts"
import { attackSample } from "./swap-gate.ts"

/**
 * Swapped users on a cluster. Topics are found by a kernel over distinct queries, and cut into categories at this
 * machine. Another kernel gets the searches of a category in the order of their times, and deals its cells under the
 * key of this run: the cells that one machine would make with that key. The promise is made here, after the attackers
 * ran on a sample of the released searches.
 */
export const swapPlan: RowPlan = {
  refuse: refuseSwap,
  async decide(log, { parameters }, context) {
    const options = settleRepeats(optionsOf(parameters))
    const { session } = log
    await refuseOwnTopics(log, context)
    const secret = options.dealingKey === undefined ? drawSecret(context.random) : parseSecret(options.dealingKey)
    const topics = await findQueryTopics(log, options, context)
    const cells = await dealCells(log, { topics, secret, options }, context)
    await session.dropTable(topics)
    const { totals, audit, largest } = await readTotals(session, cells, context)
    const { guarantee, measured } = await attackSample(log, { cells: answersOf(cells), totals, options }, context)
    const [events = 0] = await readNumbers(session, `SELECT coalesce(sum(events), 0) FROM ${log.queries} WHERE s = 0`, {
      stage: "counting",
      signal: context.signal,
    })
    return {
      guarantee,
      measured: { ...measured, ...largest },
      withheld: withheldSearches({ ...totals, withoutTopic: events - totals.searches }),
      audit: { categories: audit, dealing: dealingTable(secret) },
      warnings: warnOfNames(guarantee),
      seeded: options.dealingKey !== undefined,
      swapped: rowsOf(cells, options),
    }
  },
}

/** Why searches cannot be swapped on a cluster with these options; undefined if they can. */
function refuseSwap({ mode, depth, taxonomy, classifier }: OptionValues): string | undefined {
  if (mode !== "strict") return `--mode ${mode} is for one machine only`
  if (depth === "auto") return "--depth auto swaps the whole log again for every topic. Choose a depth"
  if (taxonomy !== builtIn) return "--taxonomy names a file, which the workers do not have"
  return classifier === undefined ? undefined : "--classifier names a place that the workers do not have"
}

/** The options of the method. They were checked before. */
function optionsOf(parameters: OptionValues): SwapOptions {
  const options: unknown = parameters
  if (!Value.Check(swapOptions, options)) throw new QueryveilError("internal", "Options were not checked.")
  checkSwap(options)
  return options
}

async function refuseOwnTopics({ session, rows }: ScrubbedLog, { signal }: RunContext): Promise<void> {
  const [own = 0] = await readNumbers(session, `SELECT count(g) FROM ${rows}`, { stage: "counting", signal })
  if (own === 0) return
  throw new QueryveilError(
    "remote-refused",
    "swap: the log has topics of its own, and a cluster does not use them. Leave them out: --columns category=none.",
  )
}

const placesView = "queryveil_topic_categories"
const secretView = "queryveil_dealing_key"
const basesView = "queryveil_cell_numbers"

/** A table of the queries with a topic: `q`, and the number of the topic (`c`). Makes the view of categories too. */
async function findQueryTopics(
  { session, queries }: ScrubbedLog,
  options: SwapOptions,
  context: RunContext,
): Promise<string> {
  const taxonomy = await openTaxonomy(builtIn, {}, context)
  const sensitive = findTopics(taxonomy, options.sensitiveCategories ?? "")
  const category = cutTopics(taxonomy, { depth: depthOf(options) ?? 255, sensitive })
  // Which topics are sensitive is private: it goes to the cluster as values.
  await session.createView(placesView, {
    c: { type: "int", values: Int32Array.from(category.keys()) },
    path: { type: "string", values: Array.from(category, (topic) => taxonomy.path(topic)) },
  })
  const found = `FROM ${queries} WHERE s = 0`
  return kernelTable(session, {
    kernel: "topics",
    input: `SELECT q ${found}`,
    expected: `SELECT count(*) ${found}`,
    columns: "q STRING, c INT",
    needed: ["c"],
    ...{ stage: "classifying", signal: context.signal },
  })
}

const totalNames = [
  ...["searches", "released", "cells", "waited", "overBacklog", "sameText"],
  ...["repeated", "rareText", "waiting", "mostWaiting", "milliseconds"],
] as const

/** A table of the searches that leave, and of the totals of each category. */
async function dealCells(
  { session, rows, queries }: ScrubbedLog,
  { topics, secret, options }: { topics: string; secret: DealingSecret; options: ReturnType<typeof settleRepeats> },
  { signal }: RunContext,
): Promise<string> {
  await session.createView(secretView, { k: { type: "string", values: [Buffer.from(secret.key).toString("hex")] } })
  const clicks = "sort_array(collect_list(struct(coalesce(r, 65535) AS r, l, i)))"
  const searches = `SELECT u, q, t, ${clicks} AS p FROM ${rows} GROUP BY u, q, t`
  const placed = `SELECT q, path FROM ${answersIn(topics)} JOIN ${placesView} USING (c)`
  const { k, backlog, minQueryUsers, repeats, cellTexts } = options
  const input = [
    "SELECT path AS c, t, u, q, p, k",
    `FROM (${searches}) JOIN (${placed}) USING (q) CROSS JOIN ${secretView}`,
    "DISTRIBUTE BY c SORT BY c, t, u, q",
  ].join(" ")
  return kernelTable(session, {
    kernel: "cells",
    options: { k, backlog, minQueryUsers, repeats, cellTexts, version: secret.version },
    input,
    expected: `SELECT coalesce(sum(events), 0) FROM ${queries} JOIN ${answersIn(topics)} USING (q)`,
    columns: [
      ...["c STRING", "u STRING", "q STRING", "t BIGINT", "p ARRAY<STRUCT<r: INT, l: STRING, i: BIGINT>>"],
      ...["v STRING", "z BIGINT", "n BIGINT", "o BIGINT", "w BIGINT"],
      `totals STRUCT<${totalNames.map((name) => `${name}: BIGINT`).join(", ")}>`,
    ].join(", "),
    needed: ["v", "totals"],
    ...{ stage: "swapping", signal },
  })
}

/** A query in brackets of the searches that leave. */
const answersOf = (cells: string) => `(SELECT * FROM ${cells} WHERE v IS NOT NULL)`

/** What happened in all categories together. */
export type SwapTotals = Record<(typeof totalNames)[number], number>

/** Adds up the totals, and gives each category the number of its first cell. */
async function readTotals(
  session: SparkSession,
  cells: string,
  { signal }: RunContext,
): Promise<{ totals: SwapTotals; audit: Table; largest: Record<string, number> }> {
  const totals = Object.fromEntries(totalNames.map((name) => [name, 0])) as SwapTotals
  let largest = { ...totals }
  const [paths, bases]: [string[], number[]] = [[], []]
  const audit: (string | number)[][] = []
  const wanted = totalNames.map((name) => `totals.${name}`).join(", ")
  const sql = `SELECT c, ${wanted} FROM ${cells} WHERE totals IS NOT NULL ORDER BY c`
  for await (const [path, ...counts] of readRows(session, sql, { stage: "counting", signal })) {
    paths.push(String(path))
    bases.push(totals.cells)
    const own = Object.fromEntries(totalNames.map((name, at) => [name, Number(counts[at])])) as SwapTotals
    if (own.searches > largest.searches) largest = { ...own }
    for (const name of totalNames) totals[name] += own[name]
    const { searches, released, waited } = own
    audit.push([String(path), searches, released, released === 0 ? "" : Math.round(waited / released)])
  }
  await session.createView(basesView, {
    c: { type: "string", values: paths },
    base: { type: "bigint", values: bases },
  })
  return {
    totals,
    audit: tableOf(categoryColumns, audit),
    largest: {
      "searches of the largest category": largest.searches,
      "most of them that waited at once": largest.mostWaiting,
      "seconds for the largest category": largest.milliseconds / 1000,
    },
  }
}

/**
 * The rows of the searches that leave, under the users and at the times that are shown. Rows of one name and time are
 * ordered by a hash under the key, because their order in the log would reveal who made them.
 */
function rowsOf(cells: string, { time }: SwapOptions): string {
  const searches = `SELECT c, u, q, v, n, ${time === "own" ? "t" : "z"} AS t, explode(p) AS p FROM ${answersOf(cells)}`
  return [
    "SELECT v AS u, u AS clicker, q, t, nullif(p.r, 65535) AS r, p.l AS l, c, base + n AS cell,",
    "xxhash64(k, p.i) AS i, xxhash64(k, q) AS f",
    `FROM (${searches}) JOIN ${basesView} USING (c) CROSS JOIN ${secretView}`,
  ].join(" ")
}
