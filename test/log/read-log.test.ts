import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { aolFile } from "./aol-files.ts"
import { type PlainLog, plainLog, textsOf } from "./plain-log.ts"
import { read, refusal } from "./read.ts"
import { readByHand } from "./read-by-hand.ts"

const { folder } = scratchFolder()
let runs = 0

/** Writes the files into a folder of their own. Returns a glob for them. */
function writeFiles(files: readonly Uint8Array[], zipped: readonly boolean[]): string {
  const place = join(folder, `run${runs++}`)
  mkdirSync(place)
  for (const [i, file] of files.entries()) {
    writeFileSync(join(place, `${i}.txt${zipped[i] ? ".gz" : ""}`), zipped[i] ? gzipSync(file) : file)
  }
  return join(place, "*.txt*")
}

function countReasons(rejects: PlainLog["rejects"]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of rejects) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

describe("a log in AOL's format", () => {
  test("has the rows, order, events and rejects found by hand, plain or gzip, in one or several files", async () => {
    const files = fc.array(aolFile, { minLength: 1, maxLength: 3 })
    const zipped = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(files, zipped, async (contents, packed) => {
        const byHand = readByHand(contents)
        const reading = read(writeFiles(contents, packed), { format: "aol" })
        if (byHand.rows.length === 0) {
          const error = await refusal(reading)
          expect(error).toBeInstanceOf(QueryveilError)
          expect(error).toMatchObject({ code: byHand.rejects.length === 0 ? "input-empty" : "input-rows" })
          return
        }
        const result = await reading
        expect(plainLog(result)).toEqual(byHand)
        expect(result.intake.rejected).toEqual(countReasons(byHand.rejects))
        expect(result.log.events).toBe(new Set(byHand.rows.map(({ event }) => event)).size)
        expect(result.intake.files.map(({ lines }) => lines)).toEqual(contents.map(countLines))
      }),
      { numRuns: 300 },
    )
  })

  test("has dictionaries in order of first appearance, with exactly the texts of its rows", async () => {
    await fc.assert(
      fc.asyncProperty(aolFile, async (content) => {
        const { rows } = readByHand([content])
        fc.pre(rows.length > 0)
        const { log } = await read(writeFiles([content], [false]), { format: "aol" })
        const byLine = rows.toSorted((a, b) => a.line - b.line)
        expect(textsOf(log.users)).toEqual([...new Set(byLine.map(({ user }) => user))])
        expect(textsOf(log.queries)).toEqual([...new Set(byLine.map(({ query }) => query))])
        const clicked = byLine.map(({ url }) => url).filter((url) => url !== undefined)
        expect(textsOf(log.urls)).toEqual([...new Set(clicked)])
      }),
      { numRuns: 100 },
    )
  })
})

function countLines(bytes: Uint8Array): number {
  const content = bytes.subarray(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  const feeds = content.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
  return feeds + (content.length > 0 && content.at(-1) !== 10 ? 1 : 0)
}
