import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { countDistinctUsers } from "#dist/kernels/distinct-users.js"
import { countNgrams, type Ngrams } from "#dist/kernels/ngrams.js"
import { seededRandom } from "#dist/kernels/random.js"

interface Plain {
  /** Words of each query. */
  queries: number[][]
  /** Events, grouped by user. */
  events: { user: number; query: number }[]
}

const log: fc.Arbitrary<Plain> = fc
  .array(fc.array(fc.nat({ max: 4 }), { maxLength: 6 }), { minLength: 1, maxLength: 12 })
  .chain((queries) =>
    fc.record({
      queries: fc.constant(queries),
      events: fc
        .array(fc.record({ user: fc.nat({ max: 4 }), query: fc.nat({ max: queries.length - 1 }) }), { maxLength: 40 })
        .map((rows) => rows.sort((a, b) => a.user - b.user)),
    }),
  )

async function count({ queries, events }: Plain, longest: number, words = 5): Promise<Ngrams[]> {
  const tokens = Int32Array.from(queries.flat())
  const lengths = queries.map((query) => query.length)
  const offsets = Uint32Array.from([0, ...lengths], (_, i) => lengths.slice(0, i).reduce((a, b) => a + b, 0))
  const user = Int32Array.from(events, (event) => event.user)
  const query = Int32Array.from(events, (event) => event.query)
  const queryEvents = new Uint32Array(queries.length)
  for (const event of events) queryEvents[event.query]++
  const queryUsers = countDistinctUsers(query, user, { size: queries.length })
  const rows = { user, query, queryEvents, queryUsers }
  return countNgrams({ offsets, tokens, words }, { rows, longest }, createContext({ workers: 1 }))
}

/** Maps words with spaces between them to their counts. Only n-grams of queries that somebody issued. */
function byName(all: readonly Ngrams[], n: number): Record<string, number[]> {
  const name = (length: number, id: number): string => {
    const { prefix, last } = all[length - 1]
    return length === 1 ? String(last[id]) : `${name(length - 1, prefix[id])} ${last[id]}`
  }
  const { occurrences, events, users } = all[n - 1]
  const issued = Array.from(occurrences.keys()).filter((id) => occurrences[id] > 0)
  return Object.fromEntries(issued.map((id) => [name(n, id), [occurrences[id], events[id], users[id]]]))
}

function byHand({ queries, events }: Plain, n: number): Record<string, number[]> {
  const found = new Map<string, { occurrences: number; events: Set<number>; users: Set<number> }>()
  events.forEach(({ user, query }, event) => {
    for (let i = 0; i + n <= queries[query].length; i++) {
      const name = queries[query].slice(i, i + n).join(" ")
      const of = found.get(name) ?? { occurrences: 0, events: new Set(), users: new Set() }
      found.set(name, { occurrences: of.occurrences + 1, events: of.events.add(event), users: of.users.add(user) })
    }
  })
  return Object.fromEntries([...found].map(([name, of]) => [name, [of.occurrences, of.events.size, of.users.size]]))
}

describe("n-grams", () => {
  test("have the occurrences, events and users that a Map of Sets counts", async () => {
    await fc.assert(
      fc.asyncProperty(log, async (plain) => {
        const counted = await count(plain, 4)
        for (const n of [1, 2, 3, 4]) expect(byName(counted, n)).toEqual(byHand(plain, n))
      }),
      { numRuns: 300 },
    )
  })

  test("are found again at every token, and nowhere beyond the end of a query", async () => {
    await fc.assert(
      fc.asyncProperty(log, async (plain) => {
        for (const { n, at, last, size } of await count(plain, 3)) {
          const ends = plain.queries.flatMap((query) => query.map((_, i) => query[i + n - 1] ?? -1))
          expect([...at].map((id) => (id < 0 ? -1 : last[id]))).toEqual(ends)
          const ids = [...at].filter((id) => id >= 0)
          if (n > 1) expect([...new Set(ids)]).toEqual(Array.from({ length: size }, (_, id) => id))
        }
      }),
    )
  })

  test("of many queries are counted as well when the tables grow", async () => {
    const random = seededRandom(5)
    const queries = Array.from({ length: 20_000 }, () => [0, 1, 2].map(() => random.below(60)))
    const plain = { queries, events: queries.map((_, query) => ({ user: query >> 4, query })) }
    const counted = await count(plain, 3, 60)
    expect(byName(counted, 3)).toEqual(byHand(plain, 3))
  })
})
