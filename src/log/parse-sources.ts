import { breathe, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { randomHashSeed } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import { streamParallel } from "../kernels/parallel.ts"
import { LogAssembler } from "./assemble-log.ts"
import { type ByteCount, countBytes, type LineBlock } from "./blocks.ts"
import {
  type LinePlan,
  type ParsedBlock,
  rejectMeanings,
  rejectReasons,
  type TextBlock,
} from "./formats/parsed-block.ts"
import { Unquoter } from "./formats/unquote.ts"
import { countRejects, describeRejects, type FileIntake, type Intake, locateLine } from "./intake.ts"
import type { SearchLog } from "./search-log.ts"
import { sniffText } from "./sniff.ts"

export interface ReadResult {
  log: SearchLog
  intake: Intake
}

/** Lines of text from anywhere, and where their columns are. */
export interface LineSource {
  path: string
  /** Bytes to come, where that is known. */
  size?: number
  blocks(count: ByteCount): AsyncIterable<LineBlock>
  /** Tells the columns from the first block. */
  plan(head: Uint8Array): LinePlan
}

const worker = new URL("./formats/block.worker.js", import.meta.url)

/**
 * Blocks of lines are parsed by workers and joined here in the order of the input, so the same input always gives the
 * same log, whatever the number of workers.
 */
export async function parseSources(
  sources: readonly LineSource[],
  options: { format: string; strict: boolean },
  context: RunContext,
): Promise<ReadResult> {
  const seed = randomHashSeed()
  const counts = sources.map(() => countBytes(context.signal))
  const lines = sources.map(() => 0)
  let format = options.format
  const blockOwner: number[] = [] // which file each block in flight belongs to
  const total = sources.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
  const assembler = new LogAssembler({ seed, bytes: total ?? 0 })

  async function* blocks(): AsyncGenerator<TextBlock> {
    for (const [file, source] of sources.entries()) {
      let plan: LinePlan | undefined
      let unquoter: Unquoter | undefined
      for await (const { bytes, length } of source.blocks(counts[file])) {
        const mark = plan === undefined ? sniffText(bytes.subarray(0, length), source.path) : 0
        const first = plan === undefined
        plan ??= source.plan(bytes.subarray(mark, length))
        if (mark > 0) bytes.fill(32, 0, mark) // spaces before the first field are no part of it
        format = plan.format
        if (first && plan.quotedBy !== undefined) unquoter = new Unquoter(plan.quotedBy)
        const block = unquoter === undefined ? { bytes, length } : unquoter.convert({ bytes, length })
        blockOwner.push(file)
        yield { ...block, plan, skipLines: first ? plan.headerLines : 0, seed }
      }
      const rest = unquoter?.end()
      if (rest !== undefined && plan !== undefined) {
        blockOwner.push(file)
        yield { ...rest, plan, skipLines: 0, seed }
      }
    }
  }

  const rejectLines: Uint32Array[] = []
  const rejectReasonCodes: Uint8Array[] = []
  let linesBefore = 0
  for await (const block of streamParallel<TextBlock, ParsedBlock>(worker, blocks(), context)) {
    const file = blockOwner.shift() ?? 0
    rejectLines.push(block.rejectLine.map((line) => line + linesBefore))
    rejectReasonCodes.push(block.rejectReason)
    lines[file] += block.lines
    linesBefore += block.lines
    assembler.add(block)
    const done = counts.reduce((sum, { bytes }) => sum + bytes, 0)
    await breathe(context, { stage: "reading", done, ...(total === undefined ? {} : { total }) })
    if (options.strict && block.rejectLine.length > 0) break
  }
  stopIfCancelled(context)

  const rejects = { line: concatenate(Uint32Array, rejectLines), reason: concatenate(Uint8Array, rejectReasonCodes) }
  const files = describeFiles(sources, counts, lines)
  const rejected = countRejects(rejects.reason)
  const intake: Intake = {
    format,
    files,
    lines: linesBefore,
    rejected,
    rejects,
    warnings: warnings(rejected, rejects.line.length, assembler.rows),
    cached: false,
  }
  if (options.strict) refuseRejects(intake)
  if (assembler.rows === 0) throw noRows(intake)
  context.report({ stage: "sorting", done: 0 })
  return { log: assembler.finish(), intake }
}

function describeFiles(
  sources: readonly LineSource[],
  counts: readonly ByteCount[],
  lines: readonly number[],
): FileIntake[] {
  let linesBefore = 0
  return sources.map(({ path }, i) => {
    const { bytes, digest } = counts[i]
    const file = { path, bytes, sha256: digest.digest("hex"), linesBefore, lines: lines[i] }
    linesBefore += lines[i]
    return file
  })
}

function warnings(rejected: Intake["rejected"], rejects: number, rows: number): string[] {
  if (rejects === 0) return []
  const share = ((100 * rejects) / (rejects + rows)).toFixed(1)
  const hint = rejected.encoding === undefined ? "" : " The log may be in another encoding; convert it to UTF-8."
  return [`${rejects} lines (${share} %) are no rows and were left out: ${describeRejects(rejected)}.${hint}`]
}

/** Stops at the first line that is no row, as `--strict` asks. */
export function refuseRejects(intake: Intake): void {
  if (intake.rejects.line.length === 0) return
  const { file, line } = locateLine(intake.files, intake.rejects.line[0])
  const meaning = rejectMeanings[rejectReasons[intake.rejects.reason[0]]]
  throw new QueryveilError(
    "input-rows",
    `${file}, line ${line}: ${meaning}.${intake.format === "release" ? "" : " Correct the line, or leave out --strict to count such lines and go on."}`,
    { file, line },
  )
}

function noRows(intake: Intake): QueryveilError {
  const names = intake.files.map(({ path }) => path).join(", ")
  const file = intake.files[0].path
  if (intake.rejects.line.length > 0) {
    const advice =
      intake.format === "aol"
        ? "Check that the file has this format: user, query, time (YYYY-MM-DD hh:mm:ss), rank, url, separated by tabs."
        : "Say where the columns are with --columns, for example user=1,query=3,time=2."
    return new QueryveilError(
      "input-rows",
      `${names}: none of ${intake.rejects.line.length} lines could be read as ${intake.format}: ${describeRejects(intake.rejected)}. ${advice}`,
      { file },
    )
  }
  const what = intake.lines === 0 ? "is empty" : "has a header or blank lines but no rows"
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
