import { linkageAttackers } from "#dist/kernels/linkage/attackers.js"
import type { ReleasedStream } from "#dist/kernels/linkage/released-stream.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { seededRandom } from "#dist/kernels/random.js"
import { type Bench, type Finding, rateAtLeast, ratioAtLeast, timed } from "./case.ts"

const records = 2_000_000
const users = 700_000

interface Shape {
  k: number
  categories: number
  /**
   * How records leave: in cells of k + 1 users with one time or with their own times, or one by one with their own
   * times.
   */
  leave: "cells" | "cells, own times" | "one by one"
}

/**
 * A synthetic output of a swapper. A few users and categories are much more active than the others, and a third of the
 * records have a text that occurs more than once. A record waited for up to 3k releases of any category.
 */
function makeStream({ k, categories, leave }: Shape): ReleasedStream {
  const random = seededRandom(1)
  const skewed = (n: number) => Math.floor(n * (random.uint32() * 2 ** -32) ** 3)
  const column = () => new Int32Array(records)
  const stream: ReleasedStream = { user: column(), text: column(), category: column(), time: column(), truth: column() }
  const lastCell = column().subarray(0, users).fill(-1)
  let category = 0
  let closing = 0
  for (let i = 0, inCell = 0, cell = 0; i < records; i++, inCell++) {
    if (leave === "one by one" || inCell > k || i === 0) {
      category = skewed(categories)
      closing = i + k
      inCell = 0
      cell++
    }
    let user = skewed(users)
    while (lastCell[user] === cell) user = skewed(users)
    lastCell[user] = cell
    stream.user[i] = user
    stream.truth[i] = skewed(users)
    stream.category[i] = category
    stream.text[i] = random.below(3) === 0 ? skewed(300_000) : 300_000 + i
    stream.time[i] = leave === "cells" ? closing : i - random.below(3 * k)
  }
  return stream
}

async function attack(name: string, shape: Shape): Promise<Finding> {
  const attacker = linkageAttackers.find((candidate) => candidate.name === name)
  if (attacker === undefined) throw new Error(`unknown attacker ${name}`)
  const stream = makeStream(shape)
  const options = { k: shape.k, random: seededRandom(2), cells: shape.leave !== "one by one", once: true }
  const before = process.cpuUsage()
  const { seconds, value } = await timed(async () => attacker.link(stream, options))
  const { user, system } = process.cpuUsage(before)
  // Other work on the machine affects CPU time less than elapsed time, although caches are shared.
  return { count: records, seconds, cpuSeconds: (user + system) / 1e6, named: scoreLinkage(value, stream).named }
}

/** The obvious first version of record linkage 1: a Map of arrays, a Set for the distinct users, `splice`. */
async function undoPlainly(shape: Shape): Promise<Finding> {
  const { user, category } = makeStream(shape)
  const random = seededRandom(2)
  const { seconds, value } = await timed(async () => {
    const pools = new Map<number, { users: number[]; waiting: number[] }>()
    const named = new Map<number, number>()
    for (let i = 0; i < records; i++) {
      const pool = pools.get(category[i]) ?? { users: [], waiting: [] }
      pools.set(category[i], pool)
      pool.users.push(user[i])
      pool.waiting.push(i)
      while (new Set(pool.users).size > shape.k) {
        const [record] = pool.waiting.splice(random.below(pool.waiting.length), 1)
        const others = pool.users.flatMap((other, at) => (other === user[record] ? [] : [at]))
        const [given] = pool.users.splice(others[random.below(others.length)], 1)
        named.set(record, given)
      }
    }
    return named.size
  })
  return { count: records, seconds, named: value }
}

const named = (name: string, { k, categories, leave }: Shape) =>
  `${name}, k ${k}, ${categories.toLocaleString("en")}${leave === "one by one" ? "" : ` (${leave})`}`

const cases = [10, 200].flatMap((k) =>
  [26, 100_000].flatMap((categories) =>
    linkageAttackers.flatMap(({ name }) => {
      const leaves: Shape["leave"][] =
        name === "times-and-order"
          ? ["cells", "cells, own times", "one by one"]
          : name === "intersection"
            ? ["cells", "one by one"]
            : name === "outdated-texts" || name === "compared-cells"
              ? ["cells"]
              : ["one by one"]
      return leaves.map((leave) => ({ name, shape: { k, categories, leave } }))
    }),
  ),
)
const plain: Shape = { k: 10, categories: 26, leave: "one by one" }

export const linkage: Bench = {
  name: "linkage",
  prepare: async () => {},
  cases: [
    ...cases.map(({ name, shape }) => ({ name: named(name, shape), run: () => attack(name, shape) })),
    { name: "record-linkage-1, arrays", run: () => undoPlainly(plain) },
  ],
  targets: [
    ...cases
      .filter(({ name, shape }) => shape.k === 10 && name !== "intersection")
      .map(({ name, shape }) => rateAtLeast(named(name, shape), 1_000_000)),
    ratioAtLeast(named("record-linkage-1", plain), "record-linkage-1, arrays", 3),
  ],
}
