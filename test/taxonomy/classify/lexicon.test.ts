import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { readLog } from "#dist/log/read-log.js"
import { encodeLexicon, readLexiconFile } from "#dist/taxonomy/classify/lexicon-file.js"
import { openClassifier } from "#dist/taxonomy/classify/open-classifier.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { trainLexicon } from "#dist/taxonomy/classify/train/train-lexicon.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { aolText, type Search, timeAfter } from "../../support/aol-log.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const taxonomy = () =>
  openTaxonomy(
    write("Food\t1\t\nFood/Pizza\t3\tcrust\nSport\t1\t\nSport/Tennis\t3\tracket\n", "small.tsv"),
    {},
    context,
  )

/**
 * Everyone searches for pizza or tennis, and for a shop that no taxonomy knows. Both lead to the same sites. Two know a
 * secret.
 */
function shoppers(users = 24): Search[] {
  return Array.from({ length: users }, (_, person): Search[] => {
    const sporty = person % 2 === 0
    const user = `u${person}`
    const click = (query: string, seconds: number, url: string): Search => ({
      user,
      query,
      time: timeAfter(seconds),
      rank: 1,
      url,
    })
    const [topic, shop] = sporty ? ["tennis", "zorbtix"] : ["pizza", "quuxo"]
    const site = `http://${topic}.example`
    return [
      click(topic, 0, site),
      click(shop, 60, site),
      click(`www.${shop}.com`, 7200, site),
      { user, query: `${shop} nobodyelse${person}`, time: timeAfter(9000) },
      ...(person === 0 || person === 2 ? [click("privateword", 20_000, site)] : []),
    ]
  }).flat()
}

async function learn(searches: readonly Search[], options: { minUsers?: number } = {}, workers = 1) {
  const { log } = await readLog(write(aolText(searches)), {}, createContext({ workers }))
  return trainLexicon(log, await taxonomy(), options, createContext({ workers }))
}
const wordsOf = ({ wordArena, wordOffsets }: Awaited<ReturnType<typeof learn>>) =>
  Array.from({ length: wordOffsets.length - 1 }, (_, i) =>
    Buffer.from(wordArena.slice(wordOffsets[i], wordOffsets[i + 1])).toString(),
  )

describe("a lexicon", () => {
  test("carries topics to words that the taxonomy does not know", async () => {
    const tree = await taxonomy()
    const queries = dictionaryOf(["zorbtix", "www.zorbtix.com", "quuxo opening hours", "unheard"])
    const before = await phraseClassifier(tree).classify(queries, context)
    const after = await phraseClassifier(tree, await learn(shoppers())).classify(queries, context)
    const names = (topics: Int32Array) => Array.from(topics, (topic) => (topic < 0 ? "-" : tree.path(topic)))
    expect(names(before)).toEqual(["-", "-", "-", "-"])
    expect(names(after)).toEqual(["Sport/Tennis", "Sport/Tennis", "Food/Pizza", "-"])
  })

  test("has no word with fewer users than required", async () => {
    const lexicon = await learn(shoppers())
    expect(wordsOf(lexicon)).toEqual(["pizza", "quuxo", "tennis", "zorbtix"])
    expect(Buffer.concat(encodeLexicon(lexicon, await taxonomy())).toString("latin1")).not.toMatch(
      /privateword|nobodyelse/,
    )
    expect(wordsOf(await learn(shoppers(), { minUsers: 13 }))).toEqual([])
    expect(wordsOf(await learn(shoppers(), { minUsers: 2 }))).toContain("privateword")
  })

  test("is the same for any number of workers and any order of rows", async () => {
    const tree = await taxonomy()
    const bytes = async (...args: Parameters<typeof learn>) => Buffer.concat(encodeLexicon(await learn(...args), tree))
    const one = await bytes(shoppers())
    expect((await bytes(shoppers(), {}, 3)).equals(one)).toBe(true)
    expect((await bytes(shoppers().reverse())).equals(one)).toBe(true)
  })
})

describe("a lexicon file", () => {
  test("returns the same lexicon", async () => {
    const [lexicon, tree] = [await learn(shoppers()), await taxonomy()]
    expect(await readLexiconFile(write(Buffer.concat(encodeLexicon(lexicon, tree)), "l.lexicon"), tree)).toEqual(
      lexicon,
    )
  })

  test("with any bit flipped or cut short is refused, as a lexicon or as a table", async () => {
    const tree = await taxonomy()
    const path = write(Buffer.concat(encodeLexicon(await learn(shoppers()), tree)), "damaged.lexicon")
    const whole = readFileSync(path)
    const expectRefused = async (content: Uint8Array) => {
      writeFileSync(path, content)
      const opened = await openClassifier(path, { taxonomy: tree }, context).catch((error: unknown) => error)
      expect(opened).toMatchObject({ name: "QueryveilError", fields: { file: path } })
    }
    for (let byte = 0; byte < whole.length; byte += 3) {
      const flipped = Buffer.from(whole)
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << (byte % 8))
      await expectRefused(flipped)
    }
    for (let length = 20; length < whole.length; length += 31) await expectRefused(whole.subarray(0, length))
  })

  test("of another taxonomy is refused", async () => {
    const other = await openTaxonomy(write("Food\t1\t\nFood/Pasta\t3\t\n"), {}, context)
    const path = write(Buffer.concat(encodeLexicon(await learn(shoppers()), await taxonomy())))
    await expect(readLexiconFile(path, other)).rejects.toMatchObject({
      code: "classifier-broken",
      message: expect.stringMatching(/another taxonomy/),
    })
  })
})
