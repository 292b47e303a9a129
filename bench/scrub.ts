import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { type Dictionary, dictionaryOf } from "#dist/kernels/dictionary.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import { allKinds, defaultKinds } from "#dist/text/identifiers/kinds.js"
import { detectKinds } from "#dist/text/identifiers/registry.js"
import { scanQueries } from "#dist/text/identifiers/scan-queries.js"
import { type Bench, type Finding, rateAtLeast, ratioAtLeast } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

export const rows = 10_000_000

async function synthQueries(): Promise<Dictionary> {
  return (await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())).log.queries
}

/**
 * The synthetic log has fewer digits and given names than real logs, so fewer queries are examined closely. Here nine
 * in a hundred get one more digit and twelve one more given name. Real logs have about as many in all (the topics of
 * the TREC Million Query tracks have 5–9 and 11–12).
 */
export async function mixedQueries(): Promise<Dictionary> {
  const queries = await synthQueries()
  const random = seededRandom(7)
  const pick = (from: readonly string[]) => from[random.below(from.length)]
  const digits = () => String(random.below(9000) + 1000)
  const texts = function* () {
    for (let id = 0; id < queries.size; id++) {
      const text = queries.text(id)
      const share = random.below(100)
      if (share < 9) yield `${text} ${pick(digitTails).replaceAll("#", digits)}`
      else if (share < 21) yield `${pick(names)} ${text}`
      else yield text
    }
  }
  return dictionaryOf(texts())
}

/** Typical uses of digits in queries: mostly years, models and sizes. # stands for four digits. */
// biome-ignore format: a table
const digitTails = [
  "2006", "2005", "1998", "10", "4gb", "x360", "mp3", "$19.99", "10 22", "3gs 16 gb", "v1.5.0.4", "20 inch",
  "# manual", "hp # driver", "zip 9#", "5th grade", "top 10", "# oak street", "555-#", "212-555-#", "part #-#",
  "7 day", "24 hour", "2 bedroom",
]

const names = ["john", "maria", "david", "jennifer", "rose", "austin", "will", "anna", "mark", "grace"]

/**
 * Times an action in seconds of one core, including garbage collection and compilation: the target is a rate per core.
 */
function timedOnCore<T>(action: () => T): { seconds: number; value: T } {
  const before = process.cpuUsage()
  const value = action()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, value }
}

async function scan(make: () => Promise<Dictionary>, kinds: number): Promise<Finding> {
  const queries = await make()
  const { seconds, value } = timedOnCore(() => scanQueries(queries, kinds))
  return { count: queries.size, seconds, withheld: value.filter((found) => found !== 0).length }
}

/** Turns every query into a string and runs every detector on it. */
async function scanPlainly(make: () => Promise<Dictionary>): Promise<Finding> {
  const queries = await make()
  const { seconds, value } = timedOnCore(() => {
    let withheld = 0
    for (let id = 0; id < queries.size; id++) if (detectKinds(queries.text(id), allKinds) !== 0) withheld++
    return withheld
  })
  return { count: queries.size, seconds, withheld: value }
}

export const scrub: Bench = {
  name: "scrub",
  prepare: async () => {
    await makeLog(rows)
    await synthQueries()
  },
  cases: [
    { name: "synthetic log, all kinds", run: () => scan(synthQueries, allKinds) },
    { name: "mixed queries, all kinds", run: () => scan(mixedQueries, allKinds) },
    { name: "mixed queries, default kinds", run: () => scan(mixedQueries, defaultKinds) },
    { name: "mixed queries, plain scan", run: () => scanPlainly(mixedQueries) },
  ],
  targets: [
    rateAtLeast("synthetic log, all kinds", 1_000_000),
    rateAtLeast("mixed queries, all kinds", 1_000_000),
    rateAtLeast("mixed queries, default kinds", 1_000_000),
    ratioAtLeast("mixed queries, all kinds", "mixed queries, plain scan", 3),
  ],
}
