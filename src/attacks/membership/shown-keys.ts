import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Release } from "../../release/read-release.ts"
import { isKeyTable, type KeyTable, keyName } from "./person-keys.ts"

/** One table of a release, as the keys of the log that it shows. */
export interface ShownKeys {
  table: KeyTable
  /** The shown count of each key, by `keyName`. */
  counts: Map<number, number>
  /** The sum of all counts, each taken as at least 1, because noise may make one negative. */
  total: number
}

/** The tables of a release. For rows, the number of rows with each text, and with each text and url. */
export async function readShownKeys(release: Release, log: SearchLog, context: RunContext): Promise<ShownKeys[]> {
  const shown =
    release.kind === "rows"
      ? countRows(await release.log(context), log)
      : Object.entries(await release.tables(context)).flatMap(([name, table]) =>
          isKeyTable(name) ? [readTable(name, table, log)] : [],
        )
  return shown.filter(({ counts }) => counts.size > 0)
}

function countRows(released: SearchLog, log: SearchLog): ShownKeys[] {
  const [queries, urls] = [idsIn(log.queries, released.queries), idsIn(log.urls, released.urls)]
  const texts: ShownKeys = { table: "queries", counts: new Map(), total: released.rows }
  const clicks: ShownKeys = { table: "clicks", counts: new Map(), total: 0 }
  const add = ({ counts }: ShownKeys, key: number) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (let row = 0; row < released.rows; row++) {
    const query = queries[released.query[row]]
    const url = released.url[row] < 0 ? -1 : urls[released.url[row]]
    if (released.url[row] >= 0) clicks.total++
    if (query < 0) continue
    add(texts, keyName(query, 0))
    if (url >= 0) add(clicks, keyName(query, url))
  }
  return [texts, clicks]
}

function readTable(table: KeyTable, { rows, columns }: ColumnTable, log: SearchLog): ShownKeys {
  const texts = columns.flatMap((column) => ("ids" in column ? [column] : []))
  const values = columns.flatMap((column) => ("values" in column ? [column.values] : []))
  const ids = texts.map(({ texts }, place) => idsIn(place === 1 && table === "clicks" ? log.urls : log.queries, texts))
  const counts = new Map<number, number>()
  let total = 0
  for (let row = 0; row < rows; row++) {
    const [first, second = 0] = texts.map((column, place) => ids[place][column.ids[row]])
    total += Math.max(1, values[0][row])
    if (first >= 0 && second >= 0) counts.set(keyName(first, second), values[0][row])
  }
  return { table, counts, total }
}

/** For each text of a release, its id in the log, or -1. */
function idsIn(dictionary: Dictionary, texts: Dictionary): Int32Array {
  return Int32Array.from({ length: texts.size }, (_, text) => dictionary.findBytes(texts.bytes(text)))
}
