import { createHash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { describe, expect, test, vi } from "vitest"
import { lockFile } from "#dist/files/lock.js"
import { QueryveilError } from "#dist/kernels/error.js"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { emptyStore, type PersonalStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { newKey, seal, unseal } from "#dist/personal/seal.js"
import { decodeStore, encodeStore } from "#dist/personal/store-json.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const tree = sampleTree()
const taxonomy = await tree.open()
const { at, fresh, write } = scratchFolder()
const passphrase = "correct horse battery staple"
const headerSize = 80

function fullStore(): PersonalStore {
  const store = emptyStore(taxonomy)
  const [figure, eagles] = [taxonomy.find("Sports/Ice skating/Figure"), taxonomy.find("Science/Birds/Eagles")]
  store.interests.add(figure, { day: 20_000, count: 3 })
  store.interests.add(eagles, { day: 20_001 })
  store.sensitive = sensitiveTopics(taxonomy, [[figure, 2.5]])
  store.settings = { delta: 0.1, learning: true, engine: "built-in" }
  const exposed = ["", "Science", "Science/Birds"]
  const relevant = [{ path: "Science/Birds/Eagles", probability: 1, support: 1 }]
  const when = { time: 20_001 * 86_400, engine: "built-in", session: "20001" }
  store.history.add(
    { ...when, delta: 0.1, sessionDelta: 0.3, relevant, exposed },
    { taxonomy: "stamp", sensitive: [["Sports/Ice skating/Figure", 2.5]] },
  )
  return store
}

const path = at("mine.profile")
const made = await ProfileFile.create(path, { passphrase, store: fullStore() })
const whole = readFileSync(path)
const open = (file: string, words = passphrase) => ProfileFile.open(file, { passphrase: words, taxonomy })

/** The file with one byte changed. With `withDigest`, its digest is made right again. */
function altered(place: number, options: { withDigest?: boolean; value?: number } = {}): Buffer {
  const bytes = Buffer.from(whole)
  bytes[place] = options.value ?? Number(bytes[place]) ^ 1
  if (options.withDigest === true) createHash("sha256").update(bytes.subarray(0, 64)).digest().copy(bytes, 64, 0, 16)
  return bytes
}

describe("a profile file", () => {
  test("returns everything that was saved", async () => {
    const { store } = await open(path)
    expect(JSON.parse(encodeStore(store))).toEqual(JSON.parse(encodeStore(fullStore())))
    expect(store.history.records).toEqual(fullStore().history.records)
  })

  test("holds the current history at each save, longer than before or with deletions", () => {
    const store = fullStore()
    const saved = () => {
      const text = encodeStore(store)
      const again = decodeStore(text, { taxonomy, file: "" })
      expect(again.history.records).toEqual(store.history.records)
      expect([...again.interests.days()]).toEqual([...store.interests.days()])
      return text
    }
    const [first] = store.history.records
    const layer = { taxonomy: "stamp", sensitive: [] }
    if (first === undefined) throw new Error("the store has an exposure")
    saved()
    store.history.add({ ...first, exposed: ["", "Arts", "Arts/Music"], relevant: [] }, layer)
    store.interests.add(taxonomy.find("Adults"), { day: 7 })
    expect(saved()).toContain("Adults")
    store.interests.forgetDays(7)
    expect(saved()).not.toContain("Adults")
    store.history.deleteTopic("Science")
    store.interests.forgetTopic(taxonomy.find("Science"))
    // What an engine was shown stays in its account, and nowhere else.
    const { topics, accounts, ...rest } = JSON.parse(saved())
    const science = topics.flatMap((path: string, i: number) => (path.startsWith("Science") ? [i] : []))
    expect(accounts.shown["built-in"]).toEqual(expect.arrayContaining(science))
    const named = [
      ...rest.days.flatMap(([, ...pairs]: number[]) => pairs.filter((_, i) => i % 2 === 0)),
      rest.exposures.map(({ exposed }: { exposed: number[] }) => exposed),
    ].flat()
    for (const number of science) expect(named).not.toContain(number)
    store.history.add({ ...first, exposed: ["", "Sports"], relevant: [] }, layer)
    expect(JSON.parse(saved()).exposures).toHaveLength(2)
  })

  test("can be read by its owner only, and reveals nothing of its content", () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (const word of ["Sports", "Figure", "built-in", "delta", "version"]) expect(whole.includes(word)).toBe(false)
  })

  test("is saved under a new nonce, and leaves no other file behind", async () => {
    await Promise.all([made.save(), made.save()])
    const again = readFileSync(path)
    expect(again.subarray(12, 28)).toEqual(whole.subarray(12, 28)) // salt
    expect(again.subarray(28, 40)).not.toEqual(whole.subarray(28, 40)) // nonce
    expect(readdirSync(at()).filter((name) => name.includes("partial"))).toEqual([])
    expect((await open(path)).store.settings).toEqual(made.store.settings)
  })

  test("removes what killed processes of any machine left", async () => {
    for (const name of ["here-99999999-abc", "elsewhere-1-abc"]) write("old state", `mine.profile.partial-${name}`)
    await made.save()
    expect(readdirSync(at()).filter((name) => name.includes("partial"))).toEqual([])
  })

  test("is not written while another process is writing it", async () => {
    const before = readFileSync(path)
    const busy = () => new QueryveilError("profile-changed", "busy")
    const unlock = await lockFile(`${path}.lock.duckdb`, { place: "the profile", busy, keep: false })
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    let failure: unknown
    const saving = made.save().catch((error) => {
      failure = error
    })
    while (failure === undefined && readFileSync(path).equals(before)) {
      vi.advanceTimersByTime(50)
      await new Promise((done) => setImmediate(done))
    }
    vi.useRealTimers()
    await saving
    expect(failure).toMatchObject({ code: "profile-changed" })
    await unlock()
    await made.save()
    expect(readFileSync(path).equals(before)).toBe(false)
    expect(readdirSync(at()).filter((name) => name.includes("lock"))).toEqual([])
  })

  test("is written by one of two processes that save at the same moment, and the other gets an error", async () => {
    const name = at("shared.profile")
    const first = await ProfileFile.create(name, { passphrase, store: emptyStore(taxonomy) })
    const both = [first, await open(name)]
    both.forEach(({ store }, i) => {
      store.settings = { who: i }
    })
    const outcomes = await Promise.allSettled(both.map((file) => file.save()))
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled")
    expect(outcomes[1 - winner]).toMatchObject({ status: "rejected", reason: { code: "profile-changed" } })
    expect((await open(name)).store.settings).toEqual({ who: winner })
  })

  test("is written through a link, so that no old state stays at its target", async () => {
    const [real, link] = [at("real.profile"), at("link.profile")]
    await ProfileFile.create(real, { passphrase, store: emptyStore(taxonomy) })
    symlinkSync(real, link)
    const before = readFileSync(real)
    await (await open(link)).save()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(real).equals(before)).toBe(false)
  })

  test("does not overwrite what another process wrote meanwhile", async () => {
    const other = await open(path)
    await other.save()
    const theirs = readFileSync(path)
    await expect(made.save()).rejects.toMatchObject({ code: "profile-changed" })
    expect(readFileSync(path).equals(theirs)).toBe(true)
    await other.save()
  })

  test("is not overwritten by a new one", async () => {
    await expect(ProfileFile.create(path, { passphrase, store: emptyStore(taxonomy) })).rejects.toMatchObject({
      code: "output-exists",
    })
  })

  test("cannot be written into a missing folder, and the error says so", async () => {
    const lost = at("nowhere", "x.profile")
    const creating = ProfileFile.create(lost, { passphrase, store: emptyStore(taxonomy) })
    await expect(creating).rejects.toMatchObject({ code: "output-unwritable", fields: { file: lost } })
  })
})

describe("a profile file that cannot be opened", () => {
  const opening = (bytes: Uint8Array) => open(write(bytes))

  test("reports a wrong passphrase", async () => {
    await expect(open(path, "correct horse")).rejects.toMatchObject({ code: "profile-passphrase" })
    await expect(open(path, "")).rejects.toMatchObject({ code: "profile-passphrase" })
  })

  test("is reported as damaged at any byte of its header", async () => {
    for (let place = 0; place < headerSize; place++)
      await expect(opening(altered(place)), `byte ${place}`).rejects.toMatchObject({ code: "profile-broken" })
  })

  test("is reported as cut off at any length, and as too long", async () => {
    for (let length = 0; length < whole.length; length++)
      await expect(opening(whole.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({
        code: "profile-broken",
      })
    await expect(opening(Buffer.concat([whole, Buffer.from("x")]))).rejects.toMatchObject({
      code: "profile-broken",
      message: expect.stringMatching(/1 bytes too many/),
    })
  })

  test("is reported as altered in its content and in its tag", async () => {
    for (const place of [headerSize, whole.length - 17, whole.length - 1])
      await expect(opening(altered(place))).rejects.toMatchObject({
        code: "profile-broken",
        message: expect.stringMatching(/altered/),
      })
  })

  test("is refused at once if it asks for a scrypt that is weak or needs all memory", async () => {
    for (const [place, value] of [
      [9, 16],
      [9, 37],
      [10, 255],
      [10, 1],
      [11, 0],
      [11, 255],
    ] as const)
      await expect(opening(altered(place, { value, withDigest: true }))).rejects.toMatchObject({
        code: "profile-broken",
        message: expect.stringMatching(/scrypt/),
      })
  })

  test("is never accepted after a change with a corrected digest", async () => {
    for (const place of [12, 28, 40]) // salt, nonce, check
      await expect(opening(altered(place, { withDigest: true }))).rejects.toMatchObject({
        code: expect.stringMatching(/^profile-(passphrase|broken)$/),
      })
    await expect(opening(altered(56, { withDigest: true }))).rejects.toMatchObject({ code: "profile-broken" })
    await expect(opening(altered(8, { withDigest: true, value: 2 }))).rejects.toMatchObject({
      message: expect.stringMatching(/format 2/),
    })
  })

  test("is not a profile, a folder, or missing", async () => {
    await expect(opening(Buffer.from("hello"))).rejects.toMatchObject({
      message: expect.stringMatching(/not a profile/),
    })
    await expect(open(at())).rejects.toMatchObject({ code: "input-directory" })
    await expect(open(fresh())).rejects.toMatchObject({ code: "input-missing" })
  })

  test("has an unknown topic, other content, or a newer version", async () => {
    const put = async (value: unknown) =>
      decodeStore(typeof value === "string" ? value : JSON.stringify(value), { taxonomy, file: "mine.profile" })
    const saved = JSON.parse(encodeStore(fullStore()))
    const topics = saved.topics.map((name: string) => (name === "Science/Birds/Eagles" ? "Science/Fish" : name))
    await expect(put({ ...saved, topics })).rejects.toMatchObject({
      code: "profile-taxonomy",
      message: expect.not.stringMatching(/Fish/), // a profile is private
    })
    await expect(put({ ...saved, version: 3 })).rejects.toMatchObject({ message: expect.stringMatching(/newer/) })
    for (const value of ["", "{", "[]", "{}", { ...saved, topics: [] }, { ...saved, days: [[1, 0, -1]] }])
      await expect(put(value)).rejects.toMatchObject({ code: "profile-broken" })
  })
})

test("a content opens with the same key however often it is written", async () => {
  const key = await newKey(passphrase)
  const [first, second] = [seal(Buffer.from("a"), key), seal(Buffer.from("a"), key)]
  expect(first.equals(second)).toBe(false)
  const { content } = await unseal(second, { passphrase, path: "x" })
  expect(content.toString()).toBe("a")
})
