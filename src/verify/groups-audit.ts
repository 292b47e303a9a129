import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import { sortPairs } from "./pairs.ts"

/** The groups that the audit lists. */
export interface AuditedGroups {
  /** By group: its users, and its centroid. */
  members: number[][]
  centroids: number[]
  /**
   * Lines that name no user of the log, or the same user again, or a second centroid; plus groups without a centroid.
   */
  wrong: number
}

export async function readGroups(log: SearchLog, audit: AuditFolder, context: RunContext): Promise<AuditedGroups> {
  const numbers = new Map<string, number>()
  const members: number[][] = []
  const centroids: number[] = []
  const seen = new Uint8Array(log.users.size)
  let wrong = 0
  let lines = 0
  for await (const [name, group, centroid] of audit.rows("groups", ["user", "group", "centroid"])) {
    if (++lines % 65536 === 0)
      await yieldAndReport(context, { stage: "reading audit", done: lines, total: log.users.size })
    const user = log.users.find(name)
    if (user < 0 || seen[user] === 1 || (centroid !== "0" && centroid !== "1")) {
      wrong++
      continue
    }
    seen[user] = 1
    const number = numbers.get(group) ?? members.length
    if (number === members.length) {
      numbers.set(group, number)
      members.push([])
      centroids.push(-1)
    }
    members[number].push(user)
    if (centroid === "0") continue
    if (centroids[number] >= 0) wrong++
    centroids[number] = user
  }
  return { members, centroids, wrong: wrong + centroids.filter((centroid) => centroid < 0).length }
}

/** The clusters that the audit lists. */
export interface AuditedClusters {
  /** By query of the log: its cluster, or -1. */
  clusterOf: Int32Array
  /** By cluster: the number of its queries, and the first of them in the log. */
  sizes: number[]
  first: number[]
  /** Lines that name no query of the log, or the same query again. */
  wrong: number
}

export async function readClusters(log: SearchLog, audit: AuditFolder, context: RunContext): Promise<AuditedClusters> {
  const numbers = new Map<string, number>()
  const clusterOf = new Int32Array(log.queries.size).fill(-1)
  const [sizes, first]: [number[], number[]] = [[], []]
  let wrong = 0
  let lines = 0
  for await (const [text, cluster] of audit.rows("clusters", ["query", "cluster"])) {
    if (++lines % 65536 === 0)
      await yieldAndReport(context, { stage: "reading audit", done: lines, total: log.queries.size })
    const query = log.queries.find(text)
    if (query < 0 || clusterOf[query] >= 0) {
      wrong++
      continue
    }
    const number = numbers.get(cluster) ?? sizes.length
    if (number === sizes.length) {
      numbers.set(cluster, number)
      sizes.push(0)
      first.push(query)
    }
    clusterOf[query] = number
    sizes[number]++
    first[number] = Math.min(first[number], query)
  }
  return { clusterOf, sizes, first, wrong }
}

/** The largest Jaccard distance between the clicked urls of two queries of one cluster, over all clusters. */
export function largestDiameter(urlsOf: ClickedUrls, { clusterOf, sizes }: AuditedClusters): number {
  const members = new Map<number, Map<string, Set<number>>>() // by cluster; queries with the same urls are one entry
  for (const [query, urls] of urlsOf) {
    const cluster = clusterOf[query]
    if (cluster < 0 || sizes[cluster] === 1) continue
    const sets = members.get(cluster) ?? new Map<string, Set<number>>()
    sets.set(urls.join(), new Set(urls))
    members.set(cluster, sets)
  }
  let largest = 0
  for (const sets of members.values()) {
    const list = [...sets.values()]
    for (const [i, a] of list.entries()) {
      for (const b of list.slice(i + 1)) largest = Math.max(largest, jaccardDistance(a, b))
    }
  }
  return largest
}

/** The distinct urls of each query with a click, ascending. */
export type ClickedUrls = ReadonlyMap<number, readonly number[]>

export function clickedUrls(log: SearchLog): ClickedUrls {
  const urlsOf = new Map<number, number[]>()
  const keys = sortPairs(log.query, log.url)
  for (let i = 0; i < keys.length; i++) {
    if (i > 0 && keys[i] === keys[i - 1]) continue
    const url = Number(BigInt.asIntN(32, keys[i]))
    if (url < 0) continue
    const query = Number(keys[i] >> 32n)
    const urls = urlsOf.get(query)
    if (urls === undefined) urlsOf.set(query, [url])
    else urls.push(url)
  }
  return urlsOf
}

function jaccardDistance(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0
  for (const member of a) if (b.has(member)) common++
  const union = a.size + b.size - common
  return (union - common) / union
}
