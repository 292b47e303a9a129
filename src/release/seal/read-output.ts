import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { QueryveilError } from "../../kernels/error.ts"

/** A line that a stream released, as its recipient got it. */
export interface OutputRow {
  /** The number of the release, in order of release, from 0. */
  seq: number
  user: string | undefined
  query: string
  /** As shown; undefined if no times are shown. */
  time: string | undefined
  rank: string | undefined
  url: string | undefined
  /** Path of the category; undefined if none is shown. */
  category: string | undefined
}

/**
 * The releases in the output of a stream: a file of `stream run --output`, what a subscriber or a socket received, or
 * the folder `output` of a store. Rows that were written again after a crash are returned once. Throws `release-broken`
 * if a line is not a release.
 */
export async function* readOutput(path: string): AsyncGenerator<OutputRow> {
  let next = 0
  let columns: string[] | undefined
  for await (const { text, file, line } of readLines(path)) {
    const isJson = text.startsWith("{")
    if (columns === undefined && !isJson) {
      columns = text.split("\t")
      if (!columns.includes("Query")) throw broken(file, line)
      continue
    }
    const row = isJson ? rowOfJson(text) : rowOfCells(text.split("\t"), columns ?? [])
    if (row === undefined) throw broken(file, line)
    const seq = row.seq ?? next
    if (seq < next) continue
    if (seq > next && next > 0) {
      const missing = `${file}, line ${line}: releases ${next} to ${seq - 1} are missing.`
      throw new QueryveilError("release-broken", missing, { file, line })
    }
    next = seq + 1
    yield { ...row, seq }
  }
}

/** The lines of all files that are not empty. They are numbered through, over all files. */
async function* readLines(path: string): AsyncGenerator<{ text: string; file: string; line: number }> {
  let line = 0
  for (const file of await filesOf(path)) {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      line++
      if (text !== "") yield { text, file, line }
    }
  }
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause) => {
    throw new QueryveilError("input-missing", `${path}: there is no such file.`, { file: path, cause })
  })
  if (!found.isDirectory()) return [path]
  return (await readdir(path))
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => join(path, name))
}

type ReadRow = Omit<OutputRow, "seq"> & { seq: number | undefined }

function rowOfCells(cells: readonly string[], columns: readonly string[]): ReadRow | undefined {
  if (cells.length !== columns.length) return undefined
  const cell = (name: string) => (columns.includes(name) ? cells[columns.indexOf(name)] : undefined)
  const seq = cell("Seq")
  return {
    seq: seq === undefined ? undefined : Number(seq),
    user: cell("AnonID"),
    query: cell("Query") ?? "",
    time: cell("QueryTime"),
    rank: cell("ItemRank") || undefined,
    url: cell("ClickURL") || undefined,
    category: cell("Category"),
  }
}

function rowOfJson(text: string): ReadRow | undefined {
  try {
    const { seq, user, query, time, rank, url, category } = JSON.parse(text)
    if (typeof query !== "string" || typeof seq !== "number") return undefined
    const textOf = (value: unknown) => (value === undefined || value === null ? undefined : String(value))
    const row = {
      user: textOf(user),
      time: textOf(time),
      rank: textOf(rank),
      url: textOf(url),
      category: textOf(category),
    }
    return { ...row, seq, query }
  } catch {
    return undefined
  }
}

const broken = (file: string, line: number) =>
  new QueryveilError("release-broken", `${file}, line ${line}: is not a release of a stream.`, { file, line })
