import { addCounts, readCounts, VarintReader, VarintWriter } from "#dist/stream/store/profile-codec.js"
import { type FuzzTarget, promise } from "../target.ts"

/** Profiles of users in a store: what is read can be written and read again, and what is cut off is refused. */
export const target: FuzzTarget = {
  covers: ["stream/store/profile-codec"],
  words: ["\x80", "\xff\xff\xff\xff", "\x01\x01"],
  seeds: () => [Uint8Array.of(3, 1, 4, 200, 1), Uint8Array.of(255, 255, 3, 9)],
  check: (input) => {
    const counts = readCounts(new VarintReader(input))
    const isUsual = counts.every(
      ({ node, count }, i) => node < 2 ** 31 && Number.isSafeInteger(count) && (i === 0 || node > counts[i - 1].node),
    )
    if (!isUsual) return
    const out = new VarintWriter()
    const node = Int32Array.from(counts, (one) => one.node)
    const count = Float64Array.from(counts, (one) => one.count)
    addCounts(out, new VarintReader(new Uint8Array(0)), { node, count, from: 0, to: node.length })
    const again = readCounts(new VarintReader(out.bytes.subarray(0, out.at)))
    promise(JSON.stringify(again) === JSON.stringify(counts), "counts are read as they were written")
  },
}
