import { tableOf } from "../kernels/table.ts"
import type { Inspection } from "../log/inspect-log.ts"
import type { Unit } from "../log/search-log.ts"
import type { Part } from "../log/statistics.ts"
import { strongestSentence } from "../study/inspect/strongest-sentence.ts"
import { bar, percent } from "./bars.ts"
import { textTable } from "./print.ts"

const barWidth = 8
const ngramNames = ["unigrams", "bigrams", "trigrams"]
const count = (value: number) => value.toLocaleString("en")

/**
 * An inspection for a terminal of 80 columns: the columns that were read, then the strongest sentence, then the
 * numbers.
 */
export function inspectionText(inspection: Inspection & { unit: Unit }, readings: readonly string[]): string {
  const { tokens } = inspection
  const split = tokens === "segmenter" ? " (scripts without spaces are split by the segmenter)" : ""
  const sections = [
    ["Private: this describes the log.", ...readings].join("\n"),
    strongestSentence(inspection, inspection.unit),
    sizeText(inspection),
    `Words in a query${split}\n${lengthsTable(inspection)}`,
    ngramsText(inspection),
    exposureText(inspection),
    identifiersText(inspection),
  ]
  return sections.join("\n\n")
}

function sizeText({ size, time }: Inspection): string {
  const table = tableOf(
    ["", ""],
    [
      ["rows", size.rows],
      ["events", size.events],
      ["users", size.users],
      ["distinct queries", size.queries],
      ["distinct urls", size.urls],
    ],
  )
  const utc = (text: string) => text.replace("T", " ").replace("Z", "")
  const span =
    time === null ? "no time" : `from ${utc(time.first)} to ${utc(time.last)} UTC: ${time.days.toFixed(1)} days`
  return `${textTable(table).trimStart()}\n${span}`
}

function partsTable(name: string, rows: readonly (Part & { name: string })[]): string {
  const columns = [name, "distinct queries", "   share", "", "events", "   share", ""]
  return textTable(
    tableOf(
      columns,
      rows.map((row) => [
        row.name,
        row.queries,
        percent(row.queryShare),
        bar(row.queryShare, barWidth).padEnd(barWidth),
        row.events,
        percent(row.eventShare),
        bar(row.eventShare, barWidth),
      ]),
    ),
  )
}

function lengthsTable({ lengths }: Inspection): string {
  return partsTable(
    "words",
    lengths.map((part) => ({ ...part, name: `${part.words}${part.orMore ? "+" : ""}` })),
  )
}

function ngramsText({ ngrams }: Inspection): string {
  const table = tableOf(
    ["", "unique", "occurrences", "frequent", "occurrences", "   share", ""],
    ngrams.lengths.map(({ n, unique, total, frequent }) => {
      const share = total === 0 ? 0 : frequent.total / total
      const name = ngramNames[n - 1] ?? `${n} words`
      return [name, unique, total, frequent.unique, frequent.total, percent(share), bar(share, barWidth)]
    }),
  )
  const frequent = `at least ${countUsers(ngrams.leastUsers)}, and not only function words`
  return `Sequences of words (frequent: ${frequent})\n${textTable(table)}`
}

const countUsers = (users: number) => `${count(users)} ${users === 1 ? "user" : "users"}`

function exposureText({ exposure, size }: Inspection): string {
  if (exposure === null) return "Users of a query: not known, because the log has no users"
  const table = partsTable(
    "users",
    exposure.queries.map((part) => ({ ...part, name: `under ${part.fewerThan}` })),
  )
  const { users, share } = exposure.usersWithUniqueQuery
  const unique = `${count(users)} of ${countUsers(size.users)} (${percent(share).trim()})`
  return `Users of a query\n${table}\n${unique} issued a query that nobody else did`
}

/**
 * Bars are relative to the most frequent kind. Identifiers are rare, and relative to all rows no bar would be visible.
 */
function identifiersText({ identifiers, size }: Inspection): string {
  const most = Math.max(...identifiers.filter(({ kind }) => !kind.startsWith("any")).map(({ rows }) => rows))
  const table = tableOf(
    ["kind", "distinct queries", "events", "rows", "   share", ""],
    identifiers.map(({ kind, queries, events, rows }) => {
      const isSum = kind.startsWith("any")
      const share = size.rows === 0 ? 0 : rows / size.rows
      return [kind, queries, events, rows, percent(share), isSum || most === 0 ? "" : bar(rows / most, barWidth)]
    }),
  )
  return `Direct identifiers in queries (found by rules: some are missed, some are wrong)\n${textTable(table)}`
}
