import { createHash, randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"
import type { InputBatch } from "../live/transport.ts"
import { cutShort, type FilePosition, parsePosition } from "./file-position.ts"
import type { FileSource } from "./file-source.ts"
import { openStretch } from "./file-stretch.ts"
import { batchBytes } from "./line-cutter.ts"
import type { LineChoice } from "./line-format.ts"
import type { Offering } from "./live-input.ts"
import { LineSorter } from "./sort-lines.ts"
import { latestInOrder, timeLines, timeless } from "./time-lines.ts"

interface Sorting extends LineChoice {
  path: string
  name: string
  source: FileSource
  folder?: string
  offering: Offering
  signal: AbortSignal
  warn(text: string): void
  note?: (text: string) => void
}

/** True if a file is in order of time from a position on. Stops at the first line that is out of order. */
export async function isOrdered(position: FilePosition | undefined, options: Sorting): Promise<boolean> {
  const quiet = { ...options, warn: () => {}, note: undefined }
  const { batches, chunks } = await openStretch(position, quiet)
  let latest: number | undefined = timeless
  const goesOn = (made: Iterable<InputBatch>) => {
    for (const batch of made) {
      latest = latestInOrder(batch, latest ?? timeless)
      if (latest === undefined) return false
    }
    return true
  }
  for await (const chunk of chunks) if (!goesOn(batches.add(chunk))) return false
  return goesOn(batches.finish("take"))
}

/**
 * Offers a file from a position on in order of time. Lines of the same time stay in the file's order.
 *
 * The same bytes always give the same order, so a run that ended in the middle is resumed after the lines that the
 * journal has: a position records which bytes were sorted, their digest, and how many sorted lines were taken.
 *
 * Returns the position after all of it, or the given position if the signal ended it.
 */
export async function offerSorted(
  position: FilePosition | undefined,
  options: Sorting,
): Promise<FilePosition | undefined> {
  const { path, name, offering, signal, note, folder } = options
  const { bytes: from = 0, sorted: before } = position ?? {}
  const file = join(folder ?? tmpdir(), folder === undefined ? `queryveil-${randomUUID()}.tmp` : sortingName(name))
  const sorter = new LineSorter(file)
  try {
    const { batches, chunks, places } = await openStretch(position, options)
    note?.(`${path}: is not ordered by time. It is sorted first.`)
    const digest = createHash("sha256")
    const taken = before === undefined ? chunks : firstBytes(chunks, before.to - batches.read, options)
    const sort = async (made: Iterable<InputBatch>) => {
      for (const batch of made) await sorter.add(timeLines(batch))
    }
    for await (const chunk of taken) {
      digest.update(chunk)
      places.see(chunk)
      await sort(batches.add(chunk))
    }
    if (signal.aborted) return position
    await sort(batches.finish("take"))
    const stretch = { to: batches.end, digest: digest.digest("hex") }
    if (before !== undefined && before.digest !== stretch.digest) throw otherOrder(path)
    const { plan } = sorter
    if (plan === undefined) return position
    let lines = before?.lines ?? 0
    for await (const block of sorter.blocks({ skip: lines, blockBytes: batchBytes })) {
      if (signal.aborted) return position
      lines += block.lines
      const place = block.isLast ? places.at(stretch.to) : places.at(from, { ...stretch, lines })
      const { bytes, length } = block
      await offering.offer([{ bytes, length, plan, skipLines: 0, position: { input: name, at: place } }])
    }
    return parsePosition(places.at(stretch.to), path)
  } finally {
    await sorter.close()
  }
}

/**
 * Name of the file for sorting. It is the same for an input in every run, so that the file of a killed run is replaced;
 * it differs between the inputs of one run.
 */
const sortingName = (name: string) => `sorting-${createHash("sha256").update(name).digest("hex").slice(0, 16)}.tmp`

/** The first `bytes` bytes. */
async function* firstBytes(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
  { path, signal }: Sorting,
): AsyncGenerator<Uint8Array> {
  let left = bytes
  if (left <= 0) return
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
  if (!signal.aborted) throw cutShort(path)
}

function otherOrder(path: string): QueryveilError {
  return new QueryveilError(
    "input-changed",
    [
      `${path}: was changed after its searches were sorted by time, so the end of the last run cannot be found.`,
      "Give the file as it was, or start with a new store.",
    ].join(" "),
    { file: path },
  )
}
