import { addCounts, putCounts, readCounts, VarintReader, VarintWriter } from "#dist/stream/store/profile-codec.js"
import { ensure, type FuzzTarget } from "../target.ts"

/**
 * Profiles of users in a store: what is read can be written, added up and read again. Truncated profiles are refused.
 */
export const target: FuzzTarget = {
  covers: ["stream/store/profile-codec"],
  words: ["\x80", "\xff\xff\xff\xff", "\x01\x01"],
  seeds: () => [Uint8Array.of(3, 1, 4, 200, 1), Uint8Array.of(255, 255, 3, 9)],
  check: (input) => {
    const counts = readOrRefuse(input)
    const isUsual = counts.every(
      ({ node, count }, i) => node < 2 ** 31 && count < 2 ** 52 && (i === 0 || node > counts[i - 1].node),
    )
    if (!isUsual) return
    const out = new VarintWriter()
    const node = Int32Array.from(counts, (one) => one.node)
    const count = Float64Array.from(counts, (one) => one.count)
    putCounts(out, { node, count, from: 0, to: node.length })
    const bytes = Uint8Array.from(out.written())
    ensure(JSON.stringify(readOrRefuse(bytes)) === JSON.stringify(counts), "counts are read as they were written")
    const twice = new VarintWriter()
    addCounts(twice, new VarintReader(bytes), new VarintReader(bytes))
    const sums = counts.map((one) => ({ node: one.node, count: one.count * 2 }))
    ensure(JSON.stringify(readOrRefuse(twice.written())) === JSON.stringify(sums), "profiles are added up")
  },
}

/** The codec refuses with a RangeError; the reader of the file says which file it is. */
function readOrRefuse(bytes: Uint8Array): { node: number; count: number }[] {
  try {
    return readCounts(new VarintReader(bytes))
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}
