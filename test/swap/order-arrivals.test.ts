import { createHmac } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { orderArrivals } from "#dist/methods/swap/order-arrivals.js"
import { positionSeeds } from "#dist/swapper/dealing-secret.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1, seed: 1 })
const secret = { key: Buffer.alloc(32, 7), version: 3 }

/** The finish of MurmurHash3, in exact arithmetic. */
function mix(value: bigint): bigint {
  const bits = (n: bigint) => BigInt.asUintN(32, n)
  let h = bits(value)
  h = bits((h ^ (h >> 16n)) * 0x85ebca6bn)
  h = bits((h ^ (h >> 13n)) * 0xc2b2ae35n)
  return h ^ (h >> 16n)
}

/** The position as docs/methods/swap.md describes it: one number, so that order by number is order by position. */
function positionOf({ user, query, time }: Search): bigint {
  const seeds = createHmac("sha256", secret.key).update("queryveil positions, secret 3").digest()
  const half = (at: number) => {
    const hash = (text: string) => {
      let h = BigInt(seeds.readUInt32LE(at))
      for (const byte of Buffer.from(text)) h = BigInt.asUintN(32, (h ^ BigInt(byte)) * 0x01000193n)
      return mix(h)
    }
    return mix(mix(hash(user) ^ 0x9e3779b9n) ^ hash(query))
  }
  const seconds = BigInt(Date.parse(`${time.replace(" ", "T")}Z`) / 1000 + 2 ** 31)
  return (seconds << 64n) | (half(0) << 32n) | half(4)
}

const searches: fc.Arbitrary<Search[]> = fc.uniqueArray(
  fc.record({
    user: fc.constantFrom("1", "2", "ü", "40"),
    query: fc.constantFrom("rail", "rail fare", "diét", "x"),
    time: fc.integer({ min: -3, max: 3 }).map((step) => timeAfter(step)),
  }),
  { minLength: 1, maxLength: 40, selector: (search) => Object.values(search).join("\t") },
)

/** Reads the searches as a log, and compares their order and positions with those of `positionOf`. */
async function expectOrder(given: readonly Search[]): Promise<void> {
  const { log } = await readLog(write(aolText(given), "log.tsv"), {}, context)
  const { row, time, hash } = orderArrivals(log, new Int32Array(log.queries.size), { seeds: positionSeeds(secret) })
  const sorted = given
    .map((search) => ({ search, position: positionOf(search) }))
    .sort((a, b) => (a.position < b.position ? -1 : 1))
  const textsOf = (at: number) => [log.users.text(log.user[at] ?? -1), log.queries.text(log.query[at] ?? -1)].join()
  expect(Array.from(row, textsOf)).toEqual(sorted.map(({ search: { user, query } }) => [user, query].join()))
  const positions = Array.from(time, (seconds, i) => {
    const [high = 0, low = 0] = [hash.high[i], hash.low[i]]
    return (BigInt(seconds + 2 ** 31) << 64n) | (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  })
  expect(positions).toEqual(sorted.map(({ position }) => position))
}

test("searches are ordered by time and keyed hash, computed with exact numbers, whatever their lines are", async () => {
  await fc.assert(fc.asyncProperty(searches, expectOrder), { numRuns: 100 })
})

test("the same is true of thousands of searches of one second", async () => {
  const crowd = Array.from({ length: 9000 }, (_, i): Search => {
    return { user: `${i % 70}`, query: `rail ${i}`, time: timeAfter(i % 10 === 0 ? -5 : 0) }
  })
  await expectOrder(crowd)
})
