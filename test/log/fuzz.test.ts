import { Buffer } from "node:buffer"
import { gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { aolFile } from "./aol-files.ts"
import { plainLog } from "./plain-log.ts"
import { read } from "./read.ts"
import { readByHand } from "./read-by-hand.ts"

const { write } = scratchFolder()

/**
 * Reads the bytes. Expects a consistent log equal to the one read by hand, or a QueryveilError, never anything else.
 */
async function expectLogOrRefusal(content: Uint8Array, strict: boolean): Promise<void> {
  const path = write(content, "fuzz.txt")
  const outcome = await read(path, { format: "aol", strict }).catch((error: unknown) => error)
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(QueryveilError)
    expect(outcome).not.toMatchObject({ code: "internal" })
  } else {
    expect(outcome).toMatchObject({ log: expect.anything() })
    const result = await read(path, { format: "aol" })
    expectSound(result.log)
    expect(result.log.rows + result.intake.rejects.line.length).toBeLessThanOrEqual(result.intake.lines)
    if (content[0] !== 0x1f) expect(plainLog(result)).toEqual(readByHand([content]))
  }
}

/** Checks that ids are within their dictionaries, rows are in order, and each line occurs once. */
function expectSound(log: SearchLog): void {
  expect(log.rows).toBeGreaterThan(0)
  for (let i = 0; i < log.rows; i++) {
    expect(log.user[i] >= 0 && log.user[i] < log.users.size).toBe(true)
    expect(log.query[i] >= 0 && log.query[i] < log.queries.size).toBe(true)
    expect(log.url[i] >= -1 && log.url[i] < log.urls.size).toBe(true)
    if (i === 0) continue
    const [before, here] = [i - 1, i].map((row) => [
      log.user[row],
      log.time[row],
      log.query[row],
      log.rank[row],
      log.line[row],
    ])
    const first = here.findIndex((value, column) => value !== before[column])
    expect(here[first]).toBeGreaterThan(before[first])
    const sameEvent = first >= 3
    expect(log.event[i] - log.event[i - 1]).toBe(sameEvent ? 0 : 1)
  }
  expect(new Set(log.line).size).toBe(log.rows)
}

const logByte = fc.constantFrom(
  ...Buffer.from("\t\t\t\n\n\r 0123456789-:ab\0\x7f\x80\xc3\xa9\xff\xef\xbb\xbf", "latin1"),
)
const timed = fc.constantFrom(
  ...["2006-03-01 08:20:12", "2006-03-01 08:20:12\t1\thttp://x\n", "7\tq\t"].map((text) => Buffer.from(text)),
)

const logLike = fc
  .array(fc.oneof({ weight: 3, arbitrary: logByte.map((byte) => Buffer.of(byte)) }, timed), { maxLength: 60 })
  .map((parts) => Buffer.concat(parts))

/** Bytes inserted, removed and overwritten, anywhere. */
const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat({ max: 20 }),
    add: fc.uint8Array({ maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 5 },
)
type Edit = { at: number; drop: number; add: Uint8Array }

function edit(content: Buffer, changes: readonly Edit[]): Buffer {
  return changes.reduce((bytes, { at, drop, add }) => {
    const start = Math.floor(at * bytes.length)
    return Buffer.concat([bytes.subarray(0, start), add, bytes.subarray(start + drop)])
  }, content)
}

describe("any bytes of a file give a log or a refusal", () => {
  test("any bytes", async () => {
    const start = fc.constantFrom(
      "",
      "\x1f\x8b",
      "\x1f\x8b\x08\0",
      "PK\x03\x04",
      "\xff\xfe",
      "\xef\xbb\xbf",
      "AnonID\t",
    )
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (head, bytes, strict) => {
        await expectLogOrRefusal(Buffer.concat([Buffer.from(head, "latin1"), bytes]), strict)
      }),
      { numRuns: 150 },
    )
  })

  test("the bytes that logs are made of", async () => {
    await fc.assert(
      fc.asyncProperty(logLike, fc.boolean(), (bytes, strict) => expectLogOrRefusal(bytes, strict)),
      { numRuns: 150 },
    )
  })

  test("a log with bytes inserted, removed and overwritten", async () => {
    await fc.assert(
      fc.asyncProperty(aolFile, edits, (content, changes) => expectLogOrRefusal(edit(content, changes), false)),
      { numRuns: 150 },
    )
  })

  test("a gzip file with bytes inserted, removed and overwritten", async () => {
    await fc.assert(
      fc.asyncProperty(aolFile, edits, (content, changes) =>
        expectLogOrRefusal(edit(gzipSync(content), changes), false),
      ),
      { numRuns: 150 },
    )
  })
})
