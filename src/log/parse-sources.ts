import { type Progress, type RunContext, stopIfCancelled, yieldAndReport } from "../kernels/context.ts"
import { randomHashSeed } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import { streamParallel } from "../kernels/parallel.ts"
import { LogAssembler } from "./assemble-log.ts"
import { type ByteCount, countBytes } from "./blocks.ts"
import { type ParsedBlock, rejectMeanings, rejectReasons, type TextBlock } from "./formats/parsed-block.ts"
import { distinctReadings, type Reading } from "./formats/reading.ts"
import type { RemoteInput } from "./inputs.ts"
import { countRejects, describeRejects, type FileIntake, type Intake, locateLine } from "./intake.ts"
import type { PlannedBlock } from "./read-source.ts"
import type { SearchLog, Unit } from "./search-log.ts"

/** A log, and what happened while it was read. */
export interface ReadResult {
  log: SearchLog
  intake: Intake
}

/** Lines of text from any source, and where their columns are. */
export interface LineSource {
  path: string
  /** Number of bytes to come, if known. */
  size?: number
  /** Set if the lines come from another machine. */
  remote?: RemoteInput
  blocks(count: ByteCount): AsyncIterable<PlannedBlock>
}

const worker = new URL("./formats/block.worker.js", import.meta.url)

/**
 * Workers parse blocks of lines. The blocks are joined here in the order of the input, so the same input always gives
 * the same log, whatever the number of workers.
 */
export async function parseSources(
  sources: readonly LineSource[],
  options: { format: string; strict: boolean; unit: Unit; encoding?: string },
  context: RunContext,
): Promise<ReadResult> {
  const seed = randomHashSeed()
  const counts = sources.map(() => countBytes(context.signal))
  const lines = sources.map(() => 0)
  let format = options.format
  const readings: Reading[] = []
  const inFlight: { file: number; collapseSeconds: number | undefined }[] = []
  const total = sources.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
  const assembler = new LogAssembler({ seed, bytes: total ?? 0, unit: options.unit })

  async function* blocks(): AsyncGenerator<TextBlock> {
    for (const [file, source] of sources.entries()) {
      for await (const block of source.blocks(counts[file])) {
        format = block.plan.format
        if (block.plan.reading !== undefined && readings.at(-1) !== block.plan.reading)
          readings.push(block.plan.reading)
        inFlight.push({ file, collapseSeconds: block.plan.collapseSeconds })
        yield { ...block, seed }
      }
    }
  }

  const rejectLines: Uint32Array[] = []
  const rejectReasonCodes: Uint8Array[] = []
  let linesBefore = 0
  let whole = true
  for await (const block of streamParallel<TextBlock, ParsedBlock>(worker, blocks(), context)) {
    const { file, collapseSeconds } = inFlight.shift() ?? { file: 0 }
    rejectLines.push(block.rejectLine.map((line) => line + linesBefore))
    rejectReasonCodes.push(block.rejectReason)
    lines[file] += block.lines
    linesBefore += block.lines
    assembler.add(block, { collapseSeconds })
    const done = counts.reduce((sum, { bytes }) => sum + bytes, 0)
    await yieldAndReport(
      context,
      remoteProgress(sources) ?? {
        stage: "reading",
        done,
        rows: linesBefore,
        ...(total === undefined ? {} : { total }),
      },
    )
    if (options.strict && block.rejectLine.length > 0) {
      whole = false
      break
    }
  }
  stopIfCancelled(context)

  context.report({ stage: "sorting", done: 0 })
  const { log, rejected: unjoined, collapsed } = assembler.finish()
  if (whole) {
    // If the log was not read to its end, it is unknown which clicks have no search.
    rejectLines.push(unjoined.line)
    rejectReasonCodes.push(unjoined.reason)
  }
  const rejects = sortRejects(concatenate(Uint32Array, rejectLines), concatenate(Uint8Array, rejectReasonCodes))
  const rejected = countRejects(rejects.reason)
  const intake: Intake = {
    format,
    unit: options.unit,
    read: distinctReadings(readings),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    files: describeFiles(sources, counts, lines),
    lines: linesBefore,
    rejected,
    rejects,
    collapsed,
    warnings: warnOfRejects(rejected, log.rows),
    doubts: [],
    cached: false,
  }
  if (options.strict) refuseRejects(intake)
  if (log.rows === 0) throw noRows(intake)
  return { log, intake }
}

/**
 * Rejects in the order of their lines. Some are found only when clicks are joined, long after their lines were read.
 */
function sortRejects(line: Uint32Array, reason: Uint8Array): Intake["rejects"] {
  if (line.every((number, i) => i === 0 || line[i - 1] <= number)) return { line, reason }
  const order = Uint32Array.from(line, (_, i) => i).sort((a, b) => line[a] - line[b])
  return { line: Uint32Array.from(order, (i) => line[i]), reason: Uint8Array.from(order, (i) => reason[i]) }
}

/** Progress in documents, if every source is an index. Documents that are not counted yet are not in the total. */
function remoteProgress(sources: readonly LineSource[]): Progress | undefined {
  if (sources.length === 0 || sources.some(({ remote }) => remote === undefined)) return undefined
  const extents = sources.map(({ remote }) => remote?.extent() ?? { done: 0, total: 0 })
  const sum = (part: "done" | "total") => extents.reduce((all, extent) => all + extent[part], 0)
  return { stage: "reading documents", done: sum("done"), total: sum("total"), rows: sum("done") }
}

function describeFiles(
  sources: readonly LineSource[],
  counts: readonly ByteCount[],
  lines: readonly number[],
): FileIntake[] {
  let linesBefore = 0
  return sources.map(({ path, remote }, i) => {
    const { bytes, digest } = counts[i]
    const index = remote?.describe()
    const file = { path, bytes, sha256: digest.digest("hex"), linesBefore, lines: lines[i], ...(index && { index }) }
    linesBefore += lines[i]
    return file
  })
}

/** Warns if some lines are not rows. */
export function warnOfRejects(rejected: Intake["rejected"], rows: number): string[] {
  const rejects = Object.values(rejected).reduce((sum, count) => sum + count, 0)
  if (rejects === 0) return []
  const share = ((100 * rejects) / (rejects + rows)).toFixed(1)
  const hint = rejected.encoding === undefined ? "" : ` ${tryEncoding}`
  return [`${rejects} lines (${share} %) are not rows and were left out: ${describeRejects(rejected)}.${hint}`]
}

const tryEncoding = "The log may be in another encoding: try --encoding latin1, gb18030 or the like."

/** Throws at the first line that is not a row, as `--strict` asks. */
export function refuseRejects(intake: Intake): void {
  if (intake.rejects.line.length === 0) return
  const { file, line } = locateLine(intake.files, intake.rejects.line[0])
  const meaning = rejectMeanings[rejectReasons[intake.rejects.reason[0]]]
  const advice =
    intake.format === "release" ? "" : " Correct the line, or leave out --strict to count such lines and go on."
  throw new QueryveilError("input-rows", `${file}, line ${line}: ${meaning}.${advice}`, { file, line })
}

const namedUser = "Name the user, for example --columns user=client.id."

/** Advice for a file in which no line is a row, by format. */
const adviceFor: Partial<Record<string, string>> = {
  aol: "Check that the file has this format: user, query, time (YYYY-MM-DD hh:mm:ss), rank, url, separated by tabs.",
  delimited: "Name the columns with --columns, for example user=1,query=3,time=2.",
  jsonl: "Name the columns with --columns, for example user=client.id,query=q,time=at.",
  parquet: "Name the columns with --columns, for example user=uid,query=q,time=at.",
  slowlog: `${namedUser} Name the path of the query in a search, for example --json-path query.multi_match.query.`,
  solr: "Solr logs no users. Name the parameter of a request that identifies them, for example --columns user=uid.",
}

/** The error for a log without a row. */
export function noRows(intake: Intake): QueryveilError {
  const names = intake.files.map(({ path }) => path).join(", ")
  const file = intake.files[0].path
  const rejects = Object.values(intake.rejected).reduce((sum, count) => sum + count, 0)
  if (rejects > 0) {
    const advice =
      intake.rejected.encoding === undefined
        ? (adviceFor[intake.format] ?? "Check that the right file was given, or name its format with --format.")
        : tryEncoding
    const none = `none of ${rejects} lines could be read as ${intake.format}`
    const message = `${names}: ${none}: ${describeRejects(intake.rejected)}. ${advice}`
    return new QueryveilError("input-rows", message, { file })
  }
  const what = intake.lines === 0 ? "is empty" : "has no searches"
  return new QueryveilError("input-empty", `${names}: ${what}. Check that the right file was given.`, { file })
}

function concatenate<A extends Uint32Array | Uint8Array>(type: new (length: number) => A, parts: readonly A[]): A {
  const whole = new type(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
