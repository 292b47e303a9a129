import { Buffer } from "node:buffer"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import type { WordNet } from "#dist/wordnet/wordnet.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { writeSmallDatabase } from "./small-database.ts"

const { fresh, at } = scratchFolder()
const database = writeSmallDatabase(fresh("database"))
const cacheFile = "wordnet.cache"

/** Everything that was read, byte by byte. */
const bytesOf = ({ columns }: WordNet) => Buffer.from(new Uint8Array(columns.offset.buffer))
const open = (cache: string, folder = database) => openWordNet({ cache, folder }, createContext())

/** Opens the cache and reports whether it was rebuilt: an old time on the file is gone if it was. */
async function opensAnew(cache: string, folder = database): Promise<{ anew: boolean; wordnet: WordNet }> {
  const path = join(cache, cacheFile)
  utimesSync(path, 1, 1)
  const wordnet = await open(cache, folder)
  return { anew: statSync(path).mtimeMs !== 1000, wordnet }
}

test("WordNet from the cache is WordNet as it was read", async () => {
  const cache = fresh("cache")
  const cold = await openWordNet({ cache }, createContext())
  const { mtimeNs } = statSync(join(cache, cacheFile), { bigint: true })
  const warm = await openWordNet({ cache }, createContext())
  expect(statSync(join(cache, cacheFile), { bigint: true }).mtimeNs).toBe(mtimeNs)
  expect(bytesOf(warm).equals(bytesOf(cold))).toBe(true)
  expect(bytesOf(warm).equals(bytesOf(await openWordNet({}, createContext())))).toBe(true)
  expect(warm.columns.offset.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(warm.gloss(warm.synsetsOf(warm.find("hot dog", "noun"))[0])).toBe(
    cold.gloss(cold.synsetsOf(cold.find("hot dog", "noun"))[0]),
  )
  expect(readdirSync(cache)).toEqual([cacheFile])
})

test("a small database is read as it is written", async () => {
  const wordnet = await open(fresh("cache"))
  expect([wordnet.synsets, wordnet.nouns, wordnet.lemmas.size]).toEqual([3, 4, 5])
  expect(Array.from({ length: 3 }, (_, synset) => [wordnet.name(synset), wordnet.gloss(synset)])).toEqual([
    ["entity", "that which is"],
    ["dog", 'barks; "a dog"'],
    ["rex", "a dog of that name"],
  ])
  expect([0, 1, 2].map((synset) => [wordnet.parent(synset), wordnet.isInstance(synset)])).toEqual([
    [-1, false],
    [0, false],
    [1, true],
  ])
  const dog = wordnet.lemmas.find("dog")
  expect([...wordnet.senseTagsOf(dog), wordnet.tags(dog), wordnet.tags(wordnet.lemmas.find("free"))]).toEqual([
    42, 44, 7,
  ])
})

describe("a cache is rebuilt", () => {
  test("when a file of the database has another size, and not otherwise", async () => {
    const cache = fresh("cache")
    const first = await open(cache)
    expect((await opensAnew(cache)).anew).toBe(false)
    const other = writeSmallDatabase(fresh("database"), (files) => ({
      ...files,
      "index.adj": `${files["index.adj"]}cheap a 1 0 1 0 00000002  \n`,
    }))
    const { anew, wordnet } = await opensAnew(cache, other)
    expect([anew, wordnet.find("cheap", "adj"), first.find("cheap", "adj")]).toEqual([true, 5, -1])
    expect((await opensAnew(cache, other)).anew).toBe(false)
    expect((await opensAnew(cache)).anew).toBe(true)
  })

  test("when any bit of it is flipped, when it is cut short or goes on, and when it is garbage", async () => {
    const cache = fresh("cache")
    const whole = bytesOf(await open(cache))
    const kept = readFileSync(join(cache, cacheFile))
    const expectAnew = async (content: Uint8Array) => {
      writeFileSync(join(cache, cacheFile), content)
      const { anew, wordnet } = await opensAnew(cache)
      expect(anew).toBe(true)
      expect(bytesOf(wordnet).equals(whole)).toBe(true)
      expect(readFileSync(join(cache, cacheFile)).equals(kept)).toBe(true)
      expect(readdirSync(cache)).toEqual([cacheFile])
    }
    for (let byte = 0; byte < kept.length; byte++) {
      const flipped = Buffer.from(kept)
      flipped[byte] ^= 1 << (byte % 8)
      await expectAnew(flipped)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: kept.length - 1 }), (length) => expectAnew(kept.subarray(0, length))),
      { numRuns: 50 },
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0, 24, 28, 32, 60), (bytes, right) =>
        expectAnew(Buffer.concat([kept.subarray(0, right), bytes])),
      ),
      { numRuns: 50 },
    )
    await expectAnew(Buffer.concat([kept, Buffer.of(0)]))
    await expectAnew(Buffer.alloc(0))
  })
})

describe("a cache that cannot be written", () => {
  test("is reported, and nothing is left behind", async () => {
    const cache = fresh("cache")
    mkdirSync(join(cache, cacheFile), { recursive: true })
    const file = join(cache, cacheFile)
    await expect(open(cache)).rejects.toMatchObject({ code: "output-unwritable", fields: { file } })
    expect(readdirSync(cache)).toEqual([cacheFile])
    const occupied = at("a-file")
    writeFileSync(occupied, "")
    await expect(open(occupied)).rejects.toMatchObject({ code: "output-unwritable" })
  })
})

test("without a cache nothing is written", async () => {
  const cache = fresh("cache")
  await openWordNet({ folder: database }, createContext())
  expect(existsSync(cache)).toBe(false)
})

test("a cancelled run stops and leaves no cache", async () => {
  const cache = fresh("cache")
  const controller = new AbortController()
  const report = () => controller.abort()
  const context = createContext({ signal: controller.signal, report })
  await expect(openWordNet({ cache, folder: database }, context)).rejects.toMatchObject({ code: "interrupted" })
  expect(existsSync(cache)).toBe(false)
})
