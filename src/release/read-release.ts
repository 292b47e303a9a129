import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { ColumnTable } from "../kernels/table.ts"
import { emptyLog } from "../log/assemble-log.ts"
import { fingerprintFile, type LineBlock } from "../log/blocks.ts"
import type { LinePlan } from "../log/formats/parsed-block.ts"
import { type LineSource, parseSources } from "../log/parse-sources.ts"
import type { PlannedBlock } from "../log/read-source.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { TablesGuarantee } from "../methods/guarantee.ts"
import type { Draft, RowsDraft, TablesDraft } from "./anonymize.ts"
import { hasHiddenData } from "./closed-files.ts"
import { releaseColumns } from "./column-policy.ts"
import { dataBlocks, headerLines } from "./data-blocks.ts"
import {
  isRowsManifest,
  isTablesManifest,
  type Manifest,
  manifestProblem,
  type RowsManifest,
  releaseVersion,
  type TablesManifest,
} from "./manifest.ts"
import { parseTable, readTable } from "./read-tables.ts"
import { manifestFile } from "./write-release.ts"
import { encodeColumns } from "./writers/encode-columns.ts"
import { encodeRows } from "./writers/encode-rows.ts"
import { columnsOf } from "./writers/write-table.ts"

/** A release to examine: on disk, or a draft in memory. Code that examines one says whether it needs rows or tables. */
export type Release = RowsRelease | TablesRelease

/** A release of rows of searches. */
export interface RowsRelease extends ReleaseFiles {
  kind: "rows"
  manifest: RowsManifest
  /** The released rows, exactly as a reader of the files gets them. Read on first use. */
  log(context?: RunContext): Promise<SearchLog>
}

/** A release of tables: of counts, or of profiles. */
export interface TablesRelease<G extends TablesGuarantee = TablesGuarantee> extends ReleaseFiles {
  kind: "tables"
  manifest: TablesManifest<G>
  /**
   * The released tables, by file name without extension, exactly as a reader of the files gets them. Read on first use.
   */
  tables(context?: RunContext): Promise<Record<string, ColumnTable>>
}

interface ReleaseFiles {
  /** Undefined for a draft. */
  folder: string | undefined
  /** Names of everything in the folder except the manifest. */
  files(): Promise<string[]>
  /** SHA-256 of a file as it is now; undefined if it does not exist. */
  fingerprint(path: string): Promise<string | undefined>
  /** True if a file contains something that a reader of these columns does not see. */
  hasHiddenData(path: string, columns: readonly string[]): Promise<boolean>
}

/**
 * Opens a release folder: reads the manifest now, and the rows or tables on first use. Throws if `release.json` is
 * missing or invalid.
 */
export async function readRelease(folder: string): Promise<Release> {
  const manifest = await readManifest(folder)
  const files: ReleaseFiles = {
    folder,
    files: async () => (await readdir(folder)).filter((name) => name !== manifestFile),
    fingerprint: async (path) => {
      try {
        return await fingerprintFile({ path: join(folder, path) })
      } catch {
        return undefined
      }
    },
    hasHiddenData: (path, columns) => hasHiddenData(join(folder, path), columns),
  }
  if (isTablesManifest(manifest)) {
    const tables = once(async (context) => {
      const read: Record<string, ColumnTable> = {}
      const isEscaped = manifest.formulas === "escaped"
      for (const { path, columns } of manifest.files) {
        read[path.slice(0, path.indexOf("."))] = await readTable(join(folder, path), { columns, isEscaped }, context)
      }
      return read
    })
    return { kind: "tables", manifest, ...files, tables }
  }
  return { kind: "rows", manifest, ...files, log: once((context) => readRows(folder, manifest, context)) }
}

/** Opens a draft as a reader would see it. Its content is written to memory and read back. */
export function openDraft(draft: RowsDraft): RowsRelease
export function openDraft<G extends TablesGuarantee>(draft: TablesDraft<G>): TablesRelease<G>
export function openDraft(draft: Draft): Release
export function openDraft(draft: Draft): Release {
  const files: ReleaseFiles = {
    folder: undefined,
    files: async () => [],
    fingerprint: async () => undefined,
    hasHiddenData: async () => false,
  }
  if (draft.kind === "tables") {
    const tables = once(async (context) => {
      const read: Record<string, ColumnTable> = {}
      for (const [name, table] of Object.entries(draft.tables)) {
        const blocks = draftBlocks(encodeColumns(table, "tsv", context))
        read[name] = await parseTable(blocks, { path: name, columns: columnsOf(table), skip: 1 }, context)
      }
      return read
    })
    return { kind: "tables", manifest: { ...draft.manifest, files: [] }, ...files, tables }
  }
  const manifest: RowsManifest = { ...draft.manifest, files: [] }
  const source = (context: RunContext): LineSource => ({
    path: "draft",
    blocks: () => planned(draftBlocks(encodeRows(draft.rows, "tsv", context)), planOf(manifest)),
  })
  return { kind: "rows", manifest, ...files, log: once((context) => parse([source(context)], manifest, context)) }
}

/** Reads on first use and keeps the result. */
function once<T>(read: (context: RunContext) => Promise<T>): (context?: RunContext) => Promise<T> {
  let held: Promise<T> | undefined
  return (context = createContext()) => {
    held ??= read(context)
    return held
  }
}

/** Blocks that share one plan. The first contains the header. */
async function* planned(blocks: AsyncIterable<LineBlock>, plan: LinePlan): AsyncGenerator<PlannedBlock> {
  let skipLines = plan.headerLines
  for await (const block of blocks) {
    yield { ...block, plan, skipLines }
    skipLines = 0
  }
}

async function* draftBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(chunk.length + 1)
    bytes.set(chunk)
    yield { bytes, length: chunk.length }
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile)
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (cause) {
    const code = systemCode(cause)
    const missing = code === "ENOENT" || code === "ENOTDIR"
    throw new QueryveilError(
      "release-missing",
      missing
        ? `${folder}: is not a release (it has no ${manifestFile}). Give the folder that anonymize wrote.`
        : `${path}: cannot be read (${code}).`,
      { file: path, cause },
    )
  }
  const value = parseJson(text)
  // If a key occurs twice, only its last value is parsed, and the first would go unnoticed.
  if (withoutSpace(JSON.stringify(value) ?? "") !== withoutSpace(text))
    throw broken(path, "it has more than its reader sees, such as a key twice")
  if ((isRowsManifest(value) || isTablesManifest(value)) && value.queryveil === releaseVersion) return value
  const problem = manifestProblem(value) ?? "was written by another version of queryveil"
  throw broken(path, problem)
}

const withoutSpace = (text: string) => text.replace(/\s/g, "")

const broken = (path: string, problem: string) =>
  new QueryveilError("release-broken", `${path}: is not a manifest that can be trusted: ${problem}.`, { file: path })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readRows(folder: string, manifest: RowsManifest, context: RunContext): Promise<SearchLog> {
  return parse(
    manifest.files.map((file) => fileSource(join(folder, file.path), manifest)),
    manifest,
    context,
  )
}

async function parse(sources: LineSource[], { guarantee }: RowsManifest, context: RunContext): Promise<SearchLog> {
  const unit = guarantee.counted
  try {
    const { log } = await parseSources(sources, { format: "release", strict: true, unit }, context)
    return log
  } catch (cause) {
    if (!(cause instanceof QueryveilError) || cause.code === "interrupted") throw cause
    if (cause.code === "input-empty") return emptyLog()
    throw new QueryveilError("release-broken", `The release cannot be read: ${cause.message}`, {
      ...cause.fields,
      cause,
    })
  }
}

/** Maps the columns of the manifest, in file order, to positions. */
function planOf(manifest: RowsManifest): LinePlan {
  const position = (column: keyof typeof releaseColumns) => manifest.columns.indexOf(releaseColumns[column])
  return {
    format: "release",
    delimiter: 9,
    columns: {
      user: position("user"),
      query: position("query"),
      time: position("time"),
      rank: position("rank"),
      url: position("url"),
      category: position("category"),
    },
    minFields: manifest.columns.length,
    maxFields: manifest.columns.length,
    headerLines: 1,
    verbatim: true,
  }
}

function fileSource(path: string, manifest: RowsManifest): LineSource {
  const plan = { ...planOf(manifest), headerLines: headerLines(path) }
  const isEscaped = manifest.formulas === "escaped" ? () => true : undefined // times and ranks begin with a digit
  const file = { path, columns: manifest.columns, isEscaped, cell }
  return { path, blocks: (count) => planned(dataBlocks(file, count), plan) }
}

/** Parquet has typed columns; the other formats have text. */
const cell = (name: string) =>
  name === releaseColumns.time ? `strftime(${name}, '%Y-%m-%d %H:%M:%S')` : `${name}::VARCHAR`
