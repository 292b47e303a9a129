import { createContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type Table, tableOfColumns } from "../../kernels/table.ts"
import { type SearchLog, unknownRank } from "../../log/search-log.ts"
import { releaseColumns } from "../../release/column-policy.ts"
import { type RowsRelease, readRelease } from "../../release/read-release.ts"
import type { RowsPage } from "./studio-schema.ts"

/** Rows of one page. */
const pageRows = 50

/** Which page of which file, in which order, and the text that its rows must contain. */
export interface RowsRequest {
  file?: string
  page: number
  sort?: string
  descending?: boolean
  search?: string
}

/** Reads a release once and gives it page by page, as its reader would see it. */
export class RowsViewer {
  readonly #folder: string
  #tables: Promise<Map<string, Table>> | undefined
  #last: { key: string; rows: Uint32Array } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  async page(request: RowsRequest): Promise<RowsPage> {
    this.#tables ??= readTables(this.#folder)
    const tables = await this.#tables
    const table = request.file === undefined ? [...tables.values()][0] : tables.get(request.file)
    if (table === undefined) throw new QueryveilError("unknown-name", "The release has no such file.")
    const rows = this.#order(table, request)
    const first = request.page * pageRows
    const shown = rows.subarray(first, first + pageRows)
    return {
      columns: [...table.columns],
      rows: [...shown].map((row) => table.columns.map((_, column) => String(table.cell(row, column)))),
      matching: rows.length,
      total: table.rows,
    }
  }

  /** The rows that match, in order. The last answer is kept: pages of one search follow each other. */
  #order(table: Table, { file = "", sort, descending = false, search = "" }: RowsRequest): Uint32Array {
    const key = JSON.stringify([file, sort, descending, search])
    if (this.#last?.key === key) return this.#last.rows
    const rows = sorted(table, matching(table, search.trim().toLowerCase()), { sort, descending })
    this.#last = { key, rows }
    return rows
  }
}

function matching(table: Table, text: string): Uint32Array {
  const all = Uint32Array.from({ length: table.rows }, (_, row) => row)
  if (text === "") return all
  return all.filter((row) =>
    table.columns.some((_, column) => String(table.cell(row, column)).toLowerCase().includes(text)),
  )
}

function sorted(
  table: Table,
  rows: Uint32Array,
  { sort, descending }: { sort: string | undefined; descending: boolean },
): Uint32Array {
  const column = sort === undefined ? -1 : table.columns.indexOf(sort)
  if (column < 0) return rows
  const sign = descending ? -1 : 1
  const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1)
  return rows.sort((a, b) => sign * compare(table.cell(a, column), table.cell(b, column)) || a - b)
}

async function readTables(folder: string): Promise<Map<string, Table>> {
  const release = await readRelease(folder)
  const context = createContext()
  if (release.kind === "rows") return new Map([[release.manifest.files[0]?.path ?? "rows", await rowsTable(release)]])
  const tables = await release.tables(context)
  return new Map(
    release.manifest.files.flatMap(({ path }) => {
      const table = tables[path.slice(0, path.indexOf("."))]
      return table === undefined ? [] : [[path, tableOfColumns(table)] as const]
    }),
  )
}

/** The rows of a release with the columns that it shows. */
async function rowsTable(release: RowsRelease): Promise<Table> {
  const log = await release.log(createContext())
  const cells = cellReaders(log)
  const columns = [...release.manifest.columns]
  const readers = columns.map((name) => cells[name] ?? (() => ""))
  // A log in memory is sorted by user. Its reader sees the order of the file.
  const order = Uint32Array.from(log.line, (_, row) => row).sort((a, b) => (log.line[a] ?? 0) - (log.line[b] ?? 0))
  return { columns, rows: log.rows, cell: (row, column) => readers[column]?.(order[row] ?? 0) ?? "" }
}

/** How each column of a release is read, by the name that it has there. */
function cellReaders(log: SearchLog): Record<string, (row: number) => string | number> {
  const textOf = (texts: SearchLog["users"], id: number) => (id < 0 ? "" : texts.text(id))
  const time = (row: number) => new Date((log.time[row] ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ")
  return {
    [releaseColumns.user]: (row) => textOf(log.users, log.user[row] ?? -1),
    [releaseColumns.query]: (row) => textOf(log.queries, log.query[row] ?? -1),
    [releaseColumns.time]: time,
    [releaseColumns.rank]: (row) => (log.rank[row] === unknownRank ? "" : (log.rank[row] ?? "")),
    [releaseColumns.url]: (row) => textOf(log.urls, log.url[row] ?? -1),
    [releaseColumns.category]: (row) =>
      log.categories === undefined ? "" : textOf(log.categories, log.category?.[row] ?? -1),
  }
}
