import { buildClickGraph, type ClickGraph } from "../../kernels/click-graph.ts"
import { type Clusters, clusterSets } from "../../kernels/cluster-sets.ts"
import type { RunContext } from "../../kernels/context.ts"
import { countDistinctUsers } from "../../kernels/distinct-users.ts"
import { groupUsers } from "../../kernels/group-users.ts"
import type { SearchLog } from "../../log/search-log.ts"
import {
  type Change,
  countOf,
  type Explanation,
  notReleased,
  type Outcome,
  outcomeOf,
  priceOfK,
} from "../explanation.ts"
import { composeMembers } from "./compose-members.ts"
import { clicksOf, drawOrders, fillCells } from "./group-log.ts"
import type { GroupsOptions } from "./options.ts"

type Options = GroupsOptions & { urls?: string }

/** The numbers that decide whether any group may show a query. */
interface Shape {
  /** Users who issued the query, and users who clicked anything. */
  users: number
  clickers: number
  /** Users of the most clicked of its urls; 0 if nobody clicked on its results. */
  urlUsers: number
  /** Queries of its cluster. */
  cluster: number
}

const prices = {
  minQueryUsers: "Texts of fewer users are shown; a rare text can name a person by itself.",
  urls: "Urls that few users clicked are shown.",
  minCluster: "Smaller clusters of queries are shown.",
}

/**
 * Whether groups may show a query, and a lower bound of the chance. Centroids are drawn at random. A centroid shows all
 * of its own objects that can be shown. So the query is in the release if the first user drawn has it. With k = 1,
 * everyone is a centroid.
 */
export async function explainGroups(
  log: SearchLog,
  query: number,
  options: Options,
  context: RunContext,
): Promise<Explanation> {
  const graph = buildClickGraph(log, { queries: log.queries.size, urls: log.urls.size })
  const clusters = await clusterSets(graph, { delta: options.delta, weight: clicksOf(graph) }, context)
  const shape = shapeOf(log, query, { graph, clusters })
  const weigh = (set: Options) => weighQuery(log, query, { graph, clusters, options: set })
  const facts = {
    k: options.k,
    users: shape.users,
    "users of its most clicked url": shape.urlUsers,
    "queries of its cluster": shape.cluster,
    "users with a click": shape.clickers,
  }
  if (!mayShow(shape, options)) {
    const changes = changesOf(shape, options).map((change) => ({
      ...change,
      ...weigh({ ...options, ...change.options }),
    }))
    const certain = "Every draw gives the same answer."
    return { ...notReleased, reasons: [...refusalsOf(shape, options), certain], facts, changes, tables: {} }
  }
  const outcome = weigh(options)
  const drawn = await drawOnce(log, query, { graph, clusters, options }, context)
  const { low } = outcome.chance
  const reasons = [
    [
      `${countOf(shape.users, log.unit)} issued it, and ${options.minQueryUsers ?? options.k} are required.`,
      "A url of it may be shown.",
      "So its text may be shown.",
    ].join(" "),
    [
      "Groups are drawn at random.",
      "A group shows the history of its centroid user, with texts drawn from the same clusters.",
    ].join(" "),
    low >= 1
      ? "Every user who can be a centroid has it: it is in every draw."
      : `The chance that it is in the release is at least ${Number(low.toPrecision(3))}; more is not computed.`,
    [
      `In one draw made for this answer, ${drawn.showing} of ${drawn.groups} groups show it,`,
      `to ${countOf(drawn.users, "user")}.`,
      "The release is another draw.",
    ].join(" "),
  ]
  const withheld = { ...notReleased, options: { minQueryUsers: shape.users + 1 }, smallest: true }
  return {
    ...outcome,
    reasons,
    facts: { ...facts, "groups of one draw": drawn.groups, "of these show it": drawn.showing },
    changes: [{ ...withheld, price: "Nothing: fewer rare texts are shown." }],
    tables: {},
  }
}

function shapeOf(log: SearchLog, query: number, { graph, clusters }: { graph: ClickGraph; clusters: Clusters }): Shape {
  const users = countDistinctUsers(log.query, log.user, { size: log.queries.size })[query]
  const ofUrl = countDistinctUsers(log.url, log.user, { size: log.urls.size })
  const urls = graph.members.subarray(graph.offsets[query], graph.offsets[query + 1])
  const own = clusters.clusterOf[query]
  return {
    users,
    clickers: clickersOf(log).size,
    urlUsers: urls.reduce((most, url) => Math.max(most, ofUrl[url]), 0),
    cluster: own < 0 ? 0 : clusters.clusterOf.reduce((sum, cluster) => sum + (cluster === own ? 1 : 0), 0),
  }
}

function clickersOf({ url, user }: SearchLog): Set<number> {
  const found = new Set<number>()
  for (let row = 0; row < url.length; row++) if (url[row] >= 0) found.add(user[row])
  return found
}

/**
 * True if some draw may show the query: its text, one of its urls and its cluster may be shown, and there is a group.
 */
function mayShow({ users, clickers, urlUsers, cluster }: Shape, options: Options): boolean {
  const { k, minQueryUsers = k, minCluster, urls } = options
  return (
    users >= minQueryUsers &&
    urlUsers > 0 &&
    (urls === "keep" || urlUsers >= k) &&
    cluster >= minCluster &&
    clickers >= k
  )
}

function refusalsOf({ users, clickers, urlUsers, cluster }: Shape, options: Options): string[] {
  const { k, minQueryUsers = k, minCluster, urls } = options
  if (urlUsers === 0) return ["Nobody clicked on a result of it: rows without a click are outside the model."]
  return [
    ...(users < minQueryUsers
      ? [`${countOf(users, "user")} issued it, fewer than ${minQueryUsers}: its text is not shown.`]
      : []),
    ...(urls !== "keep" && urlUsers < k
      ? [`Its most clicked url has ${countOf(urlUsers, "user")}, fewer than k = ${k}: rows of such urls are not shown.`]
      : []),
    ...(cluster < minCluster ? [`Its cluster has ${cluster} queries, fewer than ${minCluster}.`] : []),
    ...(clickers < k ? [`${countOf(clickers, "user")} clicked anything, fewer than k = ${k}: there is no group.`] : []),
  ]
}

/** Changes that let some draw show the query. */
function changesOf(shape: Shape, options: Options): Omit<Change, keyof Outcome>[] {
  const { users, clickers, urlUsers, cluster } = shape
  if (urlUsers === 0) return []
  const { k, minQueryUsers, minCluster, urls } = options
  const largest = Math.min(k - 1, clickers, minQueryUsers === undefined ? users : k, urls === "keep" ? k : urlUsers)
  const alone = [
    { options: { k: largest }, price: priceOfK(largest), isOpen: largest >= 1 },
    { options: { minQueryUsers: users }, price: prices.minQueryUsers, isOpen: users < (minQueryUsers ?? k) },
    { options: { urls: "keep" }, price: prices.urls, isOpen: urls !== "keep" && urlUsers < k },
    { options: { minCluster: cluster }, price: prices.minCluster, isOpen: cluster < minCluster },
  ].filter(({ isOpen }) => isOpen)
  const suffices = ({ options: set }: { options: object }) => mayShow(shape, { ...options, ...set })
  const single = alone.filter(suffices)
  const others = alone.filter(({ options: set }) => !("k" in set))
  const both = {
    options: Object.assign({}, ...others.map((one) => one.options)),
    price: others.map(({ price }) => price).join(" "),
  }
  const together = others.length > 1 && suffices(both) && single.every((one) => "k" in one.options) ? [both] : []
  return [...single, ...together].map(({ options: set, price }) => ({ options: set, smallest: true, price }))
}

/** The chance that the query is shown. The lower bound is the chance that the first centroid has it. */
function weighQuery(
  log: SearchLog,
  query: number,
  { graph, clusters, options }: { graph: ClickGraph; clusters: Clusters; options: Options },
): Outcome {
  const { cellOfRow, matrices } = fillCells(log, { graph, clusters }, options)
  const having = new Set<number>()
  for (let row = 0; row < log.rows; row++)
    if (log.query[row] === query && cellOfRow[row] >= 0) having.add(log.user[row])
  const able = matrices.totals.reduce((sum, total) => sum + (total > 0 ? 1 : 0), 0)
  if (options.k === 1) return outcomeOf(1)
  // With a maximum distance, it is not known who can be a centroid.
  return outcomeOf(options.maxDistance < 1 ? 0 : having.size / able, 1)
}

async function drawOnce(
  log: SearchLog,
  query: number,
  { graph, clusters, options }: { graph: ClickGraph; clusters: Clusters; options: Options },
  context: RunContext,
): Promise<{ groups: number; showing: number; users: number }> {
  const { k, maxDistance, mode } = options
  const inCells = fillCells(log, { graph, clusters }, options)
  const orders = drawOrders(log, inCells.matrices, context.random)
  const groups = await groupUsers(inCells.matrices, { k, maxDistance, ...orders }, context)
  const { log: composed } = await composeMembers(log, { clusters, groups, ...inCells }, { mode, k }, context)
  const users = new Set<number>()
  for (let row = 0; row < composed.rows; row++) if (composed.query[row] === query) users.add(composed.user[row])
  const showing = new Set(Array.from(users, (user) => groups.groupOf[user])).size
  return { groups: groups.centroids.length, showing, users: users.size }
}
