import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { type Dictionary, dictionaryOf } from "#dist/kernels/dictionary.js"
import { normaliseQuery } from "#dist/text/normalise.js"
import { type TokenOptions, tokeniseQueries } from "#dist/text/tokens.js"

async function cut(queries: Dictionary, options: Partial<TokenOptions> = {}, workers = 1): Promise<string[][]> {
  const { words, offsets, tokens } = await tokeniseQueries(queries, options, createContext({ workers }))
  return Array.from({ length: queries.size }, (_, query) =>
    Array.from(tokens.subarray(offsets[query], offsets[query + 1]), (id) => words.text(id)),
  )
}

const textsOf = (queries: Dictionary) => Array.from({ length: queries.size }, (_, id) => queries.text(id))

describe("the words of a query", () => {
  test("are what is between spaces, including punctuation", async () => {
    const queries = dictionaryOf(["bausch & lomb", "c++", "www.example.com", "o'neil's café", "東京 天気", ""])
    expect(await cut(queries)).toEqual([
      ["bausch", "&", "lomb"],
      ["c++"],
      ["www.example.com"],
      ["o'neil's", "café"],
      ["東京", "天気"],
      [],
    ])
  })

  test("are its text split at spaces; the segmenter changes nothing in scripts with spaces", async () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."ab& é-жא"), maxLength: 14 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 14 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (texts) => {
        const queries = dictionaryOf(texts.map(normaliseQuery))
        const split = textsOf(queries).map((query) => query.split(" ").filter((word) => word !== ""))
        expect(await cut(queries)).toEqual(split)
        expect(await cut(queries, { tokens: "segmenter" })).toEqual(split)
      }),
    )
  })

  test("are numbered in order of first appearance, whatever the number of workers", async () => {
    const count = 300_000 // more than one shard
    const queries = dictionaryOf(
      Array.from({ length: count }, (_, i) => `w${(i * 7919) % 4001} common x${i % 613} y${i}`),
    )
    const one = await tokeniseQueries(queries, {}, createContext({ workers: 1 }))
    const two = await tokeniseQueries(queries, {}, createContext({ workers: 2 }))
    const parts = ({ words, offsets, tokens }: typeof one) =>
      [words.parts().arena, words.parts().offsets, offsets, tokens].map((array) =>
        Buffer.from(array.buffer, array.byteOffset, array.byteLength),
      )
    expect(parts(one).map((bytes, i) => bytes.equals(parts(two)[i] ?? bytes.subarray(1)))).toEqual(Array(4).fill(true))
    let seen = -1
    let inOrder = true
    for (const id of one.tokens) {
      inOrder &&= id <= seen + 1
      seen = Math.max(seen, id)
    }
    expect([inOrder, seen + 1, one.offsets.at(-1)]).toEqual([true, one.words.size, count * 4])
  })
})

describe("with the segmenter, scripts without spaces", () => {
  test.each([
    ["東京の天気予報", ["東京", "の", "天気", "予報"], "Japanese"],
    ["北京天气预报", ["北京", "天气", "预报"], "Chinese"],
    ["สภาพอากาศวันนี้", ["สภาพ", "อากาศ", "วัน", "นี้"], "Thai"],
    ["iphone 6 価格、比較", ["iphone", "6", "価格", "比較"], "words with and without spaces"],
    ["bausch & lomb 上海", ["bausch", "&", "lomb", "上海"], "only where it is needed"],
    ["㐂", ["㐂"], "a single letter"],
    ["๛", ["๛"], "a word without a word-like part stays whole"],
  ])("%s is %j (%s)", async (query, words) => {
    const [found] = await cut(dictionaryOf([query]), { tokens: "segmenter" })
    expect(found).toEqual(words)
  })

  test("leave no query without a word", async () => {
    const unit = fc.constantFrom(..."東京タの、。〆ー々กิ์ຂັກមြ a&1")
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit, minLength: 1, maxLength: 8 })), async (texts) => {
        const queries = dictionaryOf(texts.map(normaliseQuery).filter((text) => text !== ""))
        const found = await cut(queries, { tokens: "segmenter" })
        expect(found.filter((words) => words.length === 0)).toEqual([])
        expect(found.flat().filter((word) => word === "" || word.includes(" "))).toEqual([])
      }),
    )
  })
})
