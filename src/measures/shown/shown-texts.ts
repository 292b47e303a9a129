import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ProbeSubject } from "../../probes/probe.ts"
import { releaseColumns } from "../../release/column-policy.ts"
import type { Release } from "../../release/read-release.ts"
import { idsIn } from "./click-edges.ts"
import { hasTable } from "./shown-tables.ts"

/**
 * Texts and how often each is shown, by id: the number of rows that have it, or its count in a table. A noisy count
 * below 0 is taken as 0, and a text that is shown 0 times is treated as absent. The published counts are not changed.
 */
export interface ShownTexts {
  texts: Dictionary
  weights: Float64Array
}

/** True if a release shows urls, else the reason why not. */
export function showsUrls({ release }: ProbeSubject<Release>): true | string {
  if (release.kind === "tables") return hasTable(release, "clicks") || "the release has no table of clicks"
  return release.manifest.columns.includes(releaseColumns.url) || "the release shows no urls"
}

/** The queries that a release shows: those of its rows, or of its table `queries` (query, count). */
export async function shownQueries(release: Release, context: RunContext): Promise<ShownTexts> {
  if (release.kind === "tables") return textsOfTable((await release.tables(context)).queries, { texts: 0, counts: 1 })
  return queriesOfRows(await release.log(context))
}

/** The urls that a release shows: those of its rows with a click, or of its table `clicks` (query, url, count). */
export async function shownUrls(release: Release, context: RunContext): Promise<ShownTexts> {
  if (release.kind === "tables") return textsOfTable((await release.tables(context)).clicks, { texts: 1, counts: 2 })
  return urlsOfRows(await release.log(context))
}

export const queriesOfRows = ({ queries, query }: SearchLog) => countTexts(queries, query)
export const urlsOfRows = ({ urls, url }: SearchLog) => countTexts(urls, url)

function countTexts(texts: Dictionary, column: Int32Array): ShownTexts {
  const weights = new Float64Array(texts.size)
  for (const id of column) if (id >= 0) weights[id]++
  return { texts, weights }
}

/** The texts of a table. The counts of a text in several rows are added up. */
function textsOfTable(table: ColumnTable | undefined, places: { texts: number; counts: number }): ShownTexts {
  const [column, count] = [table?.columns[places.texts], table?.columns[places.counts]]
  if (column === undefined || count === undefined || !("ids" in column) || !("values" in count))
    return { texts: dictionaryOf([]), weights: new Float64Array(0) }
  const weights = new Float64Array(column.texts.size)
  for (let row = 0; row < column.ids.length; row++) weights[column.ids[row]] += Math.max(0, count.values[row])
  return { texts: column.texts, weights }
}

/** How often a release shows each text of the log, by the log's ids. */
export function shownOf({ texts, weights }: ShownTexts, own: Dictionary): Float64Array {
  const shown = new Float64Array(own.size)
  for (let id = 0; id < weights.length; id++) {
    const found = weights[id] > 0 ? own.findBytes(texts.bytes(id)) : -1
    if (found >= 0) shown[found] += weights[id]
  }
  return shown
}

/**
 * Weights as they would be without some users of the log, who are marked with a 1. A text that is shown w times keeps w
 * (n - t) / n, with n rows of the log that have it and t of the marked users. A text that only marked users searched
 * for goes, however often it is shown. A text that the log does not have stays. `removerOf` does the same for edges.
 */
export function textRemoverOf({ texts, weights }: ShownTexts, log: SearchLog): (marked: Uint8Array) => Float64Array {
  const own = idsIn(log.queries, texts)
  const all = queriesOfRows(log).weights
  return (marked) => {
    const theirs = new Float64Array(all.length)
    for (let row = 0; row < log.rows; row++) {
      if (log.user[row] >= 0 && marked[log.user[row]] === 1) theirs[log.query[row]]++
    }
    return weights.map((weight, id) => {
      const query = own[id]
      return query < 0 || all[query] === 0 ? weight : (weight * (all[query] - theirs[query])) / all[query]
    })
  }
}
