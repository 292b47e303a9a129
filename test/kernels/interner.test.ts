import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hashBytes, Interner, mixHash, stepHash } from "#dist/kernels/dictionary.js"

/** Interns a text that is somewhere inside a larger buffer, as the fields of a line are. */
function internText(interner: Interner, text: string, hash?: number): number {
  const bytes = Buffer.from(`<${text}>`)
  const end = bytes.length - 1
  return interner.intern(bytes, 1, end, hash ?? hashBytes(bytes, 1, end, interner.seed))
}

/** The ids that a Map assigns: dense, in order of first arrival. */
function idsByMap(texts: readonly string[]): number[] {
  const ids = new Map<string, number>()
  return texts.map((text) => {
    const id = ids.get(text) ?? ids.size
    ids.set(text, id)
    return id
  })
}

const text = fc.oneof(
  fc.constantFrom("", "a", "b", "ab", "new york", "ß", "日本", "👩‍👧"),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.integer({ min: 60, max: 200 }).map((length) => "x".repeat(length)),
)

describe("interned texts", () => {
  test("equal bytes have one id, ids are dense and in order of first arrival", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 200 }), fc.integer(), (texts, seed) => {
        const interner = new Interner({ seed, expected: 1 })
        expect(texts.map((one) => internText(interner, one))).toEqual(idsByMap(texts))
        const dictionary = interner.freeze()
        expect(dictionary.size).toBe(new Set(texts).size)
        expect(Array.from({ length: dictionary.size }, (_, id) => dictionary.text(id))).toEqual([...new Set(texts)])
      }),
    )
  })

  test("texts whose hashes are all equal are still distinguished", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), fc.constantFrom(0, 1, 0x7fff_ffff, 0xffff_ffff), (texts, hash) => {
        const interner = new Interner({ expected: 1 })
        expect(texts.map((one) => internText(interner, one, hash))).toEqual(idsByMap(texts))
      }),
    )
  })

  test("ids stay the same while table, offsets and arena grow a hundredfold", () => {
    const texts = Array.from({ length: 60_000 }, (_, i) => `query number ${(i * 7919) % 20_011} ${"é".repeat(i % 5)}`)
    const interner = new Interner({ expected: 1 })
    expect(texts.map((one) => internText(interner, one))).toEqual(idsByMap(texts))
    expect(texts.map((one) => internText(interner, one))).toEqual(idsByMap(texts))
  })

  test("a cleared interner starts again at id 0 and remembers nothing", () => {
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (before, after) => {
        const interner = new Interner({ expected: 1 })
        for (const one of before) internText(interner, one)
        interner.clear()
        expect(after.map((one) => internText(interner, one))).toEqual(idsByMap(after))
        expect(interner.freeze().size).toBe(new Set(after).size)
      }),
    )
  })

  test("warming the cache for any hashes changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(text),
        fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { maxLength: 256 }),
        (texts, noise) => {
          const interner = new Interner({ expected: 1 })
          const hashes = Uint32Array.from(noise)
          const ids = texts.map((one) => {
            interner.warm(hashes, 0, hashes.length)
            return internText(interner, one)
          })
          expect(ids).toEqual(idsByMap(texts))
        },
      ),
    )
  })

  test("a hash taken byte by byte is the hash of the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer(), (bytes, seed) => {
        const stepped = mixHash(bytes.reduce((hash, byte) => stepHash(hash, byte), seed))
        expect(stepped).toBe(hashBytes(bytes, 0, bytes.length, seed))
      }),
    )
  })
})
