import { createHash } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { clusterSets } from "#dist/kernels/cluster-sets.js"
import { createContext } from "#dist/kernels/context.js"
import { groupUsers } from "#dist/kernels/group-users.js"
import { shuffle } from "#dist/kernels/random.js"
import { type UserMatrices, userDistance } from "#dist/kernels/user-matrices.js"
import { readLog } from "#dist/log/read-log.js"
import { groupLog } from "#dist/methods/groups/group-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { writeRelease } from "#dist/release/write-release.js"
import { type Bench, type Finding, memoryAtMost, ratioAtLeast, secondsAtMost, type Target, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const [k, delta] = [10, 0.5]
/** The rows of logs with this many users. */
const rowsOf = { 10000: 554_000, 30000: 1_662_000, 100000: 5_540_000, 650000: 36_000_000 }
type Users = keyof typeof rowsOf
const grown: Users[] = [10_000, 100_000, 650_000]
const everyText = { minQueryUsers: 1, urls: "keep", scrub: "none" }

const readCached = (users: Users) =>
  readLog(logPath(rowsOf[users]), { cache: join(benchFolder, "cache") }, createContext())

/** Measures the seconds from the first report of each stage to the first report of the next. */
function watchStages() {
  const begun: [string, number][] = []
  const context = createContext({
    report: ({ stage }) => {
      if (begun.at(-1)?.[0] !== stage) begun.push([stage, performance.now()])
    },
  })
  const seconds = (...stages: string[]) =>
    begun.reduce((sum, [stage, from], i) => {
      const to = begun[i + 1]?.[1] ?? performance.now()
      return sum + (stages.includes(stage) ? (to - from) / 1000 : 0)
    }, 0)
  return { context, seconds }
}

/** Times the way from the log in memory to the release on disk. */
async function release(users: Users, options: Record<string, string | number> = {}): Promise<Finding> {
  const input = await readCached(users)
  const folder = join(benchFolder, `groups-${users}`)
  const { context, seconds } = watchStages()
  const whole = await timed(async () => {
    const draft = await anonymize(input.log, { method: "groups", k, delta, ...options }, context)
    await writeRelease(draft, folder, { input, force: true }, context)
    return draft
  })
  for (const path of [folder, `${folder}.receipt.json`]) await rm(path, { recursive: true })
  const { withheld, rows } = whole.value
  return {
    count: input.log.rows,
    seconds: whole.seconds,
    clusters: withheld["query clusters"] ?? 0,
    groups: withheld.groups ?? 0,
    objects: withheld["query objects that can be shown"] ?? 0,
    released: rows.order.length,
    clustering: seconds("clustering queries"),
    grouping: seconds("grouping users"),
    composing: seconds("composing"),
  }
}

/** The matrices of all users of a log, with every text shown, and two random orders of the users. */
async function prepareUsers(users: Users): Promise<{ matrices: UserMatrices; order: Uint32Array; ties: Uint32Array }> {
  const { log } = await readCached(users)
  const context = createContext({ seed: 1 })
  const { matrices } = await groupLog(log, { k, delta, minCluster: 1, ...everyText }, context)
  const order = Uint32Array.from(matrices.totals.keys()).filter((user) => matrices.totals[user] > 0)
  const ties = order.slice()
  shuffle(order, context.random)
  shuffle(ties, context.random)
  return { matrices, order, ties }
}

const digest = (groupOf: Int32Array) => createHash("sha256").update(groupOf).digest("hex").slice(0, 16)

async function groupByIndex(users: Users): Promise<Finding> {
  const { matrices, ...orders } = await prepareUsers(users)
  const { order } = orders
  const { seconds, value } = await timed(() => groupUsers(matrices, { k, ...orders }, createContext()))
  return { count: order.length, seconds, groups: digest(value.groupOf) }
}

/** §3.1 as written: the centroid is compared with every unassigned user. */
async function groupByComparing(users: Users): Promise<Finding> {
  const { matrices, order, ties } = await prepareUsers(users)
  const { seconds, value } = await timed(async () => compareAll(matrices, { order, ties }))
  return { count: order.length, seconds, groups: digest(value) }
}

function compareAll(matrices: UserMatrices, { order, ties }: { order: Uint32Array; ties: Uint32Array }): Int32Array {
  const { totals } = matrices
  const tie = new Uint32Array(totals.length)
  ties.forEach((user, place) => {
    tie[user] = place
  })
  const groupOf = new Int32Array(totals.length).fill(-1)
  const centroids: number[] = []
  let open = Array.from(order)
  while (open.length >= k) {
    const [centroid = 0, ...others] = open
    const far = new Float64Array(totals.length)
    for (const user of others) far[user] = userDistance(matrices, centroid, user)
    others.sort((a, b) => far[a] - far[b] || tie[a] - tie[b])
    for (const user of [centroid, ...others.slice(0, k - 1)]) groupOf[user] = centroids.length
    centroids.push(centroid)
    open = open.filter((user) => groupOf[user] < 0)
  }
  for (const user of open) {
    const far = centroids.map((centroid) => userDistance(matrices, centroid, user))
    groupOf[user] = far.indexOf(Math.min(...far))
  }
  return groupOf
}

/**
 * A url that this many queries share, each with a url or two of its own: the worst that a popular site does to
 * clustering.
 */
async function clusterHub(queries: number): Promise<Finding> {
  const offsets = Uint32Array.from({ length: queries + 1 }, (_, query) => query * 2 + Math.floor(query / 2))
  const members = new Int32Array(offsets[queries])
  for (let query = 0; query < queries; query++) {
    const size = offsets[query + 1] - offsets[query]
    members.set([0, 1 + query, 1 + queries + query].slice(0, size), offsets[query])
  }
  const sets = { offsets, members, size: 1 + 2 * queries }
  const weight = new Uint32Array(queries).fill(1)
  const { seconds, value } = await timed(() => clusterSets(sets, { delta, weight }, createContext()))
  return { count: queries, seconds, clusters: value.count }
}

const [byIndex, byComparing] = ["30 k users, index", "30 k users, all compared"]
const hub = "a url of 100,000 queries"
const caseName = (users: Users) => `${users / 1000} k users`
const everyTextName = "650 k users, every text shown"

const sameGroups: Target = {
  what: `${byIndex} and ${byComparing}`,
  limit: "the same groups",
  check: (findings) => {
    const met = findings.get(byIndex)?.groups === findings.get(byComparing)?.groups
    return { value: met ? "the same" : "different", met }
  },
}

function growth(findings: ReadonlyMap<string, Finding>): string {
  const columns = ["clusters", "groups", "objects", "released", "clustering", "grouping", "composing"]
  const lines = [...grown.map(caseName), everyTextName].map((name) => {
    const cells = columns.map((column) => {
      const value = Number(findings.get(name)?.[column] ?? Number.NaN)
      return (column.endsWith("ing") ? `${value.toFixed(1)} s` : value.toLocaleString("en")).padStart(13)
    })
    return `${name.padEnd(32)}${cells.join("")}`
  })
  return [`${"".padEnd(32)}${columns.map((name) => name.padStart(13)).join("")}`, ...lines, ""].join("\n")
}

export const groupsBench: Bench = {
  name: "groups",
  prepare: async () => {
    for (const users of [10_000, 30_000, 100_000, 650_000] as const) {
      await makeLog(rowsOf[users])
      await readCached(users)
    }
  },
  cases: [
    ...grown.map((users) => ({ name: caseName(users), run: () => release(users) })),
    { name: everyTextName, run: () => release(650_000, everyText) },
    { name: byIndex, run: () => groupByIndex(30_000) },
    { name: byComparing, run: () => groupByComparing(30_000) },
    { name: hub, run: () => clusterHub(100_000) },
  ],
  print: growth,
  targets: [
    secondsAtMost(caseName(650_000), 480),
    memoryAtMost(caseName(650_000), 8192),
    secondsAtMost(everyTextName, 480),
    memoryAtMost(everyTextName, 8192),
    ratioAtLeast(byIndex, byComparing, 10),
    sameGroups,
  ],
}
