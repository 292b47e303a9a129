import { Buffer } from "node:buffer"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { differingParts, plainLog, textsOf } from "./plain-log.ts"
import { read, refusal } from "./read.ts"
import { readByHand } from "./read-by-hand.ts"

const { write } = scratchFolder()

/** About 12 MB, so three blocks: users who come back, unordered times, and now and then a line that is not a row. */
function largeLog(): Buffer {
  const lines: string[] = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL"]
  for (let i = 0; i < 130_000; i++) {
    const user = (i * 7919) % 4999
    const time = new Date((1_141_171_200 + ((i * 104_729) % 8_000_000)) * 1000).toISOString().slice(0, 19)
    const click = i % 3 === 0 ? `${(i % 9) + 1}\thttp://www.example.com/${i % 20_011}` : "\t"
    const words = `Query ${(i * 31) % 30_011} with some more words, číslo ${"é".repeat(i % 12)}`
    lines.push(i % 997 === 0 ? `${user}\tno row` : `${user}\t${words}\t${time.replace("T", " ")}\t${click}`)
  }
  return Buffer.from(lines.join("\n"))
}

const content = largeLog()
const path = write(content)

describe("a log of several blocks", () => {
  test("is the same with one, two and three workers, plain or gzip, byte by byte", async () => {
    expect(content.length).toBeGreaterThan(2 * (4 << 20))
    const alone = await read(path, {}, { workers: 1 })
    const packed = write(gzipSync(content, { level: 1 }))
    for (const other of [
      await read(path, {}, { workers: 2 }),
      await read(path, {}, { workers: 3 }),
      await read(packed, {}, { workers: 2 }),
    ]) {
      expect(differingParts(alone, other)).toEqual([])
      const { files: _files, ...intake } = other.intake
      expect(alone.intake).toMatchObject(intake)
    }
  })

  test("equals a reading by hand, also where lines cross blocks", async () => {
    const byHand = readByHand([content])
    const result = plainLog(await read(path, {}, { workers: 2 }))
    expect(result.rejects).toEqual(byHand.rejects)
    expect(result.rows.length).toBe(byHand.rows.length)
    const differing = result.rows.findIndex(
      (row, i) => JSON.stringify(sorted(row)) !== JSON.stringify(sorted(byHand.rows[i])),
    )
    expect(differing).toBe(-1)
  })

  test("in strict mode stops at its first bad line, whatever the workers, plain or gzip", async () => {
    const late = content.subarray(0, -1).toString().replaceAll("\tno row\n", `\ta row\t2006-03-01 08:20:12\n`)
    const lines = late.split("\n")
    lines[110_000] = "no row"
    const files = [write(lines.join("\n")), write(gzipSync(lines.join("\n"), { level: 1 }))]
    for (const file of files) {
      for (const workers of [1, 2]) {
        const error = await refusal(read(file, { strict: true }, { workers }))
        expect(error).toMatchObject({ code: "input-rows", fields: { file, line: 110_001 } })
      }
    }
  })

  test("can be interrupted while it is read, whatever the workers", async () => {
    for (const workers of [1, 2]) {
      const controller = new AbortController()
      const report = ({ stage }: { stage: string }) => {
        if (stage === "reading") controller.abort()
      }
      const error = await refusal(read(path, {}, { workers, signal: controller.signal, report }))
      expect(error).toMatchObject({ code: "interrupted" })
    }
  })

  test("reports its progress up to the end", async () => {
    const done: number[] = []
    const report = (progress: { stage: string; done: number; total?: number }) => {
      if (progress.stage !== "reading") return
      expect(progress.total).toBe(content.length)
      done.push(progress.done)
    }
    await read(path, {}, { workers: 2, report })
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBe(content.length)
  })
})

describe("a line of 10 MB", () => {
  const row = (query: string) => `1\t${query}\t2006-03-01 08:20:12\n`

  test.each([1, 2])("is left out and its neighbours survive, with %d workers", async (workers) => {
    const long = row("m".repeat(10_000_000))
    const many = row("filler").repeat(200_000)
    const file = write(row("before") + long + row("between") + many + long + row("after"))
    const result = await read(file, {}, { workers })
    expect(result.intake.rejected).toEqual({ length: 2 })
    expect([...result.intake.rejects.line]).toEqual([2, 200_004])
    expect(textsOf(result.log.queries)).toEqual(["before", "between", "filler", "after"])
    expect(result.log.rows).toBe(200_003)
    expect(result.log.line.toSorted().at(-1)).toBe(200_005)
  })

  test("is left out also when it is the first, the last without a line end, or packed with gzip", async () => {
    const long = row("m".repeat(10_000_000))
    const file = write(gzipSync(long + row("between") + long.slice(0, -1), { level: 1 }))
    const { log, intake } = await read(file)
    expect(intake.rejected).toEqual({ length: 2 })
    expect(textsOf(log.queries)).toEqual(["between"])
  })
})

/** A row with its fields in a fixed order. */
function sorted(row: object): [string, unknown][] {
  return Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
