import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { QueryveilError } from "../kernels/error.ts"
import { type ByteCount, countBytes, cutLines, digestFile, isGzip, type LineBlock, plainBytes } from "./blocks.ts"
import { decodeBytes } from "./decode.ts"
import {
  collapsing,
  detectFormat,
  type FormatChoice,
  hasJsonRecords,
  isArray,
  planLines,
} from "./formats/detect-format.ts"
import { parquetBlocks } from "./formats/parquet.ts"
import type { LinePlan } from "./formats/parsed-block.ts"
import { unquoteLines } from "./formats/unquote.ts"
import type { InputFile } from "./inputs.ts"
import { cutElements } from "./json-elements.ts"
import { sniffText } from "./sniff.ts"

/** Lines of one file, how they become rows, and how many lines at the start are not rows. */
export interface PlannedBlock extends LineBlock {
  plan: LinePlan
  skipLines: number
}

const headBytes = 1 << 18

/**
 * One input file as blocks of lines. The file is unpacked and decoded, and its format is detected. JSON arrays and
 * quoted text are turned into lines.
 */
export async function* readSource(
  input: InputFile,
  count: ByteCount,
  options: FormatChoice & { encoding: string | undefined },
): AsyncGenerator<PlannedBlock> {
  const plain = plainBytes(input, count)
  const chunks = options.encoding === undefined ? plain : decodeBytes(plain, options.encoding)
  try {
    yield* planBlocks(input, count, { ...options, ...(await takeHead(chunks)) })
  } finally {
    await chunks.return(undefined) // a pipe that is not read to its end would keep the process alive
  }
}

async function* planBlocks(
  input: InputFile,
  count: ByteCount,
  options: FormatChoice & Taken,
): AsyncGenerator<PlannedBlock> {
  const { path } = input
  const { head, rest } = options
  if (head.length === 0) return
  const format = detectFormat(head, options)
  if (format === "parquet") {
    await rest.return(undefined)
    yield* readParquet(input, count, { ...options, plan: planLines(format, head, { ...options, path }) })
    return
  }
  const start = head.subarray(sniffText(head, path))
  if (start.length === 0) return
  // The first record of an array is known only once it is cut out. Every other format is planned from the first bytes.
  const json = hasJsonRecords(format)
  let plan = json ? undefined : planLines(format, start, { ...options, path })
  let first = true
  for await (const block of cutText(start, rest, { json, quotedBy: plan?.quotedBy })) {
    plan ??= planLines(format, block.bytes.subarray(0, block.length), { ...options, path })
    yield { ...block, plan, skipLines: first ? plan.headerLines : 0 }
    first = false
  }
}

/** Text as blocks of lines. Each element of an array and each record of quoted text becomes one line. */
function cutText(
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { json, quotedBy }: { json: boolean; quotedBy: number | undefined },
): AsyncGenerator<LineBlock> {
  const text = chain(start, rest)
  if (quotedBy !== undefined) return unquoteLines(text, quotedBy)
  return json && isArray(start) ? cutElements(text) : cutLines(text)
}

/** DuckDB opens the file by name, so the file must be readable twice. */
async function* readParquet(
  input: InputFile,
  count: ByteCount,
  options: FormatChoice & { plan: LinePlan },
): AsyncGenerator<PlannedBlock> {
  const { path } = input
  if (input.size === undefined || (await isPacked(path))) {
    throw new QueryveilError(
      "input-unreadable",
      `${path}: Parquet cannot be read from a pipe or packed with gzip. Save it to a file first.`,
      { file: path },
    )
  }
  count.bytes = 0
  count.digest = createHash("sha256")
  await digestFile(input, count)
  for await (const block of parquetBlocks(path, { columns: options.columns ?? {}, unit: options.unit })) {
    const { layout, reading } = block
    yield { ...block, plan: { ...options.plan, reading, ...collapsing[layout] }, skipLines: 0 }
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path, "r")
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return isGzip(buffer)
  } finally {
    await file.close()
  }
}

/** The first bytes of a file, unpacked and decoded. */
export async function readHead(input: InputFile, encoding?: string): Promise<Uint8Array> {
  const plain = plainBytes(input, countBytes())
  const chunks = encoding === undefined ? plain : decodeBytes(plain, encoding)
  try {
    return (await takeHead(chunks)).head
  } finally {
    await chunks.return(undefined)
  }
}

interface Taken {
  head: Uint8Array
  rest: AsyncGenerator<Uint8Array>
}

/** The first bytes, enough to detect a format, and the bytes that follow them. */
async function takeHead(chunks: AsyncGenerator<Uint8Array>): Promise<Taken> {
  const taken: Uint8Array[] = []
  let length = 0
  while (length < headBytes) {
    const next = await chunks.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }
  return { head: taken.length === 1 ? taken[0] : Buffer.concat(taken), rest: chunks }
}

async function* chain(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}
