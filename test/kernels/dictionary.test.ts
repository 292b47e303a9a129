import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Dictionary, dictionaryFrom, dictionaryOf } from "#dist/kernels/dictionary.js"

const texts = fc.array(fc.oneof(fc.constantFrom("", "a", "aa", "ﬁ", "é", "👍"), fc.string({ unit: "binary" })), {
  maxLength: 80,
})

function textsOf(dictionary: Dictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, id) => dictionary.text(id))
}

describe("a dictionary", () => {
  test("has each text once, in the given order", () => {
    fc.assert(
      fc.property(texts, (given) => {
        expect(textsOf(dictionaryOf(given))).toEqual([...new Set(given)])
      }),
    )
  })

  test("finds each of its texts, by text and by bytes, and nothing else", () => {
    fc.assert(
      fc.property(texts, texts, (given, others) => {
        const dictionary = dictionaryOf(given)
        const ids = new Map([...new Set(given)].map((text, id) => [text, id]))
        for (const text of [...given, ...others]) {
          expect(dictionary.find(text)).toBe(ids.get(text) ?? -1)
          expect(dictionary.findBytes(Buffer.from(text))).toBe(ids.get(text) ?? -1)
        }
      }),
    )
  })

  test("does not find bytes that are not one of its texts", () => {
    const dictionary = dictionaryOf(["é", "\u{fffd}"])
    expect(dictionary.findBytes(Uint8Array.of(0xc3))).toBe(-1)
    expect(dictionary.findBytes(Uint8Array.of(0xff))).toBe(-1)
  })

  test("gives the bytes of an entry", () => {
    fc.assert(
      fc.property(texts, (given) => {
        const dictionary = dictionaryOf(given)
        for (const [id, text] of [...new Set(given)].entries()) {
          expect(Buffer.from(dictionary.bytes(id))).toEqual(Buffer.from(text))
        }
      }),
    )
  })

  test("rebuilt from its parts is the same dictionary", () => {
    fc.assert(
      fc.property(texts, (given) => {
        const dictionary = dictionaryOf(given)
        const again = dictionaryFrom(structuredClone(dictionary.parts()))
        expect(textsOf(again)).toEqual(textsOf(dictionary))
        for (const text of given) expect(again.find(text)).toBe(dictionary.find(text))
      }),
    )
  })

  test("uses shared memory of exactly its size", () => {
    const { arena, offsets } = dictionaryOf(["ab", "", "ab", "c"]).parts()
    expect(arena.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(offsets.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(Buffer.from(arena).toString()).toBe("abc")
    expect([...offsets]).toEqual([0, 2, 2, 3])
  })

  test("without entries finds nothing, not even the empty text", () => {
    const dictionary = dictionaryOf([])
    expect(dictionary.size).toBe(0)
    expect(dictionary.find("")).toBe(-1)
    expect(dictionaryOf([""]).find("")).toBe(0)
  })
})
