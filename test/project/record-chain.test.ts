import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { appendRecord, readRecord, recordKinds } from "#dist/project/record-chain.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const day = new Date("2026-03-01T12:00:00Z")

async function recordOf(name: string, many: number): Promise<string> {
  const file = at(name)
  for (let i = 0; i < many; i++) await appendRecord(file, { kind: "unmasked", facts: { samples: i } }, day)
  return file
}

describe("the record of a project", () => {
  test("keeps entries in order, each with the digest of the one before", async () => {
    const file = await recordOf("plain.ndjson", 3)
    const { entries, problem } = await readRecord(file)
    expect(problem).toBeUndefined()
    expect(entries.map(({ number, facts }) => [number, facts.samples])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ])
    expect(entries.map(({ previous }) => previous)).toEqual([null, entries[0]?.digest, entries[1]?.digest])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test("is empty if there is no file", async () => {
    expect(await readRecord(at("none.ndjson"))).toEqual({ entries: [], length: 0 })
  })

  test("shows every edit of a line that is not the last, and every edit inside a line", async () => {
    const file = await recordOf("edited.ndjson", 4)
    const text = readFileSync(file, "utf8")
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 2), fc.constantFrom("0", "1", "a", "}", '"', " "), async (at, letter) => {
        fc.pre(text[at] !== letter && text[at] !== "\n")
        writeFileSync(file, text.slice(0, at) + letter + text.slice(at + 1))
        expect((await readRecord(file)).problem).toBeDefined()
      }),
      { numRuns: 300 },
    )
    const lines = text.split("\n")
    for (const edited of [lines.toSpliced(1, 1), lines.toSpliced(1, 0, lines[1] ?? ""), lines.toSpliced(0, 1)]) {
      writeFileSync(file, edited.join("\n"))
      expect((await readRecord(file)).problem).toBeDefined()
      await expect(appendRecord(file, { kind: "drawn", facts: {} }, day)).rejects.toMatchObject({
        code: "project-broken",
      })
    }
  })

  test("loses only what a crash left unfinished at its end, and goes on", async () => {
    const file = await recordOf("torn.ndjson", 2)
    const whole = readFileSync(file, "utf8")
    appendFileSync(file, '{"number":3,"at":"20')
    expect((await readRecord(file)).entries).toHaveLength(2)
    await appendRecord(file, { kind: "signed", facts: { ü: "é" } }, day)
    const { entries, problem } = await readRecord(file)
    expect(problem).toBeUndefined()
    expect(entries.map(({ kind }) => kind)).toEqual(["unmasked", "unmasked", "signed"])
    expect(readFileSync(file, "utf8").startsWith(whole)).toBe(true)
  })

  test("takes any facts that JSON can hold", async () => {
    const file = at("any.ndjson")
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recordKinds),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (kind, facts) => {
          const made = await appendRecord(file, { kind, facts: JSON.parse(JSON.stringify(facts)) }, day)
          const { entries, problem } = await readRecord(file)
          expect(problem).toBeUndefined()
          expect(entries.at(-1)).toEqual(made)
        },
      ),
      { numRuns: 50 },
    )
  })
})
