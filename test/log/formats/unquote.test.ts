import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Unquoter } from "#dist/log/formats/unquote.js"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read } from "../read.ts"

const { write } = scratchFolder()

interface Record4180 {
  /** From 1. */
  line: number
  cells: string[]
}

/**
 * The oracle: RFC 4180 character by character. A quote opens only at the start of a field, ignoring spaces before it.
 */
function parseByHand(text: string, delimiter: string): Record4180[] {
  const records: Record4180[] = []
  let line = 1
  let at = 0
  while (at < text.length) {
    const record: Record4180 = { line, cells: [] }
    for (let ended = false; !ended; ) {
      let cell = ""
      while (/^[ \t\r\0]/.test(text.slice(at)) && text[at] !== delimiter) cell += text[at++]
      const quoted = text[at] === '"' ? quotedAt(text, at) : ""
      cell += quoted.replace(/^"|"$/g, "").replaceAll('""', '"')
      line += quoted.split("\n").length - 1
      at += quoted.length
      while (at < text.length && text[at] !== delimiter && text[at] !== "\n") cell += text[at++]
      record.cells.push(cell)
      ended = at >= text.length || text[at] === "\n"
      at++
    }
    line++
    records.push(record)
  }
  return records
}

/** The quoted text that starts here, with its quotes; to the end if it is never closed. */
function quotedAt(text: string, start: number): string {
  const closed = /^"(?:[^"]|"")*"(?!")/.exec(text.slice(start))
  return closed?.[0] ?? text.slice(start)
}

/** The output of the Unquoter for a text that comes in these pieces, as lines. */
function unquote(text: string, cuts: readonly number[]): string[] {
  const bytes = Buffer.from(text)
  const unquoter = new Unquoter(44)
  const at = [0, ...cuts, bytes.length]
  const blocks = at.slice(1).map((to, i) => {
    const piece = bytes.subarray(at[i], to)
    return unquoter.convert({ bytes: piece, length: piece.length })
  })
  const whole = [...blocks, ...unquoter.end()].map(({ bytes: plain, length }) => Buffer.from(plain.subarray(0, length)))
  const lines = Buffer.concat(whole).toString().split("\n")
  expect(lines.pop()).toBe("")
  return lines
}

/** Lines of the file, with each record on the line where it starts. */
function linesOf(records: readonly Record4180[], count: number): string[] {
  const lines = Array.from({ length: count }, () => "")
  for (const { line, cells } of records) {
    lines[line - 1] = cells.map((cell) => plain(cell)).join("\t")
  }
  return lines
}

const plain = (cell: string) => cell.replace(/[\t\n]/g, " ")
const countLines = (text: string) => text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0)

const cellText = fc.string({ unit: fc.constantFrom("a", "é", " ", ",", '"', "\n", "\t", "\n", '"'), maxLength: 6 })
const cell = fc
  .tuple(cellText, fc.boolean(), fc.constantFrom("", "", " "))
  .map(([text, quoted, before]) =>
    quoted || /[",\n]/.test(text) ? `${before}"${text.replaceAll('"', '""')}"` : text.replace(/^\t/, "x"),
  )
const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(","))
const file = fc
  .tuple(fc.array(row, { minLength: 1, maxLength: 6 }), fc.constantFrom("\n", "\n", ""))
  .map(([rows, last]) => rows.join("\n") + last)

describe("quoted text becomes plain lines under their own numbers", () => {
  test("as by hand, wherever it is cut into blocks", () => {
    fc.assert(
      fc.property(file, (text) => {
        const bytes = Buffer.byteLength(text)
        const wanted = linesOf(parseByHand(text, ","), countLines(text))
        for (let cut = 0; cut <= bytes; cut++) expect(unquote(text, [cut])).toEqual(wanted)
        const everywhere = Array.from({ length: bytes }, (_, i) => i)
        expect(unquote(text, everywhere)).toEqual(unquote(text, []))
      }),
      { numRuns: 400 },
    )
  })

  test("for any text, as many lines as it has, wherever it is cut", () => {
    const any = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", "\t", " ", "1"), maxLength: 30 })
    fc.assert(
      fc.property(any, fc.array(fc.nat({ max: 30 }), { maxLength: 6 }), (text, cuts) => {
        const inside = cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b)
        const lines = unquote(text, inside)
        expect(lines).toEqual(unquote(text, []))
        expect(lines).toHaveLength(countLines(text))
      }),
      { numRuns: 1500 },
    )
  })
})

describe("a quoted log", () => {
  const time = "1141214400"

  test("has the rows, cells and line numbers found by hand", async () => {
    const query = fc.string({ unit: fc.constantFrom("a", "B", " ", ",", '"', "\n", "\r", "\t", "é"), maxLength: 8 })
    const end = fc.constantFrom("\n", "\r\n")
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(query, fc.boolean()), { minLength: 1, maxLength: 20 }),
        end,
        async (given, eol) => {
          const rows = given.map(([text, quoted]) =>
            quoted || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
          )
          const lines = ["user,query,time", `0,first,${time}`, ...rows.map((text, i) => `${i + 1},${text},${time}`)]
          const text = lines.map((line) => line + eol).join("")
          const wanted = parseByHand(text, ",").slice(1)
          const clean = (one: string) => one.toLowerCase().replace(/\s+/g, " ").trim()
          const kept = wanted.filter(({ cells }) => clean(cells[1] ?? "") !== "")
          const { log, intake } = await read(write(text))
          const found = Array.from(log.line, (line, i) => [
            line,
            log.users.text(log.user[i]),
            log.queries.text(log.query[i]),
          ])
          expect(found.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual(
            kept.map(({ line, cells }) => [line, cells[0], clean(cells[1] ?? "")]),
          )
          expect([...intake.rejects.line]).toEqual(wanted.filter((one) => !kept.includes(one)).map(({ line }) => line))
          expect(intake.lines).toBe(countLines(text))
        },
      ),
      { numRuns: 200 },
    )
  })

  test.each([1, 2])("loses no row after a quoted line that is too long, with %d workers", async (workers) => {
    const after = Array.from({ length: 2000 }, (_, i) => `${i},next ${i},${time}\n`).join("")
    const text = `user,query,time\n1,"${"x".repeat(3 << 20)}",${time}\n${after}`
    const { log, intake } = await read(write(text), {}, { workers })
    expect([log.rows, intake.rejected, intake.lines]).toEqual([2000, { length: 1 }, 2002])
  })

  test("counts them also when they are many", async () => {
    const { log, intake } = await read(write(`user,query,time\n1,fine,${time}\n2,"open\n${"\n".repeat(1 << 20)}`))
    expect([log.rows, intake.rejects.line.length, intake.lines]).toEqual([1, (1 << 20) + 1, (1 << 20) + 3])
  })

  test("counts every line after a quote that is never closed, and makes no query of them", async () => {
    const text = `user,time,query\n1,${time},fine\n2,${time},"open\n3,${time},other\n4,${time},other\n`
    for (const ending of [text, text.slice(0, -1)]) {
      const { log, intake } = await read(write(ending))
      expect([log.rows, [...intake.rejects.line], intake.rejected]).toEqual([1, [3, 4, 5], { columns: 3 }])
    }
  })
})
