import { Buffer } from "node:buffer"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { differingParts } from "./plain-log.ts"
import { read } from "./read.ts"

const { folder, write } = scratchFolder()
const cache = join(folder, "cache")
const path = write("1\tfirst é\t2006-03-01 08:20:12\t1\thttp://a\n2\tsecond\t2006-03-01 08:20:13\t\t\nno row\n")
const fresh = await read(path, { cache })
const file = join(cache, readdirSync(cache)[0])
const whole = readFileSync(file)

/**
 * Expects that a cache file with this content is not used, and that the log is parsed and cached as if there were none.
 */
async function expectRebuilt(content: Uint8Array): Promise<void> {
  writeFileSync(file, content)
  const again = await read(path, { cache })
  expect(again.intake.cached).toBe(false)
  expect(again.intake).toEqual(fresh.intake)
  expect(differingParts(fresh, again)).toEqual([])
  expect(readdirSync(cache)).toHaveLength(1)
  expect((await read(path, { cache })).intake.cached).toBe(true)
}

describe("a damaged cache file is ignored and written again", () => {
  test("when any bit of it is flipped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
        const flipped = Buffer.from(whole)
        flipped[at] ^= 1 << bit
        await expectRebuilt(flipped)
      }),
      { numRuns: 100 },
    )
  })

  test("when any bit of its first forty bytes is flipped, which hold lengths and checksums", async () => {
    for (let at = 0; at < 40; at++) {
      const flipped = Buffer.from(whole)
      flipped[at] ^= 0x80
      await expectRebuilt(flipped)
    }
  })

  test("when it is cut short anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), (length) => expectRebuilt(whole.subarray(0, length))),
      { numRuns: 60 },
    )
    await expectRebuilt(whole.subarray(0, -1))
    await expectRebuilt(Buffer.alloc(0))
  })

  test("when it is garbage, with or without a valid start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(0, 20, 24, 28, 60), async (bytes, kept) => {
        await expectRebuilt(Buffer.concat([whole.subarray(0, kept), bytes]))
      }),
      { numRuns: 60 },
    )
  })
})

test("a folder in place of the cache file is a known error", async () => {
  rmSync(file)
  mkdirSync(file)
  const outcome: unknown = await read(path, { cache }).catch((error: unknown) => error)
  rmSync(file, { recursive: true })
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(QueryveilError)
  else expect(outcome).toMatchObject({ intake: { cached: false } })
})
