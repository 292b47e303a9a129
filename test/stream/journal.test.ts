import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Deed, systemError, watchFiles } from "./failing-files.ts"
import { Model, makeTemporary, openQuick, plain, recover } from "./store-model.ts"

/** A model's frames, each with three records. */
function makeFrames(count: number) {
  const model = new Model("strict")
  const record = (user: number) => ({ user, query: user, topic: user, url: false })
  return Array.from({ length: count }, (_, i) =>
    model.step({ records: [1, 2, 3].map(record), picks: [i, i + 1, i + 2] }),
  )
}

/** A folder whose journal holds the frames, each flushed by itself, and the positions where each ends. */
async function writeJournal(frames: ReturnType<typeof makeFrames>, { together = false } = {}) {
  const folder = makeTemporary()
  const path = join(folder, "journal-1.log")
  const store = await openQuick(folder)
  const ends: number[] = []
  if (together) await Promise.all(frames.map((frame) => store.append(frame)))
  for (const frame of together ? [] : frames) {
    await store.append(frame)
    ends.push(statSync(path).size)
  }
  await store.close()
  return { folder, path, ends, size: statSync(path).size }
}

function spoil(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] ^= 0x10
  writeFileSync(path, bytes)
}

describe("the journal", () => {
  test("flushes once for frames that arrive together, and once for all that arrive during a flush", async () => {
    const deeds: string[] = []
    const folder = makeTemporary()
    const store = await openQuick(folder, { files: (at) => watchFiles(at, ({ what }) => void deeds.push(what)) })
    const frames = makeFrames(9)
    deeds.length = 0
    const first = [0, 1, 2].map((i) => store.append(frames[i]))
    await Promise.resolve() // the first flush has begun
    const second = [3, 4, 5, 6, 7, 8].map((i) => store.append(frames[i]))
    await Promise.all([...first, ...second])
    expect(deeds.filter((what) => what === "flush journal-1.log").length).toBe(2)
    expect(deeds.filter((what) => what === "write journal-1.log").length).toBe(2)
    await store.close()
    const again = await openQuick(folder)
    expect((await recover(again)).frames).toEqual(frames.map(plain))
    await again.close()
  })

  test("resolves an append only after its frame is flushed", async () => {
    let flushed = 0
    const files = (at: string) =>
      watchFiles(at, ({ what }) => {
        if (what === "flush journal-1.log") flushed++
      })
    const store = await openQuick(makeTemporary(), { files })
    for (const [i, frame] of makeFrames(4).entries()) {
      await store.append(frame)
      expect(flushed).toBe(i + 1)
    }
    await store.close()
  })

  test.each(["ENOSPC", "EDQUOT", "EFBIG", "EIO"])(
    "loses and doubles nothing if the disk answers %s for a while",
    async (code) => {
      let waits = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              deed: fc.nat({ max: 25 }),
              wrote: fc.nat({ max: 400 }),
              times: fc.integer({ min: 1, max: 3 }),
            }),
          ),
          fc.boolean(),
          async (failures, together) => {
            const folder = makeTemporary()
            const full: boolean[] = []
            let done = 0
            const left = new Map(failures.map(({ deed, ...rest }) => [deed, { ...rest }]))
            const before = ({ what, bytes }: Deed) => {
              const failure = left.get(done)
              if (!what.includes("journal") || failure === undefined || failure.times-- <= 0) {
                done++
                return undefined
              }
              const error = systemError(code)
              if (bytes === undefined) throw error
              return { wrote: Math.min(bytes, failure.wrote), error }
            }
            let watching = false
            const files = (at: string) => watchFiles(at, (deed) => (watching ? before(deed) : undefined))
            const onFull = (now: boolean) => void full.push(now)
            const store = await openQuick(folder, { files, onFull })
            watching = true
            const frames = makeFrames(6)
            if (together) await Promise.all(frames.map((frame) => store.append(frame)))
            else for (const frame of frames) await store.append(frame)
            await store.close()
            expect(full).toEqual(full.map((_, i) => i % 2 === 0)) // full, room, full, room
            expect(full.length % 2).toBe(0)
            waits += full.length
            const again = await openQuick(folder)
            const { frames: found, cut } = await recover(again)
            expect(found).toEqual(frames.map(plain))
            expect(cut).toBe(0)
            await again.close()
          },
        ),
        { numRuns: 40 },
      )
      expect(waits).toBeGreaterThan(0)
    },
  )

  test("is cut back at once on a full disk, so that a crash then leaves no partial frame", async () => {
    const folder = makeTemporary()
    const path = join(folder, "journal-1.log")
    const frames = makeFrames(2)
    const sizes: number[] = []
    let fail = false
    const files = (at: string) =>
      watchFiles(at, ({ what }) => {
        if (!fail || what !== "write journal-1.log") return undefined
        return { wrote: 30, error: systemError("ENOSPC") }
      })
    const pause = async () => {
      sizes.push(statSync(path).size)
      fail = false
    }
    const store = await openQuick(folder, { files, pause })
    await store.append(frames[0])
    const whole = statSync(path).size
    fail = true
    await store.append(frames[1])
    expect(sizes).toEqual([whole])
    await store.close()
  })

  test("accepts nothing more after a lasting error", async () => {
    let fail = false
    const files = (at: string) =>
      watchFiles(at, ({ what }) => {
        if (fail && what === "flush journal-1.log") throw systemError("EROFS")
      })
    const store = await openQuick(makeTemporary(), { files })
    const frames = makeFrames(3)
    await store.append(frames[0])
    fail = true
    await expect(store.append(frames[1])).rejects.toMatchObject({ code: "EROFS" })
    fail = false
    await expect(store.append(frames[2])).rejects.toMatchObject({ code: "EROFS" })
    await store.close()
  })
})

describe("a journal that a crash left", () => {
  const frames = makeFrames(4)

  test("is cut back to its last complete frame, wherever the writing stopped, and continues from there", async () => {
    const { path, ends, folder, size } = await writeJournal(frames)
    const bytes = readFileSync(path)
    for (let length = size - 1; length >= 0; length -= 1 + (length % 7)) {
      writeFileSync(path, bytes.subarray(0, length))
      const whole = ends.filter((end) => end <= length).length
      const store = await openQuick(folder)
      const found = await recover(store)
      expect(found.frames).toEqual(frames.slice(0, whole).map(plain))
      expect(found.cut).toBe(length - (ends[whole - 1] ?? 0))
      for (const frame of frames.slice(whole)) await store.append(frame)
      await store.close()
      expect(readFileSync(path)).toEqual(bytes)
    }
  })

  test("is cut back if its end is zeros, noise, or a frame with a wrong bit", async () => {
    const { path, folder, ends, size } = await writeJournal(frames)
    const bytes = readFileSync(path)
    const expectWhole = async (count: number, cut: number) => {
      const store = await openQuick(folder)
      const found = await recover(store)
      expect([found.frames.length, found.cut]).toEqual([count, cut])
      await store.close()
    }
    appendFileSync(path, Buffer.alloc(5000))
    await expectWhole(4, 5000)
    appendFileSync(path, Buffer.from("noise \xf7\x51\x56\x9e noise".repeat(20), "latin1"))
    await expectWhole(4, 320)
    for (let at = ends[2]; at < size; at += 11) {
      writeFileSync(path, bytes)
      spoil(path, at)
      await expectWhole(3, size - ends[2])
    }
  })

  test("is cut back if one flush of several frames reached the disk in pieces", async () => {
    const { path, folder } = await writeJournal(frames, { together: true })
    spoil(path, 60) // the first frame; those after it belong to the same flush and were never acknowledged
    const store = await openQuick(folder)
    expect((await recover(store)).frames).toEqual([])
    await store.close()
  })
})

describe("a journal that is damaged", () => {
  const frames = makeFrames(4)

  test("before intact frames is refused with file and byte, and not changed", async () => {
    const { path, folder, ends } = await writeJournal(frames)
    const bytes = readFileSync(path)
    for (let at = 0; at < ends[2]; at += 5) {
      const start = [0, ...ends].findLast((end) => end <= at) ?? 0
      writeFileSync(path, bytes)
      spoil(path, at)
      const spoiled = readFileSync(path)
      const refused = openQuick(folder)
      await expect(refused).rejects.toMatchObject({ code: "store-damaged", fields: { file: path } })
      await expect(refused).rejects.toThrow(`damaged at byte ${start}`)
      expect(readFileSync(path)).toEqual(spoiled)
    }
  })

  test("by bytes missing from its middle is refused", async () => {
    const { path, folder, ends } = await writeJournal(frames)
    const bytes = readFileSync(path)
    for (const gone of [1, 3, 8, 24, ends[0], ends[0] + 8]) {
      writeFileSync(path, Buffer.concat([bytes.subarray(0, 40), bytes.subarray(40 + gone)]))
      await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-damaged" })
    }
  })

  test("in an earlier segment is refused, even at its end", async () => {
    const { path, folder, size } = await writeJournal(frames)
    writeFileSync(join(folder, "journal-2.log"), "")
    truncateSync(path, size - 1)
    await expect(openQuick(folder)).rejects.toMatchObject({ code: "store-damaged" })
  })

  test("by a missing segment is refused", async () => {
    const { folder } = await writeJournal(frames)
    writeFileSync(join(folder, "journal-3.log"), "")
    await expect(openQuick(folder)).rejects.toThrow(/journal-2\.log: is missing/)
  })

  test("by a repeated or missing frame is refused", async () => {
    const { path, folder, ends } = await writeJournal(frames)
    const bytes = readFileSync(path)
    for (const middle of [bytes.subarray(0, ends[1]), bytes.subarray(ends[1])]) {
      writeFileSync(path, Buffer.concat([bytes.subarray(0, ends[0]), middle]))
      const store = await openQuick(folder)
      await expect(recover(store)).rejects.toMatchObject({ code: "store-damaged" })
      await store.close()
    }
  })
})
