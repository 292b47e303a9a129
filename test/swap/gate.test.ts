import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import type { NameLifetime } from "#dist/methods/name-lifetime.js"
import { type Measured, measureLinkage } from "#dist/methods/swap/measure-linkage.js"
import { plantStream, underNames } from "../support/planted-streams.ts"

const k = 5
const runs = 100
const tolerance = 0.01

/** Attacks a planted log as `anonymize` does before it promises anything. */
function gate(
  { seed, own, users }: { seed: number; own: number; users: NameLifetime },
  mostUnits?: number,
): Promise<Measured> {
  const planted = plantStream({ k, searches: 1000, people: 60, pool: 150, seed, own })
  const { cell, words } = planted
  const attacked = { k, cells: true, once: true, cell, words, falseAlarms: tolerance, mostUnits }
  return measureLinkage(underNames(planted, users), attacked, createContext({ seed }))
}

async function refutedOf(settings: { own: number; users: NameLifetime }): Promise<number> {
  let refuted = 0
  for (let seed = 1; seed <= runs; seed++) if ((await gate({ ...settings, seed }, 300)).largest.over) refuted++
  return refuted
}

describe("the gate before a promise", () => {
  /**
   * Of a thousand searches, this many have a word of their user's own, which makes the best attacker right twice as
   * often.
   */
  test.each([
    { users: "day" as const, own: 240 },
    { users: "session" as const, own: 460 },
  ])(
    "passes a release whose users are named 2 in k times less than 5 in 100 times: %j",
    async (settings) => {
      const { exact } = await gate({ ...settings, seed: 1 })
      expect(Number(exact.share) * k).toBeGreaterThan(1.7)
      expect(Number(exact.share) * k).toBeLessThan(2.3)
      expect(await refutedOf(settings)).toBeGreaterThanOrEqual(95)
    },
    180_000,
  )

  // At most one release in a hundred is refuted by chance. Five of a hundred: 3 in 1,000, if the seeds were not fixed.
  test.each<NameLifetime>(["day", "session"])(
    "refutes an honest release no more often than it says: %s",
    async (users) => {
      expect(await refutedOf({ own: 0, users })).toBeLessThanOrEqual(4)
    },
    180_000,
  )

  // With k = 5, units of full cells count for less: about ten must be right to refute 1/5.
  test.each<NameLifetime>(["day", "session"])("says that few searches cannot refute a promise: %s", async (users) => {
    const few = async (searches: number) => {
      const planted = plantStream({ k, searches, people: 60, pool: 150, seed: 1, own: 0 })
      const { cell, words } = planted
      const attacked = { k, cells: true, once: true, cell, words, falseAlarms: tolerance }
      return (await measureLinkage(underNames(planted, users), attacked, createContext({ seed: 1 }))).largest.few
    }
    expect(await few(8)).toBe(true)
    expect(await few(60)).toBeUndefined()
  })
})
