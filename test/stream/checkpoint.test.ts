import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Frame } from "#dist/stream/store/frame.js"
import { type Mode, Model, makeTemporary, openQuick, plain, readProfiles, recover, steps } from "./store-model.ts"

const modes: Mode[] = ["strict", "paper"]

describe("the content of a store after a restart", () => {
  test.each(modes)("is the sum of all frames, wherever checkpoints were made (%s)", async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), steps, async (spans, rest) => {
        const folder = makeTemporary()
        const model = new Model(mode)
        for (const span of spans) {
          const store = await openQuick(folder, { mode })
          for (const step of span) await store.append(model.step(step))
          store.checkpoint(model.boundary, async () => {})
          await store.close()
        }
        const { boundary } = model
        const waiting = model.waiting()
        const store = await openQuick(folder, { mode })
        expect(store.recovered.boundary).toEqual(boundary)
        const hashes = model.hashes(store)
        const frames = rest.map((step) => model.step(step))
        await Promise.all(frames.map((frame) => store.append(frame)))
        await store.close()

        const again = await openQuick(folder, { mode })
        const found = await recover(again)
        expect(found.waiting).toEqual(waiting)
        expect(found.released).toEqual(hashes)
        expect(found.frames).toEqual(frames.map(plain))
        expect(found.cut).toBe(0)
        const profiles = await readProfiles(folder)
        expect(profiles).toEqual({ users: model.profiles, from: 0, releases: model.releases })
        await again.close()
      }),
      { numRuns: 25 },
    )
  })

  test("is complete if snapshots have many blocks, some of them unchanged", async () => {
    const folder = makeTemporary()
    const size = 200_000
    const perFrame = 40_000
    const taken = new Set<number>()
    let releases = 0
    /** Records whose only text is their number, as the user. Deals swap neighbours. */
    const frameOf = (firstRecord: number, count: number, leaving: number[]): Frame => {
      const users = Array.from({ length: count }, (_, i) => `${firstRecord + i}`)
      const ends = users.map(({ length }) => length)
      for (let i = 1; i < count; i++) ends[i] += ends[i - 1]
      const column = Int32Array.from({ length: count }, (_, i) => firstRecord + i)
      const firstRelease = releases
      releases += leaving.length
      for (const number of leaving) taken.add(number)
      return {
        firstRecord,
        records: {
          count,
          topic: column,
          time: column,
          arrival: column,
          rank: new Uint16Array(count),
          ends: Uint32Array.from(users.flatMap((_, i) => [ends[i], ends[i], ends[i]])),
          arena: new Uint8Array(Buffer.from(users.join(""))),
        },
        firstRelease,
        deals: {
          record: Float64Array.from(leaving),
          as: Float64Array.from(leaving, (_, i) => leaving[i ^ 1]),
          cellEnd: Uint32Array.of(leaving.length),
          cellTime: Int32Array.of(0),
          cellUsers: Int32Array.of(2),
        },
        input: "",
        change: "",
        totals: {},
        answered: "",
      }
    }
    const boundary = (record: number) => ({
      ...new Model("strict").boundary,
      record,
      output: { releases, bytes: 0 },
    })
    const check = async () => {
      const store = await openQuick(folder)
      const found: number[] = []
      for await (const { records, number, parts } of store.recovered.waiting()) {
        for (let i = 0; i < records.count; i++) {
          const start = i === 0 ? 0 : records.ends[i * 3 - 1]
          const user = Buffer.from(records.arena.subarray(start, records.ends[i * 3])).toString()
          if (user !== `${number[i]}` || records.topic[i] !== number[i] || parts[i] !== 3) throw new Error("mixed up")
        }
        found.push(...number)
      }
      expect(found).toEqual(
        Array.from({ length: store.recovered.boundary.record }, (_, i) => i).filter((i) => !taken.has(i)),
      )
      return store
    }
    const begun = await openQuick(folder)
    for (let i = 0; i < size; i += perFrame) await begun.append(frameOf(i, perFrame, []))
    begun.checkpoint(boundary(size), async () => {})
    await begun.close()
    // The first and the fourth block change; then many records of the first leave; then some that were copied before.
    const leavings = [
      [5, 7, 199_998, 199_999],
      Array.from({ length: 40_000 }, (_, i) => i + 10),
      [70_000, 70_001, 199_000, 199_001],
    ]
    for (const [round, leaving] of leavings.entries()) {
      const store = await check()
      await store.append(frameOf(size + round * 10, 10, leaving))
      store.checkpoint(boundary(size + (round + 1) * 10), async () => {})
      await store.close()
    }
    await (await check()).close()
    const profiles = await readProfiles(folder)
    expect(profiles.releases).toBe(releases)
    expect(profiles.users.get("70000")).toEqual(new Map([[70_001, 1]]))
  })
})
