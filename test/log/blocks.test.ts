import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { appendFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { countBytes, fingerprintFile, lineBlocks } from "#dist/log/blocks.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const blockBytes = 4 << 20
const maxLineBytes = 1 << 20

async function blocksOf(content: Uint8Array): Promise<Buffer[]> {
  const blocks: Buffer[] = []
  for await (const { bytes, length } of lineBlocks({ path: write(content, "blocks.txt") }, countBytes())) {
    expect(bytes.length).toBeGreaterThan(length) // room for a closing line feed
    blocks.push(Buffer.from(bytes.subarray(0, length)))
  }
  return blocks
}

/** Lines of 1,000 bytes that begin with their number, up to `length` bytes. The last line is as long as needed. */
function numberedLines(length: number): Buffer {
  const lines = Array.from({ length: Math.floor(length / 1000) }, (_, i) => `${String(i).padEnd(999, ".")}\n`).join("")
  return Buffer.from(lines + "x".repeat(length - lines.length))
}

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

describe("a file cut into blocks of lines", () => {
  test.each([-2, -1, 0, 1, 2])("loses nothing when a line ends %d bytes from the end of a block", async (offset) => {
    const line = Buffer.concat([numberedLines(blockBytes + offset - 1), Buffer.from("\n")])
    const content = Buffer.concat([line, numberedLines(3_000_500)])
    const blocks = await blocksOf(content)
    expect(blocks.length).toBeGreaterThan(1)
    expect(same(Buffer.concat(blocks), content)).toBe(true)
    for (const block of blocks.slice(0, -1)) expect(block.at(-1)).toBe(10)
  })

  test("has the same blocks when it is packed with gzip", async () => {
    const content = numberedLines(9_500_000)
    const blocks = await blocksOf(content)
    const unpacked = await blocksOf(gzipSync(content, { level: 1 }))
    expect(unpacked.map(({ length }) => length)).toEqual(blocks.map(({ length }) => length))
    expect(same(Buffer.concat(unpacked), content)).toBe(true)
  })

  test.each([
    ["as long as it may be", maxLineBytes, maxLineBytes],
    ["one byte too long", maxLineBytes + 1, maxLineBytes + 1],
    ["of 10 MB", 10_000_000, maxLineBytes + 1],
  ])("keeps of a line %s (%d bytes) only %d bytes", async (_name, length, kept) => {
    const content = (middle: number) => Buffer.from(`before\n${"m".repeat(middle)}\nafter\n`)
    expect(same(Buffer.concat(await blocksOf(content(length))), content(kept))).toBe(true)
  })

  test("keeps lines apart when one that is too long straddles the end of a block, or is the last", async () => {
    const start = numberedLines(blockBytes - 500_000)
    const long = Buffer.alloc(3_000_000, "m")
    const feed = Buffer.from("\n")
    const short = long.subarray(0, maxLineBytes + 1)
    const content = (line: Buffer) => Buffer.concat([start, feed, line, feed, Buffer.from("after\n"), line])
    expect(same(Buffer.concat(await blocksOf(content(long))), content(short))).toBe(true)
  })

  test("is never held as a whole, however long it is", async () => {
    const part = Buffer.alloc(4_000_000, `${"q".repeat(99)}\n`)
    const path = write(part, "long.txt")
    for (let i = 0; i < 23; i++) appendFileSync(path, part)
    const held: number[] = []
    for await (const _ of lineBlocks({ path }, countBytes())) {
      collectGarbage()
      held.push(process.memoryUsage().arrayBuffers)
    }
    expect(held).toHaveLength(23)
    expect((Math.max(...held) - held[0]) / blockBytes).toBeLessThan(8)
  })

  test("that is empty has no blocks", async () => {
    expect(await blocksOf(Buffer.alloc(0))).toEqual([])
    expect(await blocksOf(gzipSync(""))).toEqual([])
  })
})

describe("what was read of a file", () => {
  test.each([
    ["plain", numberedLines(2_500_000)],
    ["gzip", gzipSync(numberedLines(2_500_000))],
  ])("is counted and digested as it is stored: %s", async (_name, content) => {
    const path = write(content, "digest.txt")
    const count = countBytes()
    for await (const _ of lineBlocks({ path }, count));
    const sha256 = createHash("sha256").update(content).digest("hex")
    expect([count.bytes, count.digest.digest("hex")]).toEqual([content.length, sha256])
    expect(await fingerprintFile({ path })).toBe(sha256)
  })
})
