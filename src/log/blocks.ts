import { createHash, type Hash } from "node:crypto"
import { constants, createReadStream, openSync } from "node:fs"
import { Socket } from "node:net"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { readError } from "../files/read-error.ts"
import { interruption } from "../kernels/context.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { maxLineBytes } from "./formats/parsed-block.ts"
import { type InputFile, standardInput } from "./inputs.ts"

const lineFeed = 10
/** Capacity of a block. The buffer has one more byte, for a final line feed. */
const blockBytes = 4 << 20

/** What has been read of one file. Grows while its blocks are taken. */
export interface ByteCount {
  bytes: number
  digest: Hash
  /** Stops the reading, even while it waits for a pipe. */
  signal: AbortSignal | undefined
}

export function countBytes(signal?: AbortSignal): ByteCount {
  return { bytes: 0, digest: createHash("sha256"), signal }
}

/** The bytes of the file as stored. They are counted and hashed on the way. */
async function* storedBytes(input: InputFile, count: ByteCount): AsyncGenerator<Buffer> {
  const { signal } = count
  if (input.remote !== undefined) {
    for await (const chunk of input.remote.read(signal)) {
      count.bytes += chunk.length
      count.digest.update(chunk)
      yield chunk
    }
    return
  }
  const stream = openStream(input)
  const stop = () => stream.destroy(interruption())
  signal?.addEventListener("abort", stop, { once: true })
  try {
    for await (const chunk of stream) {
      count.bytes += chunk.length
      count.digest.update(chunk)
      yield chunk
    }
  } catch (error) {
    throw signal?.aborted ? interruption() : readError(input.path, error)
  } finally {
    signal?.removeEventListener("abort", stop)
  }
}

/**
 * Reads a pipe as a socket. A thread that blocks in a read from a pipe cannot be stopped and would keep the process
 * alive.
 */
function openStream({ path, pipe }: InputFile): Readable {
  if (path === standardInput) return process.stdin
  if (pipe !== true) return createReadStream(path, { highWaterMark: 1 << 20 })
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false })
}

/** True if these first bytes of a file are the gzip signature. */
export const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b

/** The bytes of the file, gunzipped if it starts with the gzip signature. */
export async function* plainBytes(input: InputFile, count: ByteCount): AsyncGenerator<Buffer> {
  const stored = storedBytes(input, count)
  let head: Buffer = Buffer.alloc(0)
  for (let next = await stored.next(); !next.done; next = await stored.next()) {
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
    if (head.length >= 8) break
  }
  if (!isGzip(head)) {
    try {
      if (head.length > 0) yield head
      yield* stored
    } finally {
      await stored.return(undefined) // no open file is left if the caller takes only the first bytes
    }
    return
  }
  const compressed = Readable.from(chain(head, stored), { objectMode: false, highWaterMark: 1 << 20 })
  const gunzip = createGunzip({ chunkSize: 1 << 20 })
  compressed.on("error", (error) => gunzip.destroy(error))
  compressed.pipe(gunzip)
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    const what = systemCode(error) === "Z_BUF_ERROR" ? "ends too early" : "is damaged"
    throw new QueryveilError(
      "input-gzip",
      `${input.path}: the gzip data ${what} (after ${count.bytes} bytes). ` +
        "Copy or download the file again; gzip -t tests it.",
      { file: input.path, cause: error },
    )
  } finally {
    compressed.destroy()
    gunzip.destroy()
  }
}

async function* chain(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}

/** Whole lines in a buffer of their own. The last line of a file may lack its line feed. */
export interface LineBlock {
  bytes: Uint8Array
  length: number
}

/** Cuts a file into blocks of whole lines. */
export function lineBlocks(input: InputFile, count: ByteCount): AsyncGenerator<LineBlock> {
  return cutLines(plainBytes(input, count))
}

/**
 * Cuts text into blocks of whole lines. A line longer than `maxLineBytes` keeps only its first `maxLineBytes` + 1
 * bytes, so that it is recognised as too long but never held in full.
 */
export async function* cutLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let block = new Uint8Array(blockBytes + 1)
  let length = 0
  let lineStart = 0 // start of the unfinished line in `block`
  let skipping = false // true within the rest of a line that is too long
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      if (skipping) {
        const end = chunk.indexOf(lineFeed, at)
        if (end < 0) break
        at = end
        skipping = false
      }
      const taken = Math.min(chunk.length - at, blockBytes - length)
      block.set(chunk.subarray(at, at + taken), length)
      length += taken
      at += taken
      lineStart += block.subarray(lineStart, length).lastIndexOf(lineFeed) + 1
      if (length - lineStart > maxLineBytes + 1) {
        length = lineStart + maxLineBytes + 1
        skipping = true
      }
      if (length === blockBytes) {
        const rest = block.slice(lineStart, length)
        yield { bytes: block, length: lineStart }
        block = new Uint8Array(blockBytes + 1)
        block.set(rest)
        length = rest.length
        lineStart = 0
      }
    }
  }
  if (length > 0) yield { bytes: block, length }
}

/** Counts and hashes a file that other code reads. */
export async function digestFile(input: InputFile, count: ByteCount): Promise<void> {
  for await (const _chunk of storedBytes(input, count));
}

/** SHA-256 of a file as it is stored. */
export async function fingerprintFile(input: InputFile): Promise<string> {
  const count = countBytes()
  await digestFile(input, count)
  return count.digest.digest("hex")
}
