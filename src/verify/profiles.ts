import { isDeepStrictEqual } from "node:util"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { ColumnTable } from "../kernels/table.ts"
import { guaranteeProfiles, type ProfilesGuarantee } from "../methods/profiles-guarantee.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { TablesRelease } from "../release/read-release.ts"
import { openTaxonomy } from "../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { noneExempt } from "../text/identifiers/exempt-queries.ts"
import { unitDetail } from "./original.ts"
import { readMembers, readOwnTopics, readShownTopics, recount } from "./profile-counts.ts"
import type { Check, TablesVerifier, VerifySubject } from "./verifier.ts"

/** A row of the table: one topic of a profile. */
interface ShownRow {
  profile: string
  users: number
  topic: string
  share: number
}

const promises = {
  manifest: { name: "manifest", promise: "the guarantee follows from the parameters" },
  values: { name: "values", promise: "numbers of users are multiples of k, shares are multiples of the step" },
  topics: { name: "topics", promise: "every topic is one of the taxonomy, none below the depth" },
  members: {
    name: "members",
    promise: "each profile is shared by at least as many users as promised, and no user has two",
  },
  topicUsers: { name: "topic-users", promise: "every topic of a profile was searched for by at least k of its users" },
  shares: { name: "shares", promise: "shares are the mean of those of the users, rounded" },
}

/**
 * Verifies topic profiles. From the release alone: the guarantee follows from the parameters, and numbers are as coarse
 * as it says. With the original and the members that the audit lists: the users of each profile are counted, the log's
 * queries are classified again, and topics and shares are counted again. Each search counts for the deepest topic of
 * the profile at or above its own.
 */
export const profilesVerifier: TablesVerifier = {
  model: "profiles",
  async verify(subject, context) {
    const { release, log, audit } = subject
    const { guarantee } = release.manifest
    if (guarantee.model !== "profiles") return []
    const rows = readRows(await release.tables(context))
    const manifest = checkManifest(release, guarantee)
    if (rows === undefined) return [manifest, { ...promises.values, state: "failed", detail: "columns" }]
    const checks = [manifest, checkValues(rows, guarantee)]
    const rest = [promises.topics, promises.members, promises.topicUsers, promises.shares]
    const instead = (about: Pick<Check, "state" | "needs" | "detail">) => [
      ...checks,
      ...rest.map((promise): Check => ({ ...promise, ...about })),
    ]
    if (checks.some(({ state }) => state === "failed")) return instead({ state: "not checked" })
    if (log === undefined) return instead({ state: "not checked", needs: "against" })
    if (audit === undefined) return instead({ state: "not checked", needs: "audit" })
    if (log.unit !== guarantee.counted) return instead({ state: "failed", detail: unitDetail(log.unit) })
    if (audit.release !== release.manifest.id)
      return instead({ state: "failed", detail: "the audit belongs to another release" })
    const taxonomy = await openOwn(release, audit, context)
    if (taxonomy === undefined) return instead({ state: "not checked", detail: "its taxonomy cannot be read here" })
    const nodes = rows.map(({ topic }) => taxonomy.find(topic))
    const strange = nodes.findIndex((node) => node <= 0 || taxonomy.depth[node] > guarantee.depth)
    const topics: Check = { ...promises.topics, ...(strange < 0 ? { state: "passed" } : failedAt(strange)) }
    if (strange >= 0) return [...checks, topics]
    return [
      ...checks,
      topics,
      ...(await checkMembers(
        { exempt: noneExempt, ...subject, log, audit },
        { rows, nodes, taxonomy, guarantee },
        context,
      )),
    ]
  },
}

const failedAt = (row: number) => ({ state: "failed" as const, row: row + 1 })

function checkManifest({ manifest }: TablesRelease, guarantee: ProfilesGuarantee): Check {
  const { k, groupSize, depth, step } = manifest.parameters
  const { counted, source } = guarantee
  const isNumber = (value: unknown): value is number => typeof value === "number"
  if (!isNumber(k) || !isNumber(groupSize) || !isNumber(depth) || !isNumber(step) || groupSize < k || k < 2)
    return { ...promises.manifest, state: "failed" }
  const expected = guaranteeProfiles({ counted, k, groupSize, depth, step, source })
  const isSame = manifest.method === "profiles" && isDeepStrictEqual(guarantee, expected)
  return { ...promises.manifest, state: isSame ? "passed" : "failed" }
}

/** The rows of the only table; undefined if it has other columns or there are other tables. */
function readRows(tables: Record<string, ColumnTable>): ShownRow[] | undefined {
  const { profiles: table, ...others } = tables
  if (table === undefined || Object.keys(others).length > 0) return undefined
  const [profile, users, topic, share] = table.columns
  if (table.columns.map(({ name }) => name).join() !== "profile,users,topic,share") return undefined
  if (!("ids" in profile && "ids" in topic && "values" in users && "values" in share)) return undefined
  return Array.from({ length: table.rows }, (_, row) => ({
    profile: profile.texts.text(profile.ids[row]),
    users: users.values[row],
    topic: topic.texts.text(topic.ids[row]),
    share: share.values[row],
  }))
}

function checkValues(rows: readonly ShownRow[], { k, step }: ProfilesGuarantee): Check {
  const usersOf = new Map<string, number>()
  const row = rows.findIndex(({ profile, users, share }) => {
    const isSame = (usersOf.get(profile) ?? users) === users
    usersOf.set(profile, users)
    const isCoarse = users >= k && users % k === 0 && share > 0 && share % step === 0 && share <= 100 + step
    return !isSame || !isCoarse || !/^p[a-z2-7]{12}$/.test(profile)
  })
  return { ...promises.values, ...(row < 0 ? { state: "passed" } : failedAt(row)) }
}

async function openOwn(release: TablesRelease, audit: AuditFolder, context: RunContext): Promise<Taxonomy | undefined> {
  try {
    return await openTaxonomy(String(audit.places.taxonomy ?? release.manifest.parameters.taxonomy), {}, context)
  } catch (error) {
    if (!(error instanceof QueryveilError) || error.code === "interrupted") throw error
    return undefined
  }
}

interface ShownProfiles {
  rows: readonly ShownRow[]
  nodes: readonly number[]
  taxonomy: Taxonomy
  guarantee: ProfilesGuarantee
}

async function checkMembers(
  subject: Required<Omit<VerifySubject<TablesRelease>, "remote">>,
  { rows, nodes, taxonomy, guarantee }: ShownProfiles,
  context: RunContext,
): Promise<Check[]> {
  const { k, groupSize, step } = guarantee
  const { membersOf, wrong } = await readMembers(subject)
  const rowsOf = new Map<string, number[]>()
  for (const [row, { profile }] of rows.entries()) rowsOf.set(profile, [...(rowsOf.get(profile) ?? []), row])
  const members = checkSizes({ membersOf, wrong, rowsOf, rows }, { k, groupSize })
  if (members.state === "failed") return [members]
  const own = await readOwnTopics(subject, taxonomy, context)
  const counted = guarantee.source === "stream" ? await readShownTopics(subject, taxonomy) : own
  let topicUsers: Check = { ...promises.topicUsers, state: "passed", bound: k }
  let shares: Check = { ...promises.shares, state: "passed" }
  if (typeof own === "string") topicUsers = { ...promises.topicUsers, state: "not checked", detail: own }
  if (typeof counted === "string") shares = { ...promises.shares, state: "not checked", detail: counted }
  for (const [profile, places] of rowsOf) {
    const users = membersOf.get(profile) ?? []
    const shown = places.map((row) => nodes[row])
    if (typeof own !== "string") {
      const few = recount(users, { topics: own, shown, taxonomy }).findIndex((topic) => topic.users < k)
      if (few >= 0 && topicUsers.state === "passed") topicUsers = { ...topicUsers, ...failedAt(places[few]) }
    }
    if (typeof counted === "string" || shares.state !== "passed") continue
    const found = recount(users, { topics: counted, shown, taxonomy })
    const whole = found.reduce((sum, { mass }) => sum + mass, 0)
    const off = found.findIndex(({ mass }, i) => {
      return !(Math.abs((100 * mass) / whole - rows[places[i]].share) <= step / 2 + 1e-6)
    })
    if (off >= 0) shares = { ...shares, ...failedAt(places[off]), value: rows[places[off]].share }
  }
  return [members, topicUsers, shares]
}

function checkSizes(
  found: {
    membersOf: Map<string, number[]>
    wrong: number
    rowsOf: Map<string, number[]>
    rows: readonly ShownRow[]
  },
  { k, groupSize }: { k: number; groupSize: number },
): Check {
  const { membersOf, wrong, rowsOf, rows } = found
  if (wrong > 0)
    return { ...promises.members, state: "failed", detail: "a user who is not in the log, or has two profiles" }
  if (membersOf.size !== rowsOf.size)
    return { ...promises.members, state: "failed", detail: "profiles that are not shown" }
  let least = Number.POSITIVE_INFINITY
  for (const [profile, [first]] of rowsOf) {
    const users = membersOf.get(profile)?.length ?? 0
    least = Math.min(least, users)
    if (users < groupSize) return { ...promises.members, ...failedAt(first), value: users, bound: groupSize }
    if (rows[first].users !== users - (users % k)) return { ...promises.members, ...failedAt(first), detail: "users" }
  }
  return { ...promises.members, state: "passed", bound: groupSize, ...(rowsOf.size > 0 && { value: least }) }
}
