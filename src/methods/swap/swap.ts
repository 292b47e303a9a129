import { dictionaryOf } from "../../kernels/dictionary.ts"
import { countDistinctUsers } from "../../kernels/distinct-users.ts"
import type { RandomSource } from "../../kernels/random.ts"
import type { Table } from "../../kernels/table.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { selectRows } from "../../log/filter-log.ts"
import { numberEvents, type SearchLog, sharedInt32 } from "../../log/search-log.ts"
import { dealingTable, drawSecret, parseSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import { keyedCells } from "../../swapper/keyed-cells.ts"
import { openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { Guarantee } from "../guarantee.ts"
import type { Method } from "../method.ts"
import { lastsForEver, type NameLifetime } from "../name-lifetime.ts"
import { categoriesOf } from "./categories-of.ts"
import { explainSwap } from "./explain.ts"
import { measureGuarantee } from "./measure-guarantee.ts"
import { releasedStream } from "./measure-linkage.ts"
import { checkSwap, settleRepeats, swapColumns, swapOptions } from "./options.ts"
import { type Arrivals, orderArrivals } from "./order-arrivals.ts"
import { shuffleTies } from "./shuffle-ties.ts"
import { type Swapped, swapArrivals } from "./swap-log.ts"

/**
 * Swaps users among searches of one topic, after Pàmies-Estrems et al. 2020. A record is a search with all its clicks.
 * Records arrive in order of time. Strict mode releases cells of k + 1 users, dealt by a uniform derangement under a
 * secret that is drawn for the release, or given. All records of a cell show the time at which it closed. Paper mode is
 * the paper's Algorithm 1.
 *
 * Guarantee (strict mode, times not own, names that do not last for ever): the unit is a search. An attacker who holds
 * the release names the user of a search with a chance of at most 1/k; a member of its cell, with at most
 * `insiderChance(k + 1)`. With one name per cell, this follows from the dealing alone. With names that last a session
 * or a day, it also assumes that every way in which the members could have issued the units is equally likely. The
 * guarantee is not stated if an attacker refutes that assumption. Proof: docs/methods/swap.md. The verifier tests that
 * the dealing was uniform and attacks the release again.
 */
export const swap: Method<typeof swapOptions> = {
  name: "swap",
  summary: "swap users among the searches of a topic (probabilistic k-anonymity)",
  options: swapOptions,
  columns: swapColumns,
  scrub: "all",
  paper: { mode: "paper", scrub: "none", users: "keep", urls: "keep", time: "own", category: true },
  settle: settleRepeats,
  check: checkSwap,
  async run(log, options, context) {
    const { k, mode, repeats } = settleRepeats(options)
    const { taxonomy, topicOf, contradicted } = await openLogTopics(log, options, context)
    const { dealingKey } = options
    const secret = dealingKey === undefined ? drawSecret(context.random) : parseSecret(dealingKey)
    const seeded = context.random.seeded || dealingKey !== undefined
    const arrivals = orderArrivals(log, topicOf, { seeds: positionSeeds(secret) })
    const category = await categoriesOf(arrivals, { ...options, tree: taxonomy }, context)
    const randomOfCell = keyedCells({ secret, pathOf: (node) => taxonomy.path(node), seeded })
    const swapped = await swapArrivals(arrivals, category, { ...options, repeats, randomOfCell }, context)
    const ownTimes = mode === "paper" || options.time === "own"
    const released = swapRows(log, { arrivals, swapped, ownTimes }, context.random)
    const distinctTexts = mode === "strict" && options.cellTexts === "distinct"
    const { guarantee, measured } = await measureGuarantee(
      {
        shown: releasedStream(arrivals, swapped, { category, ownTimes }),
        cell: swapped.sequence.map((record) => swapped.cell[record]),
        queries: log.queries,
        about: { k, counted: log.unit, repeats, mode, users: options.users, distinctTexts, ownTimes },
      },
      context,
    )
    return {
      kind: "log",
      log: options.category ? showCategories(released, { category, taxonomy }) : released.log,
      clickers: released.clickers,
      cell: released.arrival.map((arrival) => swapped.cell[arrival]),
      guarantee,
      seeded,
      measured,
      warnings: [...warnOfNames(guarantee), ...warnContradicted(contradicted)],
      withheld: countWithheld(log, { arrivals, swapped }),
      audit: {
        categories: auditCategories({ arrivals, swapped, category, taxonomy }),
        ...(mode === "strict" && { dealing: dealingTable(secret) }),
      },
      auditRows: (order) => ({ trail: auditTrail(log, { arrivals, swapped, released, order }) }),
    }
  },
  explain: explainSwap,
}

interface SwappedRows {
  log: SearchLog
  /** By row of that log: its arrival. */
  arrival: Int32Array
  /** By url: how many users really clicked it on one of these rows. Users that the rows are shown with do not count. */
  clickers: Uint32Array
}

/** The rows of the released searches, with the users and times under which they are shown. */
function swapRows(
  log: SearchLog,
  { arrivals, swapped, ownTimes }: { arrivals: Arrivals; swapped: Swapped; ownTimes: boolean },
  random: RandomSource,
): SwappedRows {
  const arrivalOf = new Int32Array(log.events).fill(-1)
  for (const arrival of swapped.sequence) arrivalOf[log.event[arrivals.row[arrival]]] = arrival
  let count = 0
  for (let row = 0; row < log.rows; row++) if (arrivalOf[log.event[row]] >= 0) count++
  const rows = new Uint32Array(count)
  for (let row = 0, at = 0; row < log.rows; row++) if (arrivalOf[log.event[row]] >= 0) rows[at++] = row
  const { category: _own, ...columns } = selectRows(log, rows)
  for (let i = 0; i < count; i++) {
    const arrival = arrivalOf[log.event[rows[i]]]
    columns.user[i] = arrivals.user[swapped.as[arrival]]
    if (!ownTimes) columns.time[i] = arrivals.time[swapped.closing[arrival]]
    columns.line[i] = rows[i] // to find the row again after sorting
  }
  const { unit, users, queries, urls } = log
  const sorted = closeLog(columns, { unit, users, queries, urls })
  if (!ownTimes) shuffleTies(sorted, random)
  const arrival = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    arrival[i] = arrivalOf[log.event[sorted.line[i]]]
    sorted.line[i] = log.line[sorted.line[i]]
  }
  const event = numberEvents(sorted) // events are still contiguous: only their order has changed
  return {
    log: { ...sorted, event },
    arrival,
    clickers: countDistinctUsers(log.url, log.user, { size: urls.size, rows }),
  }
}

/** Adds the category of its cell to each released row. Categories that the log itself has are not shown. */
function showCategories(
  { log, arrival }: SwappedRows,
  { category, taxonomy }: { category: Int32Array; taxonomy: Taxonomy },
): SearchLog {
  const nodes = [...new Set(arrival.map((number) => category[number]))]
  const idOf = new Map(nodes.map((node, id) => [node, id]))
  const shown = sharedInt32(log.rows)
  for (let row = 0; row < log.rows; row++) shown[row] = idOf.get(category[arrival[row]]) ?? -1
  return { ...log, category: shown, categories: dictionaryOf(nodes.map((node) => taxonomy.path(node))) }
}

function warnContradicted(queries: number): string[] {
  if (queries === 0) return []
  const some = queries === 1 ? "One query has" : `${queries} queries have`
  return [`${some} several categories in the log. The most frequent of them counts for all searches of the query.`]
}

const cures: Record<string, string> = {
  "compared-cells": " With --repeats never a query leaves with one cell, and there is nothing to compare.",
  "outdated-texts": " With a smaller --backlog nothing leaves long after its day.",
}

/** Warns the owner that nothing is promised, and why, before anything is written. */
export function warnOfNames(guarantee: Guarantee): string[] {
  if (guarantee.model !== "swap" || guarantee.promised || guarantee.names === undefined) return []
  const { names, measured, statement } = guarantee
  const cure = lastsForEver(names) || measured.over === true ? (cures[measured.attacker] ?? shorter(names)) : ""
  return [`${statement}${cure}`]
}

const shorter = (names: NameLifetime) =>
  names === "cell" ? "" : " With --users cell a name is used once, and nothing joins one search to another."

function countWithheld(
  log: SearchLog,
  { arrivals, swapped }: { arrivals: Arrivals; swapped: Swapped },
): Record<string, number> {
  return withheldSearches({ ...swapped.withheld, withoutTopic: log.events - arrivals.row.length })
}

/** How many searches do not leave, by reason, in words. */
export function withheldSearches(counts: Swapped["withheld"] & { withoutTopic: number }): Record<string, number> {
  const { withoutTopic, overBacklog, sameText, repeated, rareText, waiting } = counts
  const reasons = {
    "searches without a topic": withoutTopic,
    "searches over the backlog of their user": overBacklog,
    "searches whose text another user of the cell has": sameText,
    "searches that repeat a released one": repeated,
    "searches of queries of too few users": rareText,
    "searches that waited when the log ended": waiting,
  }
  return Object.fromEntries(Object.entries(reasons).filter(([, count]) => count > 0))
}

/** Columns of the side table `categories`. */
export const categoryColumns = ["category", "searches", "released", "mean wait in seconds"] as const

/** For every category: how many searches arrived and left, and how long those that left waited on average. */
function auditCategories(subject: {
  arrivals: Arrivals
  swapped: Swapped
  category: Int32Array
  taxonomy: Taxonomy
}): Table {
  const { arrivals, swapped, category, taxonomy } = subject
  const [came, left, waited] = [0, 1, 2].map(() => new Float64Array(taxonomy.size))
  for (let i = 0; i < category.length; i++) {
    came[category[i]]++
    if (swapped.as[i] < 0) continue
    left[category[i]]++
    waited[category[i]] += arrivals.time[swapped.closing[i]] - arrivals.time[i]
  }
  const nodes = Uint32Array.from(came.keys()).filter((node) => came[node] > 0)
  return {
    columns: categoryColumns,
    rows: nodes.length,
    cell: (row, column) => {
      const node = nodes[row]
      const mean = left[node] === 0 ? "" : Math.round(waited[node] / left[node])
      return [taxonomy.path(node), came[node], left[node], mean][column]
    },
  }
}

/**
 * By row of the release: the line of the log that its query came from, a line of the user it is shown with, its cell,
 * and how many users waited in the category before the cell closed.
 */
function auditTrail(
  log: SearchLog,
  subject: { arrivals: Arrivals; swapped: Swapped; released: SwappedRows; order: Uint32Array },
): Table {
  const { arrivals, swapped, released, order } = subject
  return {
    columns: ["row", "query_row", "user_row", "cell", "users"],
    rows: order.length,
    cell: (row, column) => {
      const arrival = released.arrival[order[row]]
      if (column === 0) return row + 1
      if (column === 1) return released.log.line[order[row]]
      if (column === 2) return log.line[arrivals.row[swapped.as[arrival]]]
      return column === 3 ? swapped.cell[arrival] : swapped.users[arrival]
    },
  }
}
