import { createCipheriv, createHmac } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hmacUnder } from "#dist/kernels/hmac.js"
import { keyedRandom } from "#dist/kernels/keyed-random.js"
import { chiSquareTail } from "#dist/kernels/statistics/chi-square.js"

const bytes = (most: number) => fc.uint8Array({ maxLength: most })

test.each(["sha256", "sha512"] as const)("a digest under a key is that of node:crypto: %s", (algorithm) => {
  fc.assert(
    fc.property(bytes(300), fc.array(bytes(500), { maxLength: 4 }), (key, messages) => {
      const digest = hmacUnder(key, algorithm)
      for (const message of messages)
        expect(digest(message)).toBe(createHmac(algorithm, key).update(message).digest("binary"))
    }),
    { numRuns: 200 },
  )
})

/** The same words from the cipher of node:crypto. */
function wordsByHand(key: Uint8Array, label: string, message: Uint8Array, count: number): number[] {
  const under = (secret: Uint8Array, what: string | Uint8Array) => createHmac("sha256", secret).update(what).digest()
  const counter = under(under(key, `${label} seed`), message).subarray(0, 16)
  counter[12] = (counter[12] ?? 0) & 0x7f
  const stream = createCipheriv("aes-256-ctr", under(key, `${label} words`), counter).update(Buffer.alloc(count * 4))
  return Array.from({ length: count }, (_, i) => stream.readUInt32LE(i * 4))
}

describe("a keyed source", () => {
  const key = Buffer.alloc(32, 5)

  test("gives the keystream of AES-256-CTR from the message's counter, whatever was drawn before", () => {
    const random = keyedRandom(key, { label: "test", seeded: true })
    fc.assert(
      fc.property(bytes(200), fc.integer({ min: 1, max: 400 }), (message, count) => {
        random.reseed(message)
        const drawn = Array.from({ length: count }, () => random.uint32())
        expect(drawn).toEqual(wordsByHand(key, "test", message, count))
      }),
      { numRuns: 200 },
    )
  })

  test("gives other words for another key, label or message", () => {
    const draw = (secret: Uint8Array, label: string, message: string) => {
      const random = keyedRandom(secret, { label, seeded: true })
      random.reseed(Buffer.from(message))
      return random.uint32() * 2 ** 32 + random.uint32()
    }
    const other = Buffer.alloc(32, 6)
    const drawn = [draw(key, "a", "m"), draw(other, "a", "m"), draw(key, "b", "m"), draw(key, "a", "n")]
    expect(new Set(drawn).size).toBe(4)
  })

  test("draws each number below n equally often over many seeds (false alarm 1 in 10⁶)", () => {
    const random = keyedRandom(key, { label: "test", seeded: true })
    const counts = new Array<number>(7).fill(0)
    const rounds = 70_000
    for (let i = 0; i < rounds; i++) {
      random.reseed(Uint8Array.of(i, i >> 8, i >> 16))
      const drawn = random.below(7)
      counts[drawn] = (counts[drawn] ?? 0) + 1
    }
    const statistic = counts.reduce((sum, count) => sum + (count - rounds / 7) ** 2 / (rounds / 7), 0)
    expect(chiSquareTail(statistic, 6)).toBeGreaterThan(1e-6)
  })
})
