import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { DiskTape } from "../support/disk-tape.ts"
import { type Mode, Model, makeTemporary, openQuick, plain, readProfiles, recover, type Step } from "./store-model.ts"

const record = (user: number, topic: number) => ({ user, query: topic, topic, url: topic % 2 === 0 })
const steps = Array.from({ length: 8 }, (_, i): Step => {
  return {
    records: [record(i % 6, i), record((i + 1) % 6, 3), record((i * 5) % 7, i + 100)],
    picks: [i, i * 3, i * 7 + 1],
  }
})

function modelAfter(mode: Mode, frames: number): Model {
  const model = new Model(mode)
  for (const step of steps.slice(0, frames)) model.step(step)
  return model
}

/**
 * Records on tape how a store is created, filled, and makes two checkpoints. Each frame reported as durable is noted.
 */
async function recordStore(mode: Mode): Promise<DiskTape> {
  const folder = makeTemporary()
  const tape = new DiskTape(folder)
  await tape.record(async () => {
    const model = new Model(mode)
    const frames = steps.map((step) => model.step(step))
    const store = await openQuick(folder, { mode })
    for (const [i, frame] of frames.entries()) {
      await store.append(frame)
      tape.note("frame")
      if (i !== 2 && i !== 5) continue
      store.checkpoint(modelAfter(mode, i + 1).boundary, async () => {})
      await store.settled()
      tape.note("checkpoint")
    }
    await store.close()
  })
  return tape
}

describe.each<Mode>(["strict", "paper"])("a store after a power loss at any moment (%s)", (mode) => {
  test("has every frame that was reported durable, once, in order, and continues", async () => {
    const tape = await recordStore(mode)
    const model = new Model(mode)
    const frames = steps.map((step) => plain(model.step(step)))
    const scratch = mkdtempSync(join(tmpdir(), "queryveil-power-"))
    let number = 0
    const bases = new Set<number>()
    try {
      for (const state of tape.states({ random: seededRandom(16), samples: 3 })) {
        const folder = join(scratch, String(number++))
        mkdirSync(folder)
        state.restore(folder)
        const store = await openQuick(folder, { mode })
        const found = await recover(store)
        const base = found.boundary.record / 3
        const there = base + found.frames.length
        bases.add(base)
        expect(there).toBeGreaterThanOrEqual(state.notes.filter((note) => note === "frame").length)
        expect(found.frames).toEqual(frames.slice(base, there))
        if (base > 0) {
          expect(found.boundary).toEqual(modelAfter(mode, base).boundary)
          expect(found.waiting).toEqual(modelAfter(mode, base).waiting())
          expect(found.released).toEqual(modelAfter(mode, base).hashes(store))
        }
        const { profiles, releases } = modelAfter(mode, there)
        expect(await readProfiles(folder)).toEqual({ users: profiles, from: 0, releases })
        await store.close()
        rmSync(folder, { recursive: true })
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
    expect(bases).toEqual(new Set([0, 3, 6]))
  })
})
