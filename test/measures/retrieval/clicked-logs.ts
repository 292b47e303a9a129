import * as fc from "fast-check"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { type Search, timeAfter } from "../../support/aol-log.ts"

const queries = ["cars", "cheap cars", "maps", "news", "sport"]
const urls = ["http://a.example", "http://b.example", "http://c.example"]

/** A few people who share queries and click on few pages, some of them soon after each other. */
export const clickedSearches: fc.Arbitrary<Search[]> = fc
  .array(
    fc.record({
      user: fc.integer({ min: 1, max: 8 }).map(String),
      query: fc.constantFrom(...queries),
      time: fc.nat({ max: 20 }).map((step) => timeAfter(step * 600)),
      click: fc.option(fc.record({ rank: fc.integer({ min: 1, max: 5 }), url: fc.constantFrom(...urls) })),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) => rows.map(({ click, ...row }): Search => ({ ...row, ...click })))

/** Reads the log in a file. */
export async function readSearches(path: string): Promise<SearchLog> {
  const { log } = await readLog(path, {}, createContext({ workers: 1 }))
  return log
}

/**
 * A log of many people. Everyone searches for some of thirty things, mostly for six of them, and clicks mostly on the
 * same pages.
 */
export function busyTown(): Search[] {
  return Array.from({ length: 60 }, (_, person) =>
    Array.from({ length: 8 }, (_, i): Search => {
      const thing = (person * 7 + i * i * 5) % (i % 2 === 0 ? 6 : 30)
      const page = (thing * 3 + ((person + i) % 4 === 0 ? 1 + (person % 3) : 0)) % 40
      return {
        user: `person ${person}`,
        query: `thing ${thing}`,
        time: timeAfter(person * 50 + i * 400),
        ...(i % 3 === 2 ? {} : { rank: 1 + ((person + thing) % 5), url: `http://page-${page}.example` }),
      }
    }),
  ).flat()
}
