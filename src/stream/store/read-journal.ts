import type { StoreFile, StoreFiles } from "../../files/folder-files.ts"
import { damaged } from "./damage.ts"
import type { Frame } from "./frame.ts"
import { hasSoundTexts, openFrame, openSoundly } from "./frame-codec.ts"
import { segmentName } from "./journal.ts"
import { laterFlush, readEnvelopes } from "./read-envelopes.ts"

/** Consecutive segments, and how far each is complete. */
export interface JournalSegments {
  first: number
  lengths: number[]
}

/**
 * Reads every segment from `first` on and finds how far it is complete. What a crash left incomplete at the very end of
 * the last segment is cut off. Anything else that is incomplete is refused before anything is changed.
 */
export async function checkJournal(
  files: StoreFiles,
  options: { first: number; seed: number },
): Promise<{ segments: JournalSegments; cut: number }> {
  const there = (await files.list()).flatMap((name) => /^journal-([0-9]+)\.log$/.exec(name)?.[1] ?? []).map(Number)
  const last = Math.max(...there)
  const lengths: number[] = []
  let cut = 0
  for (let segment = options.first; segment <= Math.max(options.first, last); segment++) {
    const name = segmentName(segment)
    if (!there.includes(segment)) throw damaged(files.folder, name, "is missing")
    const file = await files.open(name, "change")
    try {
      const size = await file.size()
      const end = await wholeLength(file, { seed: options.seed, end: size })
      lengths.push(end)
      if (end === size) continue
      const source = { kind: "frame" as const, seed: options.seed, end: size }
      if (segment < last || (await laterFlush(file, end, source)))
        throw damaged(files.folder, name, `is damaged at byte ${end}, before intact frames`)
      await file.cut(end)
      await file.flush()
      cut = size - end
    } finally {
      await file.close()
    }
  }
  return { segments: { first: options.first, lengths }, cut }
}

async function wholeLength(file: StoreFile, options: { seed: number; end: number }): Promise<number> {
  let end = 0
  for await (const found of readEnvelopes(file, { kind: "frame", ...options })) {
    const last = found[found.length - 1]
    end = last.at + last.bytes.length
  }
  return end
}

/** How far a journal is complete that another process may be writing. */
export async function readWholeLength(files: StoreFiles, name: string, seed: number): Promise<number> {
  const file = await files.open(name, "read")
  try {
    return await wholeLength(file, { seed, end: await file.size() })
  } finally {
    await file.close()
  }
}

/**
 * Yields the frames of checked segments, several at a time. They must follow one another without a gap. `trusted`
 * frames are not checked again.
 */
export async function* readFrames(
  files: StoreFiles,
  options: { segments: JournalSegments; seed: number; trusted?: boolean },
): AsyncGenerator<Frame[]> {
  const { seed, trusted = false } = options
  let next: { record: number; release: number } | undefined
  for (const [i, end] of options.segments.lengths.entries()) {
    const name = segmentName(options.segments.first + i)
    const file = await files.open(name, "read")
    try {
      let read = 0
      for await (const found of readEnvelopes(file, { kind: "frame", seed, end, trusted })) {
        const frames = found.map(({ bytes, at }) => {
          const frame = openSoundly(() => openFrame(bytes))
          if (frame === undefined || !hasSoundTexts(frame.records))
            throw damaged(files.folder, name, `has a broken frame at byte ${at}`)
          return frame
        })
        for (const [j, { firstRecord, records, firstRelease, deals }] of frames.entries()) {
          if (next !== undefined && (next.record !== firstRecord || next.release !== firstRelease))
            throw damaged(files.folder, name, `has a missing or repeated frame at byte ${found[j].at}`)
          next = { record: firstRecord + records.count, release: firstRelease + deals.record.length }
        }
        const last = found[found.length - 1]
        read = last.at + last.bytes.length
        yield frames
      }
      if (read !== end) throw damaged(files.folder, name, `is damaged at byte ${read}`)
    } finally {
      await file.close()
    }
  }
}
