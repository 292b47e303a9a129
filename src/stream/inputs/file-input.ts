import { QueryveilError } from "../../kernels/error.ts"
import { fileInputName, findPosition } from "./file-position.ts"
import { openSource } from "./file-source.ts"
import { openStretch, type Stretch } from "./file-stretch.ts"
import { followGrowth } from "./follow-growth.ts"
import type { LineChoice } from "./line-format.ts"
import { type LiveInput, Offering } from "./live-input.ts"
import { isOrdered, offerSorted } from "./offer-sorted.ts"

/** Which file to read, and whether to its end or as it grows. */
export interface FileInputOptions extends LineChoice {
  path: string
  /** The names of all inputs of this run (default: only this one). */
  namesInUse?: readonly string[]
  /** Keep reading when the file grows. Such a file is read in its own order. */
  follow: boolean
  /** A private folder for sorting a file that does not fit in memory (default: the system's temporary folder). */
  folder?: string
  /** Receives messages for the operator; never text of the log. */
  warn(text: string): void
  /** Reports when records are accepted, and the names of the columns that are read, but none of their values. */
  note?: (text: string) => void
}

/**
 * A file, plain or gzip, from where the last run stopped. Its existing lines are taken in order of time; they are
 * sorted first if they are in another order. A followed file cannot be sorted.
 *
 * A last line without a line feed is taken, unless the file is followed: then the line is incomplete and is left until
 * it is complete.
 */
export function fileInput(options: FileInputOptions): LiveInput {
  return {
    async run(stream, signal) {
      const { path, follow } = options
      const offering = new Offering(stream)
      const source = await openSource(path, signal)
      try {
        if (source.packed && follow) {
          throw new QueryveilError("usage", `${path}: a compressed file cannot be followed. Leave out --follow.`, {
            flag: "--follow",
          })
        }
        options.note?.(`listening on ${path}`)
        const name = fileInputName(path)
        const sorting = { ...options, name, source, offering, signal }
        const { namesInUse = [name] } = options
        const left = await findPosition(stream.resumed.positions, { path, name, namesInUse, head: source.head })
        // If a run stopped in the middle of a sorted stretch, the stretch is sorted again and resumed there.
        const position = left?.sorted === undefined ? left : await offerSorted(left, sorting)
        if (follow || (await isOrdered(position, sorting))) {
          const stretch = await openStretch(position, { ...options, name, source })
          await offerInOrder(stretch, { ...sorting, follow })
        } else await offerSorted(position, sorting)
        await offering.settle()
      } finally {
        await source.file.close()
      }
    },
  }
}

async function offerInOrder(
  { batches, chunks, places, source }: Stretch,
  options: FileInputOptions & { offering: Offering; signal: AbortSignal },
): Promise<void> {
  const { path, follow, offering, signal } = options
  for await (const chunk of chunks) {
    places.see(chunk)
    await offering.offer(batches.add(chunk))
  }
  if (follow) {
    await offering.offer(batches.pause())
    const growth = followGrowth({ path, file: source.file, from: batches.read }, signal)
    for await (const chunk of growth) {
      places.see(chunk)
      await offering.offer(batches.add(chunk))
      await offering.offer(batches.pause())
    }
  }
  await offering.offer(batches.finish(follow || signal.aborted ? "leave" : "take"))
  if (follow && batches.end < batches.read)
    options.warn(`${path}: the last line has no line feed yet. The next run reads it.`)
}
