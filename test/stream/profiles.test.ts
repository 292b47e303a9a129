import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { type Mode, Model, makeTemporary, openQuick, readProfiles, recover, type Step } from "./store-model.ts"

const random = seededRandom(7)
const pick = (count: number) => random.below(count)
const step = (): Step => ({
  records: Array.from({ length: 6 }, () => ({ user: pick(7), query: pick(9), topic: pick(300), url: false })),
  picks: Array.from({ length: 6 }, () => pick(1000)),
})
const runsIn = (folder: string) => readdirSync(folder).filter((name) => /^profiles-.*\.bin$/.test(name))

/** A store after this many checkpoints, and its model. */
async function filledStore(checkpoints: number, options: { mode?: Mode; audit?: string } = {}) {
  const folder = makeTemporary()
  const model = new Model(options.mode ?? "strict")
  const go = (more = checkpoints, also: Parameters<typeof openQuick>[1] = {}) =>
    goOn(folder, model, { checkpoints: more, ...options, ...also })
  await go()
  return { folder, model, go }
}

/** Opens a store, makes checkpoints after two steps each, and closes it. Returns what it said of damage. */
async function goOn(
  folder: string,
  model: Model,
  { checkpoints, ...options }: { checkpoints: number } & Parameters<typeof openQuick>[1],
): Promise<string[]> {
  const said: string[] = []
  const store = await openQuick(folder, {
    ...options,
    mode: model.mode,
    onDamage: (message) => void said.push(message),
  })
  await recover(store)
  for (let i = 0; i < checkpoints; i++) {
    for (let j = 0; j < 2; j++) await store.append(model.step(step()))
    await store.checkpoint(model.boundary, async () => {})
  }
  await store.close()
  return said
}

/** Profiles of what a model has released since it had shown `before`. */
function gainedSince(model: Model, before: Map<string, Map<number, number>>) {
  const gained = new Map<string, Map<number, number>>()
  for (const [user, counts] of model.profiles) {
    const more = [...counts]
      .map(([node, count]): [number, number] => [node, count - (before.get(user)?.get(node) ?? 0)])
      .filter(([, count]) => count > 0)
    if (more.length > 0) gained.set(user, new Map(more))
  }
  return gained
}

describe.each<Mode>(["strict", "paper"])("profiles in files (%s)", (mode) => {
  test("are the sum of all checkpoints, in few files", async () => {
    const { folder, model, go } = await filledStore(0, { mode })
    for (let round = 0; round < 12; round++) {
      await go(4)
      expect(await readProfiles(folder)).toEqual({ users: model.profiles, from: 0, releases: model.releases })
      expect(runsIn(folder).length).toBeLessThanOrEqual(5)
    }
    expect(model.releases).toBeGreaterThan(200)
  })
})

type Damage = [string, (file: string) => void]

const damages: Damage[] = [
  ["is cut in half", (file) => truncateSync(file, statSync(file).size >> 1)],
  ["is empty", (file) => truncateSync(file, 0)],
  ["is gone", (file) => rmSync(file)],
  ["is something else", (file) => writeFileSync(file, "nothing of ours\n".repeat(100))],
  ...[0, 5, 13, 30, 60, 100].map((place): Damage => [`has another byte ${place}`, (file) => flip(file, place)]),
]

function flip(file: string, place: number): void {
  const bytes = readFileSync(file)
  bytes[place % bytes.length] ^= 4
  writeFileSync(file, bytes)
}

describe("a profile file that", () => {
  test.each(damages)("%s is reported and set aside, and the stream continues", async (_what, damage) => {
    const { folder, model, go } = await filledStore(3)
    const [name] = runsIn(folder)
    damage(join(folder, name))
    const before = { profiles: structuredClone(model.profiles), releases: model.releases }
    await expect(readProfiles(folder)).rejects.toMatchObject({ code: "store-damaged" })

    const said = await go(2)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(name)
    expect(said[0]).toContain(`from release ${before.releases} on`)
    expect(await readProfiles(folder)).toEqual({
      users: gainedSince(model, before.profiles),
      from: before.releases,
      releases: model.releases,
    })
    expect(await go(1)).toEqual([])
  })

  test("is damaged while the stream runs is reported when it is read, and the stream continues", async () => {
    const { folder, model } = await filledStore(3)
    const said: string[] = []
    const store = await openQuick(folder, { onDamage: (message) => void said.push(message) })
    await recover(store)
    for (const name of runsIn(folder)) flip(join(folder, name), 40)
    const before = { profiles: structuredClone(model.profiles), releases: model.releases }
    for (let i = 0; i < 6; i++) await store.append(model.step(step()))
    await store.checkpoint(model.boundary, async () => {})
    await store.close()
    expect(said).toHaveLength(1)
    expect(await readProfiles(folder)).toEqual({
      users: gainedSince(model, before.profiles),
      from: before.releases,
      releases: model.releases,
    })
  })

  test.each<Mode>(["strict", "paper"])("is damaged is rebuilt from the audit (%s)", async (mode) => {
    const audit = join(makeTemporary(), "audit")
    const { folder, model, go } = await filledStore(4, { mode, audit })
    for (const name of runsIn(folder)) rmSync(join(folder, name))
    expect(await go(1)).toHaveLength(1)
    expect(await readProfiles(folder)).toEqual({ users: model.profiles, from: 0, releases: model.releases })
    expect(await go(3)).toEqual([])
    expect(await readProfiles(folder)).toEqual({ users: model.profiles, from: 0, releases: model.releases })
  })

  test("is damaged while the stream runs is rebuilt from the audit at the next checkpoint", async () => {
    const audit = join(makeTemporary(), "audit")
    const { folder, model } = await filledStore(3, { audit })
    const said: string[] = []
    const store = await openQuick(folder, { audit, onDamage: (message) => void said.push(message) })
    await recover(store)
    for (const name of runsIn(folder)) flip(join(folder, name), 40)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 6; i++) await store.append(model.step(step()))
      await store.checkpoint(model.boundary, async () => {})
    }
    await store.close()
    expect(said).toHaveLength(1)
    expect(await readProfiles(folder)).toEqual({ users: model.profiles, from: 0, releases: model.releases })
    expect(readdirSync(folder).filter((name) => name.endsWith(".damaged")).length).toBeGreaterThan(0)
  })

  test("is damaged is not rebuilt from an audit that began later or is damaged too", async () => {
    const audit = join(makeTemporary(), "audit")
    const { folder, model, go } = await filledStore(2)
    await go(2, { audit })
    const late = model.releases
    for (const name of runsIn(folder)) rmSync(join(folder, name))
    await go(1, { audit })
    expect((await readProfiles(folder)).from).toBe(late)

    const other = join(makeTemporary(), "audit")
    const whole = await filledStore(3, { audit: other })
    for (const name of runsIn(whole.folder)) rmSync(join(whole.folder, name))
    for (const name of readdirSync(other).filter((file) => file.startsWith("journal"))) flip(join(other, name), 50)
    const from = whole.model.releases
    expect(await whole.go(1)).toHaveLength(2)
    expect((await readProfiles(whole.folder)).from).toBe(from)
  })
})
