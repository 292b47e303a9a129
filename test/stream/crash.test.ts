import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { watchFiles } from "./failing-files.ts"
import { type Mode, Model, makeTemporary, openQuick, plain, readProfiles, recover, type Step } from "./store-model.ts"

const record = (user: number, topic: number) => ({ user, query: topic, topic, url: topic % 2 === 0 })
const steps = Array.from({ length: 9 }, (_, i): Step => {
  return {
    records: [record(i % 6, i), record((i + 1) % 6, 3), record((i * 5) % 7, i + 100)],
    picks: [i, i * 3, i * 7 + 1],
  }
})
/**
 * Number of frames before the first checkpoint, before the second (in which it crashes), and while the second is made.
 */
const [first, second, third] = [3, 6, 8]

function modelAfter(mode: Mode, frames: number): Model {
  const model = new Model(mode)
  for (const step of steps.slice(0, frames)) model.step(step)
  return model
}

/**
 * Two runs. The second stops for good before its deed `crashAt`. Returns how many frames were acknowledged, and the
 * deeds done.
 */
async function runUntil(folder: string, mode: Mode, crashAt: number) {
  const model = new Model(mode)
  const frames = steps.map((step) => model.step(step))
  const whole = await openQuick(folder, { mode })
  for (const frame of frames.slice(0, first)) await whole.append(frame)
  whole.checkpoint(modelAfter(mode, first).boundary, async () => {})
  await whole.close()

  const deeds: string[] = []
  const files = (at: string) =>
    watchFiles(at, ({ what }) => {
      if (deeds.length >= crashAt) throw new Error("crashed")
      deeds.push(what)
    })
  let acknowledged = first
  const count = () => void acknowledged++
  const store = await openQuick(folder, { mode, files })
  try {
    for (const frame of frames.slice(first, second)) await store.append(frame).then(count)
    store.checkpoint(modelAfter(mode, second).boundary, async () => void deeds.push("settle"))
    for (const frame of frames.slice(second, third)) await store.append(frame).then(count)
  } catch {}
  await store.close().catch(() => {})
  return { acknowledged, deeds, frames }
}

describe.each<Mode>(["strict", "paper"])("a crash at any point of a checkpoint (%s)", (mode) => {
  test("leaves the old or the new checkpoint complete: nothing lost or doubled, profiles counted once", async () => {
    const { deeds } = await runUntil(makeTemporary(), mode, Number.POSITIVE_INFINITY)
    expect(deeds).toEqual(
      expect.arrayContaining([
        "flush snapshot-2.bin",
        "flush released-1.bin",
        "rename checkpoint.json.tmp",
        "remove snapshot-1.bin",
      ]),
    )
    const boundaries = new Set<number>()
    for (let crashAt = 0; crashAt < deeds.length; crashAt++) {
      const folder = makeTemporary()
      const { acknowledged, frames } = await runUntil(folder, mode, crashAt)

      const store = await openQuick(folder, { mode })
      const found = await recover(store)
      const base = found.boundary.record / 3
      boundaries.add(base)
      const there = base + found.frames.length
      expect([first, second]).toContain(base)
      expect(there).toBeGreaterThanOrEqual(acknowledged)
      expect(found.boundary).toEqual(modelAfter(mode, base).boundary)
      expect(found.waiting).toEqual(modelAfter(mode, base).waiting())
      expect(found.released).toEqual(modelAfter(mode, base).hashes(store))
      expect(found.frames).toEqual(frames.slice(base, there).map(plain))
      expect(readdirSync(folder).filter((name) => /tmp$|^snapshot/.test(name)).length).toBe(1)

      for (const frame of frames.slice(there)) await store.append(frame)
      const whole = modelAfter(mode, steps.length)
      store.checkpoint(whole.boundary, async () => {})
      await store.close()
      const again = await openQuick(folder, { mode })
      expect(await recover(again)).toMatchObject({
        waiting: whole.waiting(),
        released: whole.hashes(again),
        frames: [],
      })
      await again.close()
      const profiles = await readProfiles(folder)
      expect(profiles).toEqual({ users: whole.profiles, from: 0, releases: whole.releases })
    }
    expect(boundaries).toEqual(new Set([first, second]))
  })
})

describe("a checkpoint", () => {
  test("counts only after the output is settled", async () => {
    const { deeds } = await runUntil(makeTemporary(), "strict", Number.POSITIVE_INFINITY)
    const settled = deeds.indexOf("settle")
    expect(settled).toBeGreaterThan(deeds.indexOf("flush snapshot-2.bin"))
    expect(deeds.slice(0, settled).filter((what) => /checkpoint|remove/.test(what))).toEqual([])
    expect(deeds.slice(settled)).toContain("rename checkpoint.json.tmp")
  })

  test("whose output cannot be settled changes nothing, and stops the store", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const frames = steps.map((step) => model.step(step))
    const store = await openQuick(folder)
    await store.append(frames[0])
    store.checkpoint(modelAfter("strict", 1).boundary, async () => {
      throw new Error("the output is gone")
    })
    await expect(store.close()).rejects.toThrow("the output is gone")
    const again = await openQuick(folder)
    const found = await recover(again)
    expect([found.waiting, found.released, found.frames]).toEqual([[], [], [plain(frames[0])]])
    await again.close()
  })

  test("waits for room on a full disk, and is then made", async () => {
    const folder = makeTemporary()
    let failures = 3
    const files = (at: string) =>
      watchFiles(at, ({ what }) => {
        if (what === "rename checkpoint.json.tmp" && failures > 0 && readdirSync(at).includes("snapshot-1.bin")) {
          failures--
          throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
        }
      })
    const model = new Model("strict")
    const told: string[] = []
    let now = 1000
    const onFull = (full: boolean, what: string) => void told.push(`${what} ${full ? "has no room" : "has room again"}`)
    const store = await openQuick(folder, { files, onFull, now: () => now })
    await store.append(model.step(steps[0]))
    now = 5000
    expect(store.checkpointed).toEqual({ at: 1000, isStalled: false })
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    expect(failures).toBe(0)
    expect(told).toEqual(["checkpoint has no room", "checkpoint has room again"])
    expect(store.checkpointed).toEqual({ at: 5000, isStalled: false })
    const again = await openQuick(folder)
    expect((await recover(again)).waiting).toEqual(model.waiting())
    await again.close()
  })
})
