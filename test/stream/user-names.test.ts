import { createHmac } from "node:crypto"
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { LiveRecords } from "#dist/stream/live/live-records.js"
import { type NameLifetime, UserNames } from "#dist/stream/live/user-names.js"
import { groupBy } from "../support/group-by.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import {
  type Line,
  memoryOutput,
  offerLines,
  openRun,
  queryPaths,
  type Released,
  type RunOptions,
  releasedOf,
  topicsFile,
} from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(4000), "paths.tsv")

const key = Buffer.alloc(32, 7)
const lasting = ["day", "pseudonym"] as const

/** Names from a fixed key. */
function namer(lifetime: NameLifetime) {
  const records = new LiveRecords()
  const names = new UserNames(records, { key })
  names.use(lifetime)
  const idOf = (user: string) => {
    const bytes = Buffer.from(user)
    let hash = 0
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
    return records.users.hold(bytes, 0, bytes.length, hash)
  }
  return {
    names,
    nameOf: (user: string, time = 0) => Buffer.from(names.find(idOf(user), time)).toString(),
  }
}

const base32 = "abcdefghijklmnopqrstuvwxyz234567"
/** `u` and sixty bits of a digest from a position on, by hand. */
function nameBy(digest: Buffer, at = 0): string {
  const halves = [digest.readUInt32LE(at), digest.readUInt32LE(at + 4)]
  const letters = halves.flatMap((half) => Array.from({ length: 6 }, (_, i) => base32[(half >>> (5 * i)) & 31]))
  return `u${letters.join("")}`
}
const hmac = (kind: "sha256" | "sha512", under: Buffer, ...parts: (Buffer | string)[]) => {
  const made = createHmac(kind, under)
  for (const part of parts) made.update(part)
  return made.digest()
}
const keyOf = (what: string) => hmac("sha256", key, `queryveil names of a ${what}`)

describe("a name follows from the key", () => {
  test("and the user, if it lasts for ever, as in version 0.1", () => {
    const { nameOf } = namer("pseudonym")
    expect(nameOf("1000")).toBe(nameBy(hmac("sha256", key, "1000")))
    expect(nameOf("1000", 86_400 * 9)).toBe(nameOf("1000"))
  })

  test("the user and the UTC day, if it lasts a day", () => {
    const { nameOf } = namer("day")
    const day = Buffer.alloc(4)
    day.writeInt32LE(13_209)
    const expected = nameBy(hmac("sha256", keyOf("day"), day, "1000"))
    expect(nameOf("1000", 13_209 * 86_400)).toBe(expected)
    expect(nameOf("1000", 13_210 * 86_400 - 1)).toBe(expected)
    expect(nameOf("1000", 13_210 * 86_400)).not.toBe(expected)
    expect(nameOf("1000", -1)).not.toBe(nameOf("1000", 0)) // there were days before 1970 too
  })

  test("the cell and the position in it, if it lasts a cell, whoever the user is", () => {
    const { names, nameOf } = namer("cell")
    const cell = Buffer.alloc(12)
    cell.writeDoubleLE(41)
    for (const users of [
      Array.from({ length: 20 }, (_, i) => `a${i}`),
      Array.from({ length: 20 }, (_, i) => `b${i}`),
    ]) {
      names.openCell(41)
      for (const [i, user] of users.entries()) {
        cell.writeUInt32LE(Math.floor(i / 8), 8)
        const expected = nameBy(hmac("sha512", keyOf("cell"), cell), (i % 8) * 8)
        expect([nameOf(user), nameOf(user)]).toEqual([expected, expected])
      }
    }
  })

  test("so that names of different kinds, cells or positions differ, even for a user named like a cell", () => {
    const seen = new Set<string>()
    const { names, nameOf } = namer("cell")
    for (let cell = 0; cell < 300; cell++) {
      names.openCell(cell)
      for (let i = 0; i < 11; i++) seen.add(nameOf(`user ${i}`))
    }
    const users = ["user 0", "\u0001", "queryveil names of a cell", "queryveil names of a day"]
    for (const lifetime of lasting) for (const user of users) seen.add(namer(lifetime).nameOf(user))
    expect(seen.size).toBe(300 * 11 + lasting.length * users.length)
    for (const name of seen) expect(name).toMatch(/^u[a-z2-7]{12}$/)
  })

  test("and changes when the kind does", () => {
    const { names, nameOf } = namer("pseudonym")
    const before = nameOf("1000")
    names.use("day")
    expect(nameOf("1000")).not.toBe(before)
    names.use("pseudonym")
    expect(nameOf("1000")).toBe(before)
  })
})

/** Records of 15 users over some days. Each text belongs to one user, and users repeat some while they wait. */
const made = (count: number): Line[] =>
  Array.from({ length: count }, (_, i) => {
    const day = String(1 + Math.floor(i / 200)).padStart(2, "0")
    const again = i % 10 === 9 ? i - 1 : i
    return { user: `u${(again * 7) % 15}`, query: `w${again}`, time: `2026-03-${day} 10:20:30` }
  })
const owners = (records: readonly Line[]) => new Map(records.map(({ user, query }) => [query, user]))

const run = (store: string, output: ReturnType<typeof memoryOutput>, live: RunOptions, seed = 1) =>
  openRun({ store, taxonomy, classifier, output, seed, live, now: () => 0 })

const keyOfStore = (store: string) =>
  Buffer.from(JSON.parse(readFileSync(join(store, "store.json"), "utf8")).key, "hex")

describe.each(["cell", "day", "pseudonym"] as const)("a stream with --users %s", (users) => {
  test("writes the same names again after a crash, and uses none twice after restarts", async () => {
    const records = made(600)
    let store = fresh()
    let output = memoryOutput()
    let done = 0
    for (const end of [130, 370, 600]) {
      const stream = await run(store, output, { users }, end)
      await offerLines(stream, records.slice(done, end))
      await stream.drain()
      // A crash: what was written since the last checkpoint is written again from a copy of the store.
      const copy = fresh("copy")
      cpSync(store, copy, { recursive: true, filter: (path) => !path.includes("lock") })
      const again = memoryOutput(output.text())
      const next = await run(copy, again, { users }, end + 1)
      expect(next.resumed.repeated).toBeGreaterThan(0)
      expect(again.text()).toBe(output.text())
      await Promise.all([stream.close(), next.close()])
      if (end === 130) [store, output] = [copy, again]
      done = end
    }
    checkNames(releasedOf(output), owners(records))
  })

  function checkNames(released: readonly Released[], ownerOf: ReadonlyMap<string, string>): void {
    expect(released.length).toBeGreaterThan(300)
    for (const { user } of released) expect(user).toMatch(/^u[a-z2-7]{12}$/)
    for (const [name, rows] of groupBy(released, ({ user }) => user)) {
      const shown = `${name} is shown with ${rows.length}`
      const times = new Set(rows.map(({ time }) => time))
      // One unit: a text that its user may have repeated.
      if (users === "cell") expect([shown, new Set(rows.map(({ query }) => query)).size]).toEqual([shown, 1])
      if (users === "day") expect([shown, times.size]).toEqual([shown, 1])
    }
    const names = new Set(released.map(({ user }) => user))
    const units = new Set(released.map(({ query }) => query))
    if (users === "cell") expect(names.size).toBe(units.size)
    if (users === "day") expect(names.size).toBeGreaterThan(15)
    if (users === "pseudonym") expect(names.size).toBe(15)
    expect([...units].every((query) => ownerOf.has(query))).toBe(true)
  }
})

describe("the names of a store", () => {
  const open = async (store: string, output: ReturnType<typeof memoryOutput>, live: RunOptions) => {
    const said: string[] = []
    const stream = await openRun({ store, taxonomy, classifier, output, live, warn: (text) => said.push(text) })
    return { stream, said }
  }

  test("last one cell by default, and stay as they are without --users", async () => {
    for (const users of [undefined, "pseudonym", "drop"] as const) {
      const store = fresh()
      const output = memoryOutput()
      const first = await run(store, output, { users })
      await offerLines(first, made(50))
      await first.close()
      const { stream, said } = await open(store, output, { users: undefined })
      expect(stream.figures().users).toBe(users ?? "cell")
      expect(said).toEqual([])
      await stream.close()
    }
  })

  test("may become shorter, which is reported and journalled; earlier names still void the promise", async () => {
    const store = fresh()
    const output = memoryOutput()
    const records = made(400)
    const first = await run(store, output, { users: "pseudonym" })
    await offerLines(first, records.slice(0, 200))
    await first.drain()
    const { released } = first.figures()
    await first.close()
    const { stream, said } = await open(store, output, { users: "cell" })
    expect(said).toEqual([expect.stringContaining(`from release ${released} on: --users cell.`)])
    await offerLines(stream, records.slice(200))
    await stream.drain()
    expect(stream.figures()).toMatchObject({ users: "cell", promised: false })
    expect(stream.figures().reasons).toEqual([expect.stringContaining(`before number ${released} `)])
    const rows = releasedOf(output)
    const [before, after] = [rows.slice(0, released), rows.slice(released)].map(
      (some) => new Set(some.map(({ user }) => user)),
    )
    expect(before?.size).toBe(15)
    expect(after?.size).toBeGreaterThan(100)
    const hmacNames = Array.from({ length: 15 }, (_, i) => nameBy(hmac("sha256", keyOfStore(store), `u${i}`)))
    expect(before).toEqual(new Set(hmacNames))
    for (const name of hmacNames) expect(after?.has(name)).toBe(false)
    // A crash after the change: the stream finds what was there.
    const copy = fresh("copy")
    cpSync(store, copy, { recursive: true, filter: (path) => !path.includes("lock") })
    const again = memoryOutput(output.text())
    const next = await open(copy, again, { users: undefined })
    expect(next.stream.figures()).toMatchObject({ users: "cell", promised: false })
    expect(again.text()).toBe(output.text())
    await next.stream.close()
    await stream.close()
  })

  test("are promised after a change if no name was shown before", async () => {
    const store = fresh()
    const output = memoryOutput()
    await (await run(store, output, { users: "day" })).close()
    const { stream } = await open(store, output, { users: "cell" })
    expect(stream.figures()).toMatchObject({ users: "cell", promised: true })
    await stream.close()
  })

  test("cannot become longer, be added or be removed", async () => {
    const refused: [NameLifetime, NameLifetime][] = [
      ["cell", "day"],
      ["cell", "drop"],
      ["drop", "cell"],
      ["pseudonym", "keep"],
    ]
    for (const [before, after] of refused) {
      const store = fresh()
      const output = memoryOutput()
      await (await run(store, output, { users: before })).close()
      await expect(open(store, output, { users: after })).rejects.toMatchObject({
        code: "store-settings",
        message: expect.stringContaining(`(users: ${before}, now ${after})`),
      })
    }
  })
})
