import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"

// The built fuzzer, as `npm run fuzz` runs it.
const built = new URL("../../build/fuzz/", import.meta.url)
const { readCorpus } = await import(new URL("corpus.js", built).href)
const { checkInput } = await import(new URL("target.js", built).href)
const corpora = new URL("../../fuzz/corpus/", import.meta.url)
const names = readdirSync(new URL("targets/", built))
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3))

describe.each(names)("the parser %s", async (name) => {
  const { target } = await import(new URL(`targets/${name}.js`, built).href)
  const corpus: { name: string; input: Uint8Array }[] = readCorpus(new URL(name, corpora).pathname)

  test("keeps its promises for what fuzzing found", async () => {
    expect(corpus.length).toBeGreaterThan(0)
    for (const { name: file, input } of corpus)
      expect([file, await checkInput(target, input)]).toEqual([file, undefined])
  })

  test("reads its first inputs", async () => {
    for (const input of await target.seeds()) expect(await checkInput(target, Buffer.from(input))).toBeUndefined()
  })
})

test("a parser that throws anything but a refusal is caught", async () => {
  const broken = {
    covers: [],
    words: [],
    seeds: () => [],
    check: () => {
      throw new RangeError("no refusal")
    },
  }
  expect(await checkInput(broken, new Uint8Array(1))).toContain("no refusal")
})
