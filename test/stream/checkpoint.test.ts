import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Mode, Model, makeTemporary, openQuick, plain, readProfiles, recover, steps } from "./store-model.ts"

const modes: Mode[] = ["strict", "paper"]

describe("what a store gives back after a restart", () => {
  test.each(modes)("is what the frames add up to, wherever checkpoints were made (%s)", async (mode) => {
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
        const before = { waiting: model.waiting(), applied: model.releases, profiles: structuredClone(model.profiles) }
        const store = await openQuick(folder, { mode })
        expect(store.recovered.boundary).toEqual(boundary)
        const hashes = model.hashes(store.key)
        const frames = rest.map((step) => model.step(step))
        await Promise.all(frames.map((frame) => store.append(frame)))
        await store.close()

        const again = await openQuick(folder, { mode })
        const found = await recover(again)
        expect(found.waiting).toEqual(before.waiting)
        expect(found.released).toEqual(hashes)
        expect(found.frames).toEqual(frames.map(plain))
        expect(found.cut).toBe(0)
        const profiles = await readProfiles(folder)
        expect(profiles.users).toEqual(before.profiles)
        expect(profiles.applied).toBe(before.applied)
        await again.close()
      }),
      { numRuns: 25 },
    )
  })
})
