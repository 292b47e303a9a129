import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Frame } from "#dist/stream/store/frame.js"
import { decodeFrame, encodeFrame } from "#dist/stream/store/frame-codec.js"
import { plain } from "./store-model.ts"

const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })

/** Any frame. Texts are any bytes. */
const frames: fc.Arbitrary<Frame> = fc
  .record({
    firstRecord: number,
    firstRelease: number,
    records: fc.array(
      fc.tuple(
        int32,
        int32,
        int32,
        fc.nat({ max: 65535 }),
        fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 3, maxLength: 3 }),
      ),
    ),
    deals: fc.array(fc.tuple(number, number)),
    cells: fc.array(fc.tuple(fc.nat(), int32, int32)),
    input: fc.string({ unit: "grapheme" }),
    change: fc.string(),
    answered: fc.string({ unit: "grapheme" }),
    totals: fc.dictionary(
      fc.string({ unit: "grapheme" }).filter((name) => name !== "__proto__"),
      number,
    ),
  })
  .map(({ records, deals, cells, ...rest }) => {
    const texts = records.flatMap(([, , , , parts]) => parts)
    let end = 0
    return {
      ...rest,
      records: {
        count: records.length,
        topic: Int32Array.from(records, ([topic]) => topic),
        time: Int32Array.from(records, ([, time]) => time),
        arrival: Int32Array.from(records, ([, , arrival]) => arrival),
        rank: Uint16Array.from(records, ([, , , rank]) => rank),
        ends: Uint32Array.from(texts, ({ length }) => (end += length)),
        arena: new Uint8Array(Buffer.concat(texts)),
      },
      deals: {
        record: Float64Array.from(deals, ([record]) => record),
        as: Float64Array.from(deals, ([, as]) => as),
        cellEnd: Uint32Array.from(cells, ([end]) => end),
        cellTime: Int32Array.from(cells, ([, time]) => time),
        cellUsers: Int32Array.from(cells, ([, , users]) => users),
      },
    }
  })
const seeds = fc.nat({ max: 2 ** 32 - 1 })

describe("a frame as bytes", () => {
  test("returns the same frame, wherever the bytes are in memory", () => {
    fc.assert(
      fc.property(frames, seeds, fc.nat({ max: 9 }), (frame, seed, shift) => {
        const bytes = encodeFrame(frame, { seed })
        const moved = Buffer.alloc(bytes.length + shift + 5)
        bytes.copy(moved, shift)
        const read = decodeFrame(moved.subarray(shift), { seed })
        expect(read?.length).toBe(bytes.length)
        expect(plain(read?.frame as Frame)).toEqual(plain(frame))
      }),
    )
  })

  test("is refused if it is short, if any bit differs, and under another key", () => {
    fc.assert(
      fc.property(frames, seeds, fc.nat(), (frame, seed, place) => {
        const bytes = encodeFrame(frame, { seed })
        expect(decodeFrame(bytes.subarray(0, place % bytes.length), { seed })).toBeUndefined()
        expect(decodeFrame(bytes, { seed: (seed + 1) % 2 ** 32 })).toBeUndefined()
        bytes[place % bytes.length] ^= 1 << (place % 8)
        expect(decodeFrame(bytes, { seed })).toBeUndefined()
      }),
    )
  })

  test("uses no more of a column than its records", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const { records } = frame
        const longer: Frame = {
          ...frame,
          records: {
            ...records,
            topic: Int32Array.of(...records.topic, 5),
            time: Int32Array.of(...records.time, 5),
            arrival: Int32Array.of(...records.arrival, 5, 6),
            rank: Uint16Array.of(...records.rank, 5),
            ends: Uint32Array.of(...records.ends, 9, 9),
            arena: Uint8Array.of(...records.arena, 1, 2, 3),
          },
        }
        expect(encodeFrame(longer, { seed: 1 })).toEqual(encodeFrame(frame, { seed: 1 }))
      }),
    )
  })
})
