import { type FileHandle, open } from "node:fs/promises"
import { readError } from "../../files/read-error.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { countBytes, isGzip, plainBytes } from "../../log/blocks.ts"
import { describeReading } from "../../log/formats/reading.ts"
import { BatchMaker } from "./batch-maker.ts"
import { checkSameFile, cutShort, type FilePosition, PositionWriter, parsePosition } from "./file-position.ts"
import { followGrowth } from "./follow-growth.ts"
import { headBytes, type LineChoice, tellLines } from "./line-format.ts"
import { type LiveInput, Offering } from "./live-input.ts"

/** Which file is read, and whether to its end or as it grows. */
export interface FileInputOptions extends LineChoice {
  path: string
  /** Goes on when the file grows. */
  follow: boolean
  /** Told of what a person should know; never text of the log. */
  warn(text: string): void
  /** Told which columns are read; their names, nothing that is in them. */
  note?: (text: string) => void
}

const chunkBytes = 1 << 20
const lineFeed = 10

/**
 * A file, plain or gzip, from where the last run left it. A line without a line feed at the end of the file is taken as
 * its last, unless the file is followed: then it is not yet whole and left until it is.
 */
export function fileInput(options: FileInputOptions): LiveInput {
  return {
    async run(stream, signal) {
      const { path, follow } = options
      const offering = new Offering(stream)
      const file = await openFile(path)
      try {
        const packed = isGzip(await readAt(file, 0, 2))
        if (packed && follow) {
          throw new QueryveilError("usage", `${path}: a packed file does not grow. Leave out --follow.`, {
            flag: "--follow",
          })
        }
        const position = parsePosition(stream.resumed.input, path)
        const source = packed ? unpack(path, signal) : readPlain(file, signal)
        const places = new PositionWriter()
        const { batches, rest } = await begin(source, { ...options, places, position, file, packed })
        for await (const chunk of rest) {
          places.see(chunk)
          await offering.offer(batches.add(chunk))
        }
        if (follow) {
          await offering.offer(batches.pause())
          const growth = followGrowth({ path, file, from: batches.read }, signal)
          for await (const chunk of growth) {
            places.see(chunk)
            await offering.offer(batches.add(chunk))
            await offering.offer(batches.pause())
          }
        }
        const half = follow || signal.aborted ? "leave" : "take"
        await offering.offer(batches.finish(half))
        if (follow && batches.end < batches.read)
          options.warn(`${path}: its last line has no line feed yet. It is left for the next run.`)
        await offering.settle()
      } finally {
        await file.close()
      }
    },
  }
}

interface Beginning extends FileInputOptions {
  places: PositionWriter
  position: FilePosition | undefined
  file: FileHandle
  packed: boolean
}

/** Puts the reader where the last run left off: by seeking in a plain file, by passing over what is unpacked otherwise. */
async function begin(
  source: Source,
  options: Beginning,
): Promise<{ batches: BatchMaker; rest: AsyncIterable<Uint8Array> }> {
  const { path, position, places, file, packed } = options
  const say = (end: number) => places.at(end)
  if (position === undefined) return { batches: new BatchMaker({ ...options, position: say }), rest: source.from(0) }
  const head = packed ? await firstOf(source.from(0), headBytes) : await readAt(file, 0, headBytes)
  checkSameFile(position, head, path)
  places.see(head)
  if (!packed && (await file.stat()).size < position.bytes) throw cutShort(path)
  const { plan } = tellLines(head.subarray(0, Math.max(head.lastIndexOf(lineFeed) + 1, 0) || head.length), options)
  if (plan.reading !== undefined) options.note?.(describeReading(plan.reading, options.unit))
  const at = packed ? position.bytes : await passHalf(position.bytes, options)
  return { batches: new BatchMaker({ ...options, position: say, resume: { at, plan } }), rest: source.from(at) }
}

/** Where the next line begins, if the last run took a line that was not whole yet: what it lacked is no line of its own. */
async function passHalf(from: number, { file, path, warn }: Beginning): Promise<number> {
  if (from === 0 || (await readAt(file, from - 1, 1))[0] === lineFeed) return from
  for (let at = from; ; ) {
    const chunk = await readAt(file, at, chunkBytes)
    const end = chunk.indexOf(lineFeed)
    at += end < 0 ? chunk.length : end + 1
    if (end < 0 && chunk.length > 0) continue
    if (at - from > 1)
      warn(`${path}: the last run took a line that was not whole yet. The rest of that line is passed over.`)
    return at
  }
}

/** The plain bytes of a file from a place on. */
interface Source {
  from(start: number): AsyncGenerator<Uint8Array>
}

function readPlain(file: FileHandle, signal: AbortSignal): Source {
  return {
    async *from(start) {
      for (let at = start; !signal.aborted; ) {
        const chunk = await readAt(file, at, chunkBytes)
        if (chunk.length === 0) return
        at += chunk.length
        yield chunk
      }
    },
  }
}

function unpack(path: string, signal: AbortSignal): Source {
  return {
    async *from(start) {
      let at = 0
      const plain = plainBytes({ path }, countBytes(signal))
      try {
        for await (const chunk of plain) {
          if (at + chunk.length > start) yield chunk.subarray(Math.max(0, start - at))
          at += chunk.length
        }
        if (at < start) throw cutShort(path)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** At most so many bytes from the beginning. */
async function firstOf(chunks: AsyncGenerator<Uint8Array>, length: number): Promise<Buffer> {
  const taken: Uint8Array[] = []
  let sum = 0
  for await (const chunk of chunks) {
    taken.push(chunk)
    sum += chunk.length
    if (sum >= length) break
  }
  return Buffer.concat(taken).subarray(0, length)
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r")
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw readError(path, error)
    throw new QueryveilError("input-missing", `${path}: there is no such file. Check the path.`, { file: path })
  }
  throw new QueryveilError("input-unreadable", `${path}: is no file. A pipe can be given as the standard input.`, {
    file: path,
  })
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.subarray(0, bytesRead)
}
