import { describeReading } from "../../log/formats/reading.ts"
import { BatchMaker } from "./batch-maker.ts"
import { checkSameFile, cutShort, type FilePosition, PositionWriter } from "./file-position.ts"
import { type FileSource, readAt } from "./file-source.ts"
import { detectLineFormat, headBytes, type LineChoice } from "./line-format.ts"

const chunkBytes = 1 << 20
const lineFeed = 10

/** A file from a position on: its bytes, and the object that makes batches of them. */
export interface Stretch {
  source: FileSource
  batches: BatchMaker
  chunks: AsyncIterable<Uint8Array>
  places: PositionWriter
}

interface StretchOptions extends LineChoice {
  path: string
  /** Key under which positions are kept. */
  name: string
  source: FileSource
  warn(text: string): void
  note?: ((text: string) => void) | undefined
}

/** Moves the reader to where the last run stopped: by seeking in a plain file, by skipping unpacked bytes otherwise. */
export async function openStretch(position: FilePosition | undefined, options: StretchOptions): Promise<Stretch> {
  const { path, name, source } = options
  const places = new PositionWriter()
  const say = (end: number) => ({ input: name, at: places.at(end) })
  if (position === undefined || position.bytes === 0) {
    const batches = new BatchMaker({ ...options, position: say })
    return { source, batches, chunks: source.from(0), places }
  }
  const head = await source.head(headBytes)
  checkSameFile(position, head, path)
  places.see(head)
  if (!source.packed && (await source.file.stat()).size < position.bytes) throw cutShort(path)
  const { plan } = detectLineFormat(
    head.subarray(0, Math.max(head.lastIndexOf(lineFeed) + 1, 0) || head.length),
    options,
  )
  if (plan.reading !== undefined) options.note?.(describeReading(plan.reading, options.unit))
  const at = source.packed ? position.bytes : await skipPartialLine(position.bytes, options)
  const batches = new BatchMaker({ ...options, position: say, resume: { at, plan } })
  return { source, batches, chunks: source.from(at), places }
}

/**
 * Returns where the next line begins, if the last run took an incomplete line: the rest of that line is not a line of
 * its own.
 */
async function skipPartialLine(from: number, { source: { file }, path, warn }: StretchOptions): Promise<number> {
  if (from === 0 || (await readAt(file, from - 1, 1))[0] === lineFeed) return from
  for (let at = from; ; ) {
    const chunk = await readAt(file, at, chunkBytes)
    const end = chunk.indexOf(lineFeed)
    at += end < 0 ? chunk.length : end + 1
    if (end < 0 && chunk.length > 0) continue
    if (at - from > 1)
      warn(`${path}: the last run read a line before it was complete. The rest of that line is skipped.`)
    return at
  }
}
