import { appendFileSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fileInput } from "#dist/stream/inputs/file-input.js"
import { LineSorter } from "#dist/stream/inputs/sort-lines.js"
import { timeless } from "#dist/stream/inputs/time-lines.js"
import type { InputPosition } from "#dist/stream/live/transport.js"
import { FakeStream } from "../server/fake-stream.ts"
import { aolPlan as plan } from "../support/aol-plan.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { anyFormat, never } from "./lines.ts"

const { write, at } = scratchFolder()

describe("sorting lines by time", () => {
  test("equals a stable sort of all lines, however many runs are written", async () => {
    const lines = fc.array(fc.record({ time: fc.integer({ min: -5, max: 5 }), length: fc.nat({ max: 40 }) }), {
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 10, max: 400 }), fc.nat({ max: 70 }), async (given, runBytes, skip) => {
        const texts = given.map(({ length }, i) => `${i} ${"x".repeat(length)}\n`)
        const sorter = new LineSorter(at("sorting.tmp"), { runBytes })
        // Five lines at a time, as a batch holds several.
        for (let from = 0; from < given.length; from += 5) {
          const part = texts.slice(from, from + 5)
          let end = 0
          await sorter.add({
            plan,
            bytes: Buffer.from(part.join("")),
            end: Uint32Array.from(part, (text) => {
              end += text.length
              return end
            }),
            time: Int32Array.from(given.slice(from, from + 5), ({ time }) => (time === -5 ? timeless : time)),
          })
        }
        const sorted: string[] = []
        for await (const { bytes, length } of sorter.blocks({ skip, blockBytes: 64 }))
          sorted.push(Buffer.from(bytes.subarray(0, length)).toString())
        await sorter.close()
        expect(existsSync(at("sorting.tmp"))).toBe(false)
        const order = given.map((line, i) => ({ ...line, i })).sort((a, b) => a.time - b.time || a.i - b.i)
        const expected = order.map(({ i }) => texts[i])
        expect(sorted.join("")).toBe(expected.slice(skip).join(""))
      }),
      { numRuns: 60 },
    )
  })
})

const moment = (minute: number) => new Date(1_700_000_000_000 + minute * 60_000).toISOString().slice(0, 19)

async function read(
  path: string,
  position: InputPosition | string = "",
  options: { format?: "auto"; signal?: AbortSignal } = {},
) {
  const stream = new FakeStream(position)
  const notes: string[] = []
  const input = fileInput({
    ...anyFormat,
    path,
    follow: false,
    folder: at("."),
    warn: () => {},
    note: (text) => notes.push(text),
  })
  await input.run(stream, options.signal ?? never)
  return { stream, notes, records: stream.records, position: stream.position }
}

/** Users in the file's order, one a minute, with the minutes in a fixed disorder. */
const disordered = (count: number) => Array.from({ length: count }, (_, i) => ({ user: i, minute: (i * 7919) % count }))
const inOrder = (count: number, skip = 0) =>
  disordered(count)
    .sort((a, b) => a.minute - b.minute)
    .map(({ user }) => `u${user} query ${user}`)
    .slice(skip)

describe("a file that is not ordered by time", () => {
  test("is read in the order of its times, in every layout", async () => {
    const rows = disordered(50)
    const csv = rows.map(({ user, minute }) => `u${user},"query\n${user}",${moment(minute)}Z\n`).join("")
    const tsv = rows
      .map(({ user, minute }) => `u${user}\tquery ${user}\t${moment(minute).replace("T", " ")}\n`)
      .join("")
    const json = rows
      .map(
        ({ user, minute }) => `${JSON.stringify({ user: `u${user}`, query: `query ${user}`, time: moment(minute) })}\n`,
      )
      .join("")
    for (const text of [`user,query,time\n${csv}`, `AnonID\tQuery\tQueryTime\n${tsv}`, tsv.trimEnd(), json]) {
      const { records, notes } = await read(write(text))
      expect(records).toEqual(inOrder(50))
      expect(notes.join()).toMatch(/is not ordered by time/)
    }
    expect((await read(write(gzipSync(tsv)))).records).toEqual(inOrder(50))
    expect(readdirSync(at(".")).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })

  test("whose lines hold several searches is read search by search", async () => {
    const visit = (user: string, times: number[]) =>
      JSON.stringify({
        visitorId: user,
        idVisit: 1,
        actionDetails: times.map((timestamp) => ({
          type: "search",
          siteSearchKeyword: `q${(timestamp % 10_000) / 1000}`,
          timestamp,
        })),
      })
    const path = write(`${visit("a", [1_700_001_000, 1_700_004_000])}\n${visit("b", [1_700_002_000, 1_700_003_000])}\n`)
    expect((await read(path)).records).toEqual(["a q1", "b q2", "b q3", "a q4"])
  })

  test("keeps lines that are not rows, to be counted", async () => {
    const path = write("u1\tq\t2006-03-02 00:00:00\nu2\tq\tyesterday\nu3\tq\t2006-03-01 00:00:00\n")
    const { records, stream } = await read(path)
    expect(records).toEqual(["u3 q", "u1 q"])
    expect(stream.rejected).toEqual(["time"])
  })

  test("can be resumed after any batch, and gives every search once", async () => {
    const count = 150_000
    const tsv = (rows: ReturnType<typeof disordered>) =>
      rows.map(({ user, minute }) => `u${user}\tquery ${user}\t${moment(minute).replace("T", " ")}\n`).join("")
    const path = write(tsv(disordered(count)))
    const { stream } = await read(path)
    expect(stream.records).toEqual(inOrder(count))
    expect(stream.batches.length).toBeGreaterThan(1)
    const [first] = stream.batches
    // Lines that were appended meanwhile come after the sorted part, sorted by themselves.
    appendFileSync(path, "v1\tnew\t2006-03-02 00:00:00\nv2\tnew\t2006-03-01 00:00:00\n")
    const second = await read(path, first.position)
    const taken = stream.records.length - (second.records.length - 2)
    expect(taken).toBeGreaterThan(0)
    expect(second.records).toEqual([...inOrder(count, taken), "v2 new", "v1 new"])
    expect((await read(path, second.position)).records).toEqual([])
  })

  test("that was changed within a partly read stretch is refused", async () => {
    const rows = disordered(150_000).map(
      ({ user, minute }) => `u${user}\tquery ${user}\t${moment(minute).replace("T", " ")}\n`,
    )
    const path = write(rows.join(""))
    const [first] = (await read(path)).stream.batches
    writeFileSync(path, [...rows.slice(0, 100_000), ...rows.slice(100_001), rows[0]].join(""))
    await expect(read(path, first.position)).rejects.toMatchObject({ code: "input-changed" })
    writeFileSync(path, rows.slice(0, 1000).join(""))
    await expect(read(path, first.position)).rejects.toMatchObject({ code: "input-changed" })
  })

  test("leaves nothing behind when the run is stopped", async () => {
    const stop = new AbortController()
    stop.abort()
    const { records, position } = await read(write("u\tq\t2006-03-02 00:00:00\nu\tr\t2006-03-01 00:00:00\n"), "", stop)
    expect(records).toEqual([])
    expect(position).toBe("")
    expect(readdirSync(at(".")).filter((name) => name.startsWith("sorting"))).toEqual([])
  })
})
