import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import { openStore, type StoreOptions, storeParts } from "#dist/stream/store/open-store.js"
import { openProfiles } from "#dist/stream/store/profiles.js"
import { Model, makeTemporary, openQuick, plain, readProfiles, recover, type Step } from "./store-model.ts"

const options: StoreOptions = { mode: "strict", taxonomy: "tree", now: () => 0 }
const step = (i: number): Step => ({
  records: [1, 2, 3, 4].map((user) => ({ user, query: i % 9, topic: user * i, url: false })),
  picks: [i, i + 1, i + 2],
})

function startScript(name: string, folder: string): ChildProcess {
  const script = fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))
  const child = spawn(process.execPath, [script, folder], { stdio: ["pipe", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  return child
}

/** The next line that a script prints. */
async function says(child: ChildProcess): Promise<string> {
  const [data] = await once(child.stdout ?? child, "data")
  return String(data).trim()
}

describe("a store with all its parts", () => {
  test("makes checkpoints in the background while frames are appended, and continues after a restart", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openStore(folder, options)
    for (let i = 0; i < 5; i++) await store.append(model.step(step(i)))
    const { boundary, ...at } = { boundary: model.boundary, waiting: model.waiting() }
    store.checkpoint(boundary, async () => {})
    expect(store.due).toBe(false)
    const frames = [5, 6, 7].map((i) => model.step(step(i)))
    await Promise.all(frames.map((frame) => store.append(frame)))
    await store.close()

    const again = await openStore(folder, options)
    expect(again.key).toEqual(store.key)
    const found = await recover(again)
    expect(found).toMatchObject({ boundary, waiting: at.waiting, frames: frames.map(plain), cut: 0 })
    expect((await readProfiles(folder)).releases).toBe(model.releases)
    again.checkpoint(model.boundary, async () => {})
    await again.close()
    const profiles = await readProfiles(folder)
    expect(profiles.users).toEqual(model.profiles)
  })

  test("lets nobody else read any of its files, whatever the umask", async () => {
    const folder = makeTemporary()
    const before = process.platform === "win32" ? 0 : Number.parseInt(execFileSync("sh", ["-c", "umask"]).toString(), 8)
    expect(before).not.toBe(0o77) // otherwise the test shows nothing
    const store = await openStore(folder, options)
    const model = new Model("strict")
    await store.append(model.step(step(1)))
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const names = readdirSync(folder, { recursive: true }).map(String)
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) {
      const found = statSync(join(folder, name))
      expect([name, found.mode & 0o777]).toEqual([name, found.isDirectory() ? 0o700 : 0o600])
    }
  })
})

describe("a store in use", () => {
  const start = (folder: string) => startScript("hold-store.mjs", folder)

  test("is refused to a second process, and free again after kill -9", async () => {
    const folder = makeTemporary()
    const first = start(folder)
    expect(await says(first)).toBe("held")
    await expect(openStore(folder, options)).rejects.toMatchObject({ code: "store-busy" })
    first.kill("SIGKILL")
    await once(first, "exit")
    const store = await openStore(folder, options)
    expect(await says(start(folder))).toBe("store-busy")
    await store.close()
  })

  test("is opened by exactly one of two processes that start together, in an empty folder and in a store", async () => {
    const folder = join(makeTemporary(), "new")
    for (let round = 0; round < 2; round++) {
      const children = [1, 2].map(() => start(folder))
      const answers = await Promise.all(children.map(says))
      expect(answers.sort()).toEqual(["held", "store-busy"])
      for (const child of children) child.kill("SIGKILL")
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")))
    }
  })

  test("is not opened twice in one process, however the path is written", async () => {
    const folder = makeTemporary()
    const store = await openStore(folder, options)
    await expect(openStore(`${folder}/../${folder.split("/").at(-1)}`, options)).rejects.toMatchObject({
      code: "store-busy",
    })
    await store.close()
    await (await openStore(folder, options)).close()
  })
})

describe("a folder", () => {
  test("with other files is refused and not changed", async () => {
    const folder = makeTemporary()
    writeFileSync(join(folder, "thesis.txt"), "text", { mode: 0o644 })
    const { mode } = statSync(folder)
    await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-foreign" })
    expect(readdirSync(folder)).toEqual(["thesis.txt"])
    expect(statSync(folder).mode).toBe(mode)
  })

  test("with a store of another mode or taxonomy is refused", async () => {
    const folder = makeTemporary()
    await (await openQuick(folder)).close()
    await expect(openQuick(folder, { mode: "paper" })).rejects.toThrow(/started in mode strict, not paper/)
    await expect(openQuick(folder, { taxonomy: "forest" })).rejects.toMatchObject({ code: "store-mismatch" })
  })

  test("with the facts of another store is refused, and its journal is not cut", async () => {
    const [folder, other] = [makeTemporary(), makeTemporary()]
    const store = await openQuick(folder)
    await store.append(new Model("strict").step(step(1)))
    await store.close()
    await (await openQuick(other)).close()
    const before = readFileSync(join(folder, "journal-1.log"))
    copyFileSync(join(other, "store.json"), join(folder, "store.json"))
    await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-damaged" })
    expect(readFileSync(join(folder, "journal-1.log"))).toEqual(before)
  })

  test("is never left with a checkpoint that cannot be read back", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openQuick(folder)
    await store.append(model.step(step(1)))
    store.checkpoint({ ...model.boundary, record: Number.NaN }, async () => {})
    await expect(store.close()).rejects.toThrow("would not be readable")
    const again = await openQuick(folder)
    expect((await recover(again)).frames.length).toBe(1)
    await again.close()
  })

  test("in which the machine stopped while a store was created gets a new store", async () => {
    const folder = makeTemporary()
    await (await openQuick(folder)).close()
    rmSync(join(folder, "store.json")) // which is written last
    const store = await openQuick(folder)
    await store.append(new Model("strict").step(step(1)))
    await store.close()
    rmSync(join(folder, "store.json"))
    await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-foreign" })
  })

  test.each(["checkpoint.json", "snapshot-1.bin", "released-1.bin"])("with a damaged %s is refused", async (name) => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openQuick(folder)
    await store.append(model.step(step(1)))
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    const path = join(folder, name)
    const bytes = readFileSync(path)
    for (const damage of [bytes.subarray(0, bytes.length - 5), Buffer.concat([Buffer.of(1), bytes.subarray(2)])]) {
      if (name === "released-1.bin" && damage.length < bytes.length - 1) continue
      writeFileSync(path, damage)
      const refused = openQuick(folder).then(async (again) => recover(again).finally(() => again.close()))
      await expect(refused).rejects.toMatchObject({ code: "store-damaged" })
    }
  })
})

describe("a checkpoint is due", () => {
  test("when the journal grew and is old, or is long, and not while one is in progress", async () => {
    let now = 1_000_000
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openQuick(folder, { now: () => now, checkpointSeconds: 30 })
    now += 60_000
    expect(store.due).toBe(false) // nothing was appended
    await store.append(model.step(step(1)))
    expect(store.due).toBe(true)
    store.checkpoint(model.boundary, async () => {})
    expect(store.due).toBe(false)
    await store.append(model.step(step(2)))
    now += 29_000
    expect(store.due).toBe(false)
    await store.close()
    now -= 500_000 // the clock was set back
    const again = await openQuick(folder, { now: () => now, checkpointSeconds: 30 })
    now -= 500_000
    expect(again.due).toBe(false)
    now += 30_000
    expect(again.due).toBe(true)
    await again.close()
  })
})

describe("released pairs", () => {
  test("are remembered in two generations, and the older one is forgotten first", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    for (let round = 0; round < 9; round++) {
      const store = await openQuick(folder, { remember: 5 })
      for (let i = 0; i < 3; i++) await store.append(model.step(step(round * 3 + i)))
      store.checkpoint(model.boundary, async () => {})
      await store.close()
      const again = await openQuick(folder, { remember: 5 })
      const { released } = await recover(again)
      await again.close()
      const all = model.hashes(again)
      expect(released).toEqual(all.slice(all.length - released.length))
      expect(released.length / 2).toBeGreaterThanOrEqual(Math.min(model.releases, 5))
      expect(released.length / 2).toBeLessThanOrEqual(10)
      expect(readdirSync(folder).filter((name) => name.startsWith("released")).length).toBeLessThanOrEqual(2)
    }
    expect(model.releases).toBeGreaterThan(20)
  })
})

describe("profiles", () => {
  test("are counts by topic of the shown users, and state the releases that they cover", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openQuick(folder)
    const empty = await readProfiles(folder)
    expect([empty.users.size, empty.releases]).toEqual([0, 0])
    for (let i = 0; i < 6; i++) await store.append(model.step(step(i)))
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    expect(await readProfiles(folder)).toEqual({ users: model.profiles, from: 0, releases: model.releases })
    const profiles = await openProfiles(folder)
    expect(profiles.facts).toMatchObject({ mode: "strict", taxonomy: "tree" })
    await profiles.close()
  })

  test("can be read by another process while the stream runs, and stay up to date", async () => {
    const folder = makeTemporary()
    const model = new Model("strict")
    const store = await openQuick(folder)
    await store.append(model.step(step(1)))
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    const running = await openQuick(folder)
    const reader = startScript("read-profiles.mjs", folder)
    for (let i = 2; i < 5; i++) {
      reader.stdin?.write("now\n")
      const { releases, users } = JSON.parse(await says(reader))
      expect(releases).toBe(model.releases)
      const found = new Map(
        users.map(([user, counts]: [string, { node: number; count: number }[]]) => [
          user,
          new Map(counts.map(({ node, count }) => [node, count])),
        ]),
      )
      expect(found).toEqual(model.profiles)
      await running.append(model.step(step(i)))
      await running.checkpoint(model.boundary, async () => {})
    }
    await running.close()
  })

  test("of a folder that is not a store are refused", async () => {
    await expect(openProfiles(makeTemporary())).rejects.toMatchObject({ code: "store-foreign" })
  })
})

describe.runIf(process.getuid?.() === 0 && process.platform === "linux" && canMount())("on a full disk", () => {
  test("the stream waits, says so, and continues when there is room", async () => {
    const folder = join(makeTemporary(), "small")
    mkdirSync(folder)
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder])
    onTestFinished(() => void execFileSync("umount", ["-l", folder]))
    const dir = join(folder, "store")
    const ballast = join(folder, "ballast")
    const said: boolean[] = []
    const model = new Model("strict")
    const store = await openStore(
      dir,
      { ...options, onFull: (full) => void said.push(full) },
      { ...storeParts, pause: async () => rmSync(ballast, { force: true }) },
    )
    await store.append(model.step(step(0)))
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    const frames = Array.from({ length: 40 }, (_, i) => model.step(step(i + 1)))
    for (const frame of frames) await store.append(frame)
    expect(said).toEqual([true, false])
    expect(existsSync(ballast)).toBe(false)

    const left = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(left.bavail * left.bsize))
    store.checkpoint(model.boundary, async () => {})
    await store.close()
    const again = await openStore(dir, options)
    expect((await recover(again)).waiting).toEqual(model.waiting())
    await again.close()
    expect((await readProfiles(dir)).users).toEqual(model.profiles)
  })
})

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-mount-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" })
    execFileSync("umount", [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
