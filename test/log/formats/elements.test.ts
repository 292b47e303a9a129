import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cutElements } from "#dist/log/json-elements.js"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { isoTime } from "./rows.ts"

const { write } = scratchFolder()

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
  for (const [i, to] of at.slice(1).entries()) yield bytes.subarray(at[i], to)
}

async function elementsOf(text: string, cuts: readonly number[] = []): Promise<unknown[]> {
  const lines: string[] = []
  for await (const { bytes, length } of cutElements(pieces(text, cuts))) {
    lines.push(
      ...Buffer.from(bytes.subarray(0, length))
        .toString()
        .split("\n")
        .filter((line) => line !== ""),
    )
  }
  return lines.map((line) => JSON.parse(line))
}

describe("the elements of an array", () => {
  test("are those that JSON.parse finds, however the array is written and cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), { maxLength: 6 }),
        fc.constantFrom("", " ", "\t", "\r\n  "),
        fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
        async (given, indent, cuts) => {
          const text = JSON.stringify(given, null, indent)
          expect(await elementsOf(text, cuts)).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: 150 },
    )
  })

  test("are the same at every single cut", async () => {
    const given = [{ a: 'q"[{,', b: "\\", c: ["]", { d: '\\"}' }] }, "x,y", [], {}, [[1], 2], null, "é😀", "", -1.5e3]
    const text = ` \n${JSON.stringify(given, null, 1)}\n`
    for (let cut = 0; cut <= Buffer.byteLength(text); cut++) expect(await elementsOf(text, [cut])).toEqual(given)
  })

  const search = (i: number) => ({ user: `u${i}`, query: `text ${i}`, time: isoTime(i) })

  test("are numbered as in the array, and one that is too long affects no other", async () => {
    const given = [search(1), { ...search(2), note: "x".repeat(2 << 20) }, search(3), "scalar", null, 7, search(4)]
    const { log, intake } = await read(write(JSON.stringify(given)), { columns: "user=user,query=query,time=time" })
    expect([...log.line]).toEqual([1, 3, 7])
    expect([...intake.rejects.line]).toEqual([2, 4, 5, 6])
    expect(intake.rejected).toEqual({ length: 1, syntax: 3 })
  })

  test("cross blocks and workers", async () => {
    const given = Array.from({ length: 15_000 }, (_, i) => ({ ...search(i), note: "y".repeat(i % 200) }))
    for (const workers of [1, 2]) {
      const { log } = await read(write(JSON.stringify(given)), {}, { workers })
      expect(log.rows).toBe(15_000)
      expect(log.line.every((line, row) => log.users.text(log.user[row]) === `u${line - 1}`)).toBe(true)
    }
  })

  test.each(["[]", "[ ]\n", "[1, 2]", "[null]", '["a"]', "[[]]", "[", "[{", "]", '[{"a":'])(
    "that hold no search are refused: %s",
    async (text) => {
      for (const format of ["jsonl", "ubi", "slowlog", "matomo", "ga4", "auto"] as const) {
        const error = await refusal(read(write(text), { format }))
        expect(error).toMatchObject({ code: expect.stringMatching(/^input-(rows|columns|empty)$/) })
      }
    },
  )
})
