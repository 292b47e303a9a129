import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { emptyLog } from "../log/assemble-log.ts"
import { fingerprintFile, type LineBlock, lineBlocks } from "../log/blocks.ts"
import { jsonBlocks } from "../log/formats/json-source.ts"
import type { LinePlan } from "../log/formats/parsed-block.ts"
import { queryBlocks } from "../log/formats/query-source.ts"
import { type LineSource, parseSources } from "../log/parse-sources.ts"
import type { PlannedBlock } from "../log/read-source.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Draft } from "./anonymize.ts"
import { releaseColumns } from "./column-policy.ts"
import { isManifest, type Manifest, manifestProblem, releaseVersion } from "./manifest.ts"
import { manifestFile } from "./write-release.ts"
import { encodeRows } from "./writers/encode-rows.ts"

/** A release to look at: on the disk, or a draft in memory. */
export interface Release {
  manifest: Manifest
  /** Undefined for a draft. */
  folder: string | undefined
  /** The released rows, exactly as a reader of the files has them; read on first use. */
  log(context: RunContext): Promise<SearchLog>
  /** Names of everything in the folder but the manifest. */
  files(): Promise<string[]>
  /** SHA-256 of a file as it is now; undefined when it is not there. */
  fingerprint(path: string): Promise<string | undefined>
}

export async function readRelease(folder: string): Promise<Release> {
  const manifest = await readManifest(folder)
  let log: Promise<SearchLog> | undefined
  return {
    manifest,
    folder,
    log: (context) => {
      log ??= readRows(folder, manifest, context)
      return log
    },
    files: async () => (await readdir(folder)).filter((name) => name !== manifestFile),
    fingerprint: async (path) => {
      try {
        return await fingerprintFile({ path: join(folder, path) })
      } catch {
        return undefined
      }
    },
  }
}

/** A draft as a reader would have it: its rows are written to memory and read back. */
export function openDraft(draft: Draft): Release {
  let log: Promise<SearchLog> | undefined
  const manifest: Manifest = { ...draft.manifest, files: [] }
  const source = (context: RunContext): LineSource => ({
    path: "draft",
    blocks: () => planned(draftBlocks(draft, context), planOf(manifest)),
  })
  return {
    manifest,
    folder: undefined,
    log: (context) => {
      log ??= parse([source(context)], manifest, context)
      return log
    },
    files: async () => [],
    fingerprint: async () => undefined,
  }
}

/** Blocks that all have one plan; the header stands in the first. */
async function* planned(blocks: AsyncIterable<LineBlock>, plan: LinePlan): AsyncGenerator<PlannedBlock> {
  let skipLines = plan.headerLines
  for await (const block of blocks) {
    yield { ...block, plan, skipLines }
    skipLines = 0
  }
}

async function* draftBlocks(draft: Draft, context: RunContext): AsyncGenerator<LineBlock> {
  for await (const chunk of encodeRows(draft.rows, "tsv", context)) {
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
        ? `${folder}: is no release (it has no ${manifestFile}). Give the folder that anonymize wrote.`
        : `${path}: cannot be read (${code}).`,
      { file: path, cause },
    )
  }
  const value = parseJson(text)
  if (isManifest(value) && value.queryveil === releaseVersion) return value
  const problem = manifestProblem(value) ?? "was written by another version of queryveil"
  throw new QueryveilError("release-broken", `${path}: is not a manifest that can be trusted: ${problem}.`, {
    file: path,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readRows(folder: string, manifest: Manifest, context: RunContext): Promise<SearchLog> {
  return parse(
    manifest.files.map((file) => fileSource(join(folder, file.path), manifest)),
    manifest,
    context,
  )
}

async function parse(sources: LineSource[], { guarantee }: Manifest, context: RunContext): Promise<SearchLog> {
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

/** Column names of the manifest, in file order, to positions. */
function planOf(manifest: Manifest): LinePlan {
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
    },
    minFields: manifest.columns.length,
    maxFields: manifest.columns.length,
    headerLines: 1,
    verbatim: true,
  }
}

function fileSource(path: string, manifest: Manifest): LineSource {
  const plan = planOf(manifest)
  if (path.endsWith(".tsv")) {
    const header = `${manifest.columns.join("\t")}\n`
    return { path, blocks: (count) => planned(withHeader(lineBlocks({ path }, count), { header, path }), plan) }
  }
  const bare = { ...plan, headerLines: 0 }
  if (path.endsWith(".jsonl")) {
    return { path, blocks: (count) => planned(jsonBlocks(lineBlocks({ path }, count), manifest.columns), bare) }
  }
  const relation = relationOf(path, manifest)
  const options = { cells: manifest.columns.map(cellOf(path)), columns: manifest.columns, path }
  return { path, blocks: () => planned(queryBlocks(relation, options), bare) }
}

/** The blocks of a file that must begin with this header. */
async function* withHeader(
  blocks: AsyncIterable<LineBlock>,
  { header, path }: { header: string; path: string },
): AsyncGenerator<LineBlock> {
  let first = true
  for await (const block of blocks) {
    if (first && Buffer.from(block.bytes.subarray(0, header.length)).toString() !== header) {
      throw new QueryveilError("release-broken", `${path}: its header is not that of ${manifestFile}.`, { file: path })
    }
    first = false
    yield block
  }
}

function relationOf(path: string, manifest: Manifest): string {
  const file = `'${path.replaceAll("'", "''")}'`
  const texts = manifest.columns.map((name) => `'${name}': 'VARCHAR'`).join(", ")
  if (path.endsWith(".csv")) {
    return `read_csv(${file}, delim=',', header=true, quote='"', escape='"', columns={${texts}}, max_line_size=33554432)`
  }
  return `read_parquet(${file})`
}

/** Parquet has typed columns; the others hold text. */
const cellOf = (path: string) => (name: string) => {
  if (!path.endsWith(".parquet")) return name
  return name === releaseColumns.time ? `strftime(${name}, '%Y-%m-%d %H:%M:%S')` : `${name}::VARCHAR`
}
