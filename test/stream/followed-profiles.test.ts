import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { FollowedProfiles } from "#dist/stream/store/followed-profiles.js"
import { GainsBuilder } from "#dist/stream/store/profile-gains.js"
import { DiskTape } from "../support/disk-tape.ts"
import { systemError, watchFiles } from "./failing-files.ts"
import { makeTemporary, openQuick, readProfiles } from "./store-model.ts"

const group = { name: "group", check: "a1", taxonomy: "tree" }
/** What a topic of releases holds: a user and a topic. The position is the number of releases before it. */
const shown = Array.from({ length: 60 }, (_, i) => ({
  user: i % 7 === 6 ? "ü".repeat(300) : `user ${i % 5}`,
  topic: i % 9,
}))
const quick = { lock: async () => async () => {}, pause: async () => {} }
const open = (folder: string, parts: Parameters<typeof FollowedProfiles.open>[2] = {}, of = group) =>
  FollowedProfiles.open(folder, of, { ...quick, ...parts })

/** Profiles of the first releases, in plain maps. */
function profilesAfter(count: number) {
  const users = new Map<string, Map<number, number>>()
  for (const { user, topic } of shown.slice(0, count)) {
    const own = users.get(user) ?? new Map<number, number>()
    users.set(user, own.set(topic, (own.get(topic) ?? 0) + 1))
  }
  return { users, from: 0, releases: count }
}

/** Counts releases from where the store ends, a checkpoint after each step, as a follower does. */
async function follow(
  profiles: FollowedProfiles,
  options: { until?: number; step?: number; signal?: AbortSignal } = {},
) {
  const { until = shown.length, step = 7, ...also } = options
  for (let at = Number(profiles.soFar.position); at < until; ) {
    const gains = new GainsBuilder()
    const next = Math.min(until, at + step)
    for (const { user, topic } of shown.slice(at, next)) gains.add(user, topic)
    const settings = `{"k":${next}}`
    await profiles.add(gains.build(), { position: String(next), releases: next, lost: 0, settings }, also)
    at = next
  }
}

/** A store with the first releases. */
async function filled(until = 30): Promise<string> {
  const folder = makeTemporary()
  const profiles = await open(folder)
  await follow(profiles, { until })
  await profiles.close()
  return folder
}

const runsIn = (folder: string) => readdirSync(folder).filter((name) => /^profiles-.*\.bin$/.test(name))

describe("profiles that are counted from releases of workers", () => {
  test("are read as those of a stream, in few files, and go on after a restart", async () => {
    const folder = await filled(30)
    expect(await readProfiles(folder)).toEqual(profilesAfter(30))
    const again = await open(folder)
    expect(again.soFar).toEqual({ position: "30", releases: 30, lost: 0, settings: '{"k":30}' })
    await follow(again, { step: 1 })
    await again.close()
    expect(await readProfiles(folder)).toEqual(profilesAfter(60))
    expect(runsIn(folder).length).toBeLessThanOrEqual(5)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder))
      if (!name.startsWith("lock")) expect(statSync(join(folder, name)).mode & 0o77).toBe(0)
  })

  test("lack nothing and count nothing twice after a power loss at any moment", async () => {
    const folder = makeTemporary()
    const tape = new DiskTape(folder)
    await tape.record(async () => {
      const profiles = await open(folder)
      for (let until = 7; until <= 28; until += 7) {
        await follow(profiles, { until })
        tape.note("kept")
      }
      await profiles.close()
    })
    const scratch = makeTemporary()
    const found = new Set<number>()
    let number = 0
    for (const state of tape.states({ random: seededRandom(23), samples: 2 })) {
      const at = join(scratch, String(number++))
      mkdirSync(at)
      state.restore(at)
      const profiles = await open(at)
      const { releases, position } = profiles.soFar
      found.add(releases)
      expect(releases).toBeGreaterThanOrEqual(7 * state.notes.length)
      expect(Number(position)).toBe(releases)
      expect(await readProfiles(at)).toEqual(profilesAfter(releases))
      await follow(profiles, { step: 30 })
      await profiles.close()
      expect(await readProfiles(at)).toEqual(profilesAfter(60))
      rmSync(at, { recursive: true })
    }
    expect(found).toEqual(new Set([0, 7, 14, 21, 28]))
  })

  test("wait while the disk is full, say so, and lose nothing", async () => {
    for (let fails = 0; ; fails++) {
      const folder = await filled(21)
      let deeds = 0
      let isFull = false
      const said: boolean[] = []
      const files = (path: string) =>
        watchFiles(path, ({ bytes }) => {
          if (deeds++ === fails) isFull = true
          if (!isFull) return undefined
          if (bytes === undefined) throw systemError("ENOSPC")
          return { wrote: bytes >> 1, error: systemError("ENOSPC") }
        })
      const pause = async () => {
        isFull = false
      }
      const profiles = await open(folder, { files, pause }).catch(() => undefined)
      if (profiles === undefined) continue // it was full when the store was opened
      const gains = new GainsBuilder()
      for (const { user, topic } of shown.slice(21, 40)) gains.add(user, topic)
      const soFar = { position: "40", releases: 40, lost: 0, settings: "{}" }
      const removed = await profiles
        .add(gains.build(), soFar, { onFull: (full) => said.push(full) })
        .catch(() => "removed")
      await profiles.close()
      // Removing what is no longer needed may fail: the next run does it.
      if (removed === undefined) expect(said).toEqual(deeds > fails ? [true, false] : [])
      expect(await readProfiles(folder)).toEqual(profilesAfter(40))
      if (deeds <= fails) break
    }
  })

  test("end with an error if the disk is full when they are to stop", async () => {
    const folder = await filled(21)
    const stop = new AbortController()
    stop.abort()
    const files = (path: string) =>
      watchFiles(path, ({ bytes }) => (bytes === undefined ? undefined : { wrote: 3, error: systemError("ENOSPC") }))
    const profiles = await open(folder, { files })
    await expect(follow(profiles, { signal: stop.signal })).rejects.toMatchObject({ code: "output-full" })
    await profiles.close()
    expect(await readProfiles(folder)).toEqual(profilesAfter(21))
  })

  test("that are damaged are refused, and nothing is changed", async () => {
    const folder = await filled(30)
    const [name = ""] = runsIn(folder)
    truncateSync(join(folder, name), statSync(join(folder, name)).size >> 1)
    const before = readFileSync(join(folder, "checkpoint.json"), "utf8")
    const error = await open(folder).catch((caught) => caught)
    expect(error).toMatchObject({ code: "store-damaged" })
    expect(error.message).toContain("start a new one in an empty folder")
    expect(readFileSync(join(folder, "checkpoint.json"), "utf8")).toBe(before)
    expect(runsIn(folder)).toContain(name)
    await expect(readProfiles(folder)).rejects.toThrow(/stream profiles follow/)
  })

  test("that become damaged while they are kept stop the follower, and are not counted on", async () => {
    const folder = await filled(30)
    const profiles = await open(folder)
    for (const name of runsIn(folder)) writeFileSync(join(folder, name), "nothing of ours\n".repeat(100))
    await expect(follow(profiles)).rejects.toMatchObject({ code: "store-damaged" })
    await profiles.close()
  })

  test("are refused for another group, another secret and another taxonomy", async () => {
    const folder = await filled(7)
    const refusal = (of: Partial<typeof group>) => open(folder, {}, { ...group, ...of }).catch((error) => error.message)
    expect(await refusal({ name: "other" })).toContain("another group of workers (group)")
    expect(await refusal({ check: "b2" })).toContain("another secret")
    expect(await refusal({ taxonomy: "shrub" })).toContain("another taxonomy")
    await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-mismatch" })
    const own = makeTemporary()
    await (await openQuick(own)).close()
    await expect(open(own)).rejects.toThrow(/the store of a stream/)
  })

  test("are kept by one process at a time", async () => {
    const folder = makeTemporary()
    const first = await FollowedProfiles.open(folder, group)
    await expect(FollowedProfiles.open(folder, group)).rejects.toMatchObject({ code: "store-busy" })
    await first.close()
    await (await FollowedProfiles.open(folder, group)).close()
  })
})
