import { damaged } from "#dist/stream/store/damage.js"
import type { Frame } from "#dist/stream/store/frame.js"
import { decodeFrame, encodeFrame } from "#dist/stream/store/frame-codec.js"
import { checkJournal, readFrames } from "#dist/stream/store/read-journal.js"
import { inputsOf, openInput, seed } from "../support/envelopes.ts"
import { memoryFiles } from "../support/memory-files.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const frameOf = (firstRecord: number, firstRelease: number): Frame => ({
  firstRecord,
  records: {
    count: 2,
    topic: Int32Array.of(3, 4),
    time: Int32Array.of(1577934245, 1577934246),
    arrival: Int32Array.of(1577934245, 1577934247),
    rank: Uint16Array.of(1, 65535),
    ends: Uint32Array.of(3, 10, 10, 13, 17, 20),
    arena: Buffer.from("annred hatboblampurl"),
  },
  firstRelease,
  deals: {
    record: Float64Array.of(firstRecord, firstRecord + 1),
    as: Float64Array.of(firstRecord + 1, firstRecord),
    cellEnd: Uint32Array.of(2),
    cellTime: Int32Array.of(1577934240),
    cellUsers: Int32Array.of(2),
  },
  input: "at 20",
  change: "",
  totals: { rejected: 1 },
  answered: "",
})

/** Frames of a journal and their envelopes, as a restart reads them: complete, cut off, or refused. */
export const target: FuzzTarget = {
  covers: ["stream/store/"],
  words: ["\xf7\x51\x56\x9e", "{}", "null", '{"rejected":1}'],
  seeds: () => {
    const frames = [frameOf(0, 0), frameOf(2, 2)].map((frame) => encodeFrame(frame, { seed }))
    return [...inputsOf(Buffer.concat(frames)), ...inputsOf(frames[0].subarray(0, 100))]
  },
  check: async (input) => {
    const file = openInput(input)
    const files = memoryFiles({ "journal-1.log": file })
    const { segments, cut } = await checkJournal(files, { first: 1, seed })
    ensure(cut + segments.lengths[0] === file.length, "what is not whole is cut off")
    let length = 0
    for await (const frames of readFrames(files, { segments, seed })) {
      for (const frame of frames) {
        const bytes = encodeFrame(frame, { seed })
        const again = decodeFrame(bytes, { seed })
        if (again === undefined) throw damaged("store", "journal", "unreadable after it was written")
        ensure(bytes.equals(encodeFrame(again.frame, { seed })), "a frame is read as it was written")
        length += bytes.length
      }
    }
    ensure(length <= file.length, "a journal has no more than was written")
  },
}
