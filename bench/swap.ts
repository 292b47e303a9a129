import { seededRandom, seededStream } from "#dist/kernels/random.js"
import { createSwapper } from "#dist/swapper/create-swapper.js"
import { keyedCells } from "#dist/swapper/keyed-cells.js"
import type { PositionColumns, RecordColumns, SwapMode } from "#dist/swapper/swapper.js"
import { type Bench, type Finding, memoryAtMost, rateAtLeast, ratioAtLeast } from "./case.ts"

const records = 20_000_000
const few = 100_000
const userCount = 657_000
const ks = [3, 10, 50, 200]

/**
 * Synthetic searches: some users and categories have many, most have few. 1 in 4 records repeats a recent text of the
 * same user.
 */
function makeRecords(count: number, categories: number): RecordColumns {
  const stream = seededStream()
  stream.reseed(1, categories, 0)
  const skewed = (size: number) => Math.floor(size ** stream.unit()) - 1
  const user = new Int32Array(count)
  const text = new Int32Array(count)
  const category = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    if (i > 100 && stream.below(4) === 0) {
      const before = i - 1 - stream.below(100)
      user[i] = user[before]
      text[i] = text[before]
      category[i] = category[before]
    } else {
      user[i] = Math.floor(userCount * stream.unit() ** 2)
      category[i] = categories < 100 ? stream.below(categories) : skewed(categories + 1)
      text[i] = category[i] * 1000 + stream.below(1000)
    }
  }
  return { user, text, category }
}

/** Positions in the order of arrival, sixteen in a second. */
function makePositions(count: number): PositionColumns {
  const [time, high, low] = [0, 1, 2].map(() => new Int32Array(count))
  for (let i = 0; i < count; i++) {
    time[i] = i >> 4
    high[i] = ((i & 15) << 27) | (Math.imul(i, 0x9e3779b1) >>> 5)
    low[i] = Math.imul(i, 0x85ebca77)
  }
  return { time, high, low }
}

/**
 * Swaps all records. With `keyed`, each cell is dealt under a key, as in a release; otherwise from one seeded source,
 * which times the swapper alone.
 */
function swapAll(
  mode: SwapMode,
  { k, categories, keyed = false }: { k: number; categories: number; keyed?: boolean },
): Finding {
  const plain = makeRecords(records, categories)
  const columns = keyed ? { ...plain, position: makePositions(records) } : plain
  let released = 0
  let sum = 0
  const sink = {
    release: (record: number, as: number) => {
      released++
      sum = (sum + record * 7 + as) | 0
    },
    withhold: () => {},
  }
  const randomOfCell = keyed
    ? keyedCells({ secret: { key: new Uint8Array(32), version: 1 }, pathOf: String })
    : undefined
  const swapper = createSwapper(columns, { mode, k, backlog: 1000, random: seededRandom(1), randomOfCell, sink })
  const begun = performance.now()
  for (let record = 0; record < records; record++) swapper.offer(record)
  return { count: records, seconds: (performance.now() - begun) / 1000, released, sum }
}

/** Algorithm 1 as written: arrays, `splice`, and a Set to count the users. */
function swapPlainly({ k, categories }: { k: number; categories: number }): Finding {
  const { user, category } = makeRecords(few, categories)
  const random = seededRandom(1)
  const pools = new Map<number, { users: number[]; queries: number[] }>()
  let released = 0
  const begun = performance.now()
  for (let record = 0; record < few; record++) {
    const pool = pools.get(category[record]) ?? { users: [], queries: [] }
    pools.set(category[record], pool)
    pool.users.push(user[record])
    pool.queries.push(record)
    while (new Set(pool.users).size > k) {
      const [query] = pool.queries.splice(random.below(pool.queries.length), 1)
      let place = random.below(pool.users.length)
      while (pool.users[place] === user[query]) place = random.below(pool.users.length)
      pool.users.splice(place, 1)
      released++
    }
  }
  return { count: few, seconds: (performance.now() - begun) / 1000, released }
}

const shapes = [
  { name: "26 categories", categories: 26, rate: 3_000_000 },
  { name: "190,000 categories", categories: 190_000, rate: 1_000_000 },
]
const settings = (["strict", "paper"] as const).flatMap((mode) =>
  shapes.flatMap(({ name, categories, rate }) =>
    ks.map((k) => ({ mode, k, categories, rate, name: `${mode}, ${name}, k = ${k}` })),
  ),
)

export const swap: Bench = {
  name: "swap",
  prepare: async () => {},
  cases: [
    ...settings.map(({ name, mode, k, categories }) => ({
      name,
      run: async () => swapAll(mode, { k, categories }),
    })),
    ...ks.map((k) => ({
      name: `strict with a key, 26 categories, k = ${k}`,
      run: async () => swapAll("strict", { k, categories: 26, keyed: true }),
    })),
    ...[3, 200].map((k) => ({
      name: `Algorithm 1 by splice, 26, k = ${k}`,
      run: async () => swapPlainly({ k, categories: 26 }),
    })),
  ],
  targets: [
    ...settings.map(({ name, rate }) => rateAtLeast(name, rate)),
    ...ks.map((k) => rateAtLeast(`strict with a key, 26 categories, k = ${k}`, 700_000)),
    memoryAtMost("strict, 190,000 categories, k = 200", 1500),
    memoryAtMost("paper, 190,000 categories, k = 200", 1500),
    ratioAtLeast("paper, 26 categories, k = 3", "Algorithm 1 by splice, 26, k = 3", 2),
    ratioAtLeast("paper, 26 categories, k = 200", "Algorithm 1 by splice, 26, k = 200", 10),
  ],
}
