import { isDeepStrictEqual } from "node:util"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { type SearchLog, unknownRank } from "../log/search-log.ts"
import { groupsGuarantee } from "../methods/groups-guarantee.ts"
import type { Guarantee } from "../methods/guarantee.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { noneExempt } from "../text/identifiers/exempt-queries.ts"
import { gatherEvidence } from "./evidence.ts"
import {
  type AuditedClusters,
  type AuditedGroups,
  type ClickedUrls,
  clickedUrls,
  largestDiameter,
  readClusters,
  readGroups,
} from "./groups-audit.ts"
import { measureDistances } from "./groups-distances.ts"
import { findShowable, type Matrix, reduced, type Showing, showableCells } from "./groups-matrices.ts"
import { compareMembers, readMatrices } from "./groups-members.ts"
import { RowKeys, rowKeySeeds, sortPairs } from "./pairs.ts"
import { fileRow, scrubbedKinds, unknownKinds } from "./release-checks.ts"
import { withoutScrubbed } from "./scrubbed-log.ts"
import type { Check, Verifier } from "./verifier.ts"

type GroupsGuarantee = Extract<Guarantee, { model: "groups" }>

/**
 * Verifies k^δ-anonymity. From the release alone, in mode `identical`: each name has k - 1 others with the same texts,
 * urls and times, each as often. With the original and the audit:
 * - each group has k or more users, and nobody is in two. The groups contain everyone with a click; with a largest
 *   distance (`maxDistance`), a user is left out only if no centroid is within it;
 * - no two queries of a cluster are further apart than δ;
 * - the matrices of the release follow from those of the centroids in the original, one for each member;
 * - every text and url has enough users;
 * - every time is public, or that of a member's click if the mode allows it.
 */
export const groupsVerifier: Verifier = {
  model: "groups",
  async verify(subject, context) {
    const { release, exempt = noneExempt } = subject
    const released = await release.log(context)
    const { guarantee } = release.manifest
    if (guarantee.model !== "groups") return []
    const checks = [checkManifest(release, guarantee), checkNoRanks(release, released)]
    if (guarantee.mode === "identical") checks.push(checkIdentical(release, released, guarantee, context))
    const promises = Object.values(auditPromises(guarantee))
    const evidence = gatherEvidence(subject, promises)
    if ("instead" in evidence) return [...checks, ...evidence.instead]
    const { log, audit } = evidence
    const kinds = scrubbedKinds(release)
    if (kinds === undefined)
      return [...checks, ...promises.map((about): Check => ({ ...about, state: "failed", detail: unknownKinds }))]
    const given = withoutScrubbed(log, kinds, exempt)
    return [...checks, ...(await checkAudit({ release, released, log: given, audit, guarantee }, context))]
  },
}

const auditPromises = ({ counted, mode, maxDistance }: Pick<GroupsGuarantee, "counted" | "mode" | "maxDistance">) => ({
  groups: {
    name: "groups",
    promise:
      maxDistance === undefined
        ? `every ${counted} with a click is in one group, of at least k`
        : `no ${counted} is in two groups, and each group has at least k`,
  },
  ...(maxDistance === undefined
    ? {}
    : {
        distances: {
          name: "distances",
          promise: [
            `in the original every member is within ${maxDistance} of its centroid,`,
            `and no ${counted} who was left out is that close to any centroid`,
          ].join(" "),
        },
      }),
  clusters: { name: "clusters", promise: "no two queries of a cluster are further apart than δ" },
  matrices: { name: "matrices", promise: matrixPromises[mode] },
  names: { name: "names-original", promise: "no name is a user id of the original" },
  clicks: {
    name: "clicks",
    promise:
      "every shown query and url was clicked in the original, the text and the url by as many users as they need",
  },
  hours: { name: "hours", promise: hourPromises[mode] ?? ownOrPublic },
})

const ownOrPublic = "every time is one at which a member of the group clicked, or of a period in which k users clicked"

const hourPromises: Record<string, string> = {
  identical: "every time is of a period in which k users clicked, and says nothing about a member",
}

const matrixPromises: Record<string, string> = {
  identical: "every member has the query objects of the group's centroid in the original, by cluster and url",
  exact: "every member has the proportions of the group's centroid in the original, and k names have each",
  paper: "every member has what equations 2 and 3 leave, and no more remains than is stated",
  totals: [
    "every member has as many objects as in the original, by largest remainder of the centroid's,",
    "and no more remains than is stated",
  ].join(" "),
}

const modes = ["identical", "exact", "paper", "totals"] as const

const earlierTimes = "made by version 0.1, whose times show when members of a group clicked: release the log again"

function checkManifest({ manifest }: RowsRelease, guarantee: GroupsGuarantee): Check {
  const { method, parameters } = manifest
  const { distance, change } = guarantee.remains ?? { distance: 0, change: 0 }
  const mode = modes.find((one) => one === parameters.mode) ?? "identical"
  const { counted } = guarantee
  const { maxDistance = 1 } = parameters // 0.1 has none
  const numbers = { k: Number(parameters.k), delta: Number(parameters.delta), maxDistance: Number(maxDistance) }
  const promised = groupsGuarantee({ ...numbers, mode, counted, distance, change })
  // A value that is not a number would be no bound at all: nothing is less than NaN.
  const { minCluster, minQueryUsers = numbers.k } = parameters
  const isSense =
    [minCluster, minQueryUsers].every((least) => Number.isInteger(least) && Number(least) >= 1) &&
    typeof maxDistance === "number" &&
    maxDistance >= 0 &&
    maxDistance <= 1
  const same = method === "groups" && parameters.mode === mode && isDeepStrictEqual(guarantee, promised)
  const about = { name: "manifest", promise: "the guarantee follows from the parameters" }
  if (guarantee.times === undefined) return { ...about, state: "failed", detail: earlierTimes }
  return { ...about, state: isSense && same ? "passed" : "failed" }
}

function checkNoRanks(release: RowsRelease, released: SearchLog): Check {
  const about = { name: "no-ranks", promise: "no ranks are shown" }
  const row = released.rank.findIndex((rank) => rank !== unknownRank)
  return row < 0 ? { ...about, state: "passed" } : { ...about, state: "failed", row: fileRow(release, released, row) }
}

/** Names are compared by the sum of the keys of their rows. At least k names must have the same sum. */
function checkIdentical(release: RowsRelease, released: SearchLog, { k }: GroupsGuarantee, context: RunContext): Check {
  const about = {
    name: "identical",
    promise: "every name has k - 1 others with the same texts, urls and times, each as often",
  }
  const seeds = new Uint32Array(rowKeySeeds)
  context.random.fill(seeds)
  const rows = new RowKeys(released.rows, seeds)
  const [high, low] = [new Int32Array(released.users.size), new Int32Array(released.users.size)]
  for (let row = 0; row < released.rows; row++) {
    rows.set(row, released.query[row], released.url[row], released.time[row])
    high[released.user[row]] += rows.high[row]
    low[released.user[row]] += rows.low[row]
  }
  return judgeRepeats({ release, released, about, k }, { high, low })
}

/** Checks that each key occurs at least k times. Keys are by released name. */
function judgeRepeats(
  {
    release,
    released,
    about,
    k,
  }: { release: RowsRelease; released: SearchLog; about: Pick<Check, "name" | "promise">; k: number },
  { high, low }: { high: Int32Array; low: Int32Array },
): Check {
  const sorted = sortPairs(high, low)
  const rare = new Set<bigint>()
  let least = Number.MAX_SAFE_INTEGER
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++
    least = Math.min(least, to - from)
    if (to - from < k) rare.add(sorted[from])
  }
  if (sorted.length === 0) return { ...about, state: "passed", bound: k }
  if (rare.size === 0) return { ...about, state: "passed", value: least, bound: k }
  const isRare = (user: number) => rare.has(sortPairs(high.subarray(user, user + 1), low.subarray(user, user + 1))[0])
  const row = released.user.findIndex(isRare)
  return { ...about, state: "failed", row: fileRow(release, released, row), value: least, bound: k }
}

interface Subject {
  release: RowsRelease
  released: SearchLog
  /** The original without the scrubbed queries. */
  log: SearchLog
  audit: AuditFolder
  guarantee: GroupsGuarantee
}

async function checkAudit(subject: Subject, context: RunContext): Promise<Check[]> {
  const { release, released, log, audit, guarantee } = subject
  const { parameters } = release.manifest
  const promises = auditPromises(guarantee)
  const groups = await readGroups(log, audit, context)
  const clusters = await readClusters(log, audit, context)
  const clicked = clickedUrls(log)
  const showing = findShowable(log, {
    k: guarantee.k,
    minCluster: Number(parameters.minCluster),
    minQueryUsers: Number(parameters.minQueryUsers ?? guarantee.k),
    isThreshold: parameters.urls !== "keep",
  })
  const cells = showableCells(log, { clusters, clicked, showing })
  await yieldAndReport(context, { stage: "verifying", done: 1, total: 3 })
  const matrices = readMatrices({ released, log, clusters })
  const { wrongMember, wrongHour } = compareMembers(
    { released, log, groups, clusters, matrices, cells, guarantee, time: String(parameters.time) },
    context,
  )
  await yieldAndReport(context, { stage: "verifying", done: 2, total: 3 })
  const uneven = guarantee.mode === "exact" ? checkProportions(subject, matrices, context) : undefined
  const isNamed = hasOriginalName(released, log)
  return [
    checkGroupSizes(log, groups, guarantee),
    ...checkDistances(subject, { groups, clusters, cells }),
    checkClusters(clicked, clusters, guarantee),
    uneven ?? {
      ...promises.matrices,
      state: wrongMember === undefined ? "passed" : "failed",
      ...detailOf(wrongMember),
    },
    { ...promises.names, state: isNamed ? "failed" : "passed" },
    checkClicks(subject, { clicked, showing }),
    {
      ...promises.hours,
      state: wrongHour < 0 ? "passed" : "failed",
      ...(wrongHour < 0 ? {} : { row: fileRow(release, released, wrongHour) }),
    },
  ]
}

const detailOf = (detail: string | undefined) => (detail === undefined ? {} : { detail })

function checkGroupSizes(log: SearchLog, { members, wrong }: AuditedGroups, guarantee: GroupsGuarantee): Check {
  const about = auditPromises(guarantee).groups
  const { k } = guarantee
  if (wrong > 0) return { ...about, state: "failed", value: wrong, bound: 0, detail: "wrong lines of groups.tsv" }
  const clickers = new Set<number>()
  for (let row = 0; row < log.rows; row++) if (log.url[row] >= 0) clickers.add(log.user[row])
  const listed = members.flat()
  const mayLeaveOut = guarantee.maxDistance !== undefined
  if (listed.length === 0 && (mayLeaveOut || clickers.size < k))
    return { ...about, state: "passed", detail: mayLeaveOut ? "there is no group" : "fewer than k in all" }
  if (listed.some((user) => !clickers.has(user)) || (!mayLeaveOut && listed.length !== clickers.size))
    return {
      ...about,
      state: "failed",
      value: listed.length,
      bound: clickers.size,
      detail: "users who are in no group, or have no click",
    }
  const least = members.reduce((min, users) => Math.min(min, users.length), Number.MAX_SAFE_INTEGER)
  return { ...about, state: least >= k ? "passed" : "failed", value: least, bound: k }
}

/** Applies only to releases with a maximum distance below 1. */
function checkDistances(
  { log, guarantee }: Subject,
  audited: { groups: AuditedGroups; clusters: AuditedClusters; cells: Float64Array },
): Check[] {
  const { distances: about } = auditPromises(guarantee)
  const { maxDistance: bound } = guarantee
  if (about === undefined || bound === undefined) return []
  const { largest, missed } = measureDistances({ log, ...audited }, bound)
  if (missed > 0) return [{ ...about, state: "failed", value: missed, bound: 0, detail: "users who were left out" }]
  return [{ ...about, state: largest <= bound ? "passed" : "failed", value: largest, bound }]
}

function checkClusters(clicked: ClickedUrls, clusters: AuditedClusters, guarantee: GroupsGuarantee): Check {
  const about = auditPromises(guarantee).clusters
  const { delta } = guarantee
  const unknown = clusters.clusterOf.findIndex((cluster, query) => cluster >= 0 !== clicked.has(query))
  if (clusters.wrong > 0 || unknown >= 0) return { ...about, state: "failed", detail: "wrong lines of clusters.tsv" }
  // At δ = 1 no distance is too large, and all queries are one cluster, so there is nothing to compare.
  const diameter = delta >= 1 ? 1 : largestDiameter(clicked, clusters)
  return { ...about, state: diameter <= delta ? "passed" : "failed", value: diameter, bound: delta }
}

/** In mode `exact`, the release itself shows that k names have each normalised matrix, given the clusters. */
function checkProportions(subject: Subject, matrices: readonly Matrix[], context: RunContext): Check | undefined {
  const { release, released, guarantee } = subject
  const seeds = new Uint32Array(rowKeySeeds)
  context.random.fill(seeds)
  const key = new RowKeys(1, seeds)
  const [high, low] = [new Int32Array(matrices.length), new Int32Array(matrices.length)]
  for (const [user, matrix] of matrices.entries()) {
    const { cells, counts } = reduced(matrix)
    for (const [i, cell] of cells.entries()) {
      key.set(0, Math.floor(cell / 2 ** 32), cell | 0, counts[i])
      high[user] += key.high[0]
      low[user] += key.low[0]
    }
  }
  const about = auditPromises(guarantee).matrices
  const found = judgeRepeats({ release, released, about, k: guarantee.k }, { high, low })
  return found.state === "failed" ? found : undefined
}

function hasOriginalName(released: SearchLog, log: SearchLog): boolean {
  for (let user = 0; user < released.users.size; user++) {
    if (log.users.findBytes(released.users.bytes(user)) >= 0) return true
  }
  return false
}

function checkClicks(
  { release, released, log, guarantee }: Subject,
  { clicked, showing }: { clicked: ClickedUrls; showing: Showing },
): Check {
  const about = auditPromises(guarantee).clicks
  const { isQueryShown, isUrlShown } = showing
  const queryOf = Int32Array.from({ length: released.queries.size }, (_, i) =>
    log.queries.findBytes(released.queries.bytes(i)),
  )
  const urlOf = Int32Array.from({ length: released.urls.size }, (_, i) => log.urls.findBytes(released.urls.bytes(i)))
  const row = released.query.findIndex((text, at) => {
    const [query, url] = [queryOf[text], released.url[at] < 0 ? -1 : urlOf[released.url[at]]]
    if (query < 0 || url < 0 || !isQueryShown(query) || !isUrlShown(url)) return true
    return clicked.get(query)?.includes(url) !== true
  })
  return row < 0 ? { ...about, state: "passed" } : { ...about, state: "failed", row: fileRow(release, released, row) }
}
