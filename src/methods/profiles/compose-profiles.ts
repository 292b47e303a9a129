import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import { drawPseudonyms, pseudonymBytes, writePseudonym } from "../../kernels/pseudonyms.ts"
import type { RandomSource } from "../../kernels/random.ts"
import type { ColumnTable, Table } from "../../kernels/table.ts"
import type { Unit } from "../../log/search-log.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { MethodResult } from "../method.ts"
import { guaranteeProfiles } from "../profiles-guarantee.ts"
import { groupProfiles } from "./group-profiles.ts"
import { type ShownProfileOptions, settleGroups } from "./options.ts"
import { type ShownTopic, showGroup } from "./show-group.ts"
import type { UserTopics } from "./topic-counts.ts"

/** Users with their topics, already cut to depth, and their source. */
export interface ProfileSubject {
  topics: UserTopics
  nameOf(user: number): string
  taxonomy: Taxonomy
  counted: Unit
  source: "log" | "stream"
}

/** Groups users by their topics and shows one profile for each group. */
export async function composeProfiles(
  { topics, nameOf, taxonomy, counted, source }: ProfileSubject,
  given: ShownProfileOptions,
  context: RunContext,
): Promise<Extract<MethodResult, { kind: "tables" }>> {
  const { k, groupSize, depth, step } = settleGroups(given)
  const groups = await groupProfiles(topics, { taxonomy, groupSize, depth }, context)
  const all = groups.map((members) => ({ members, shown: showGroup(members, topics, { taxonomy, k, step }) }))
  const profiles = all.filter(({ shown }) => shown.length > 0)
  const names = drawNames(profiles.length, context.random)
  const users = topics.offsets.length - 1
  const withTopic = topics.offsets.reduce((sum, end, i) => sum + (i > 0 && end > topics.offsets[i - 1] ? 1 : 0), 0)
  const placed = profiles.reduce((sum, { members }) => sum + members.length, 0)
  return {
    kind: "tables",
    guarantee: guaranteeProfiles({ counted, k, groupSize, depth, step, source }),
    tables: { profiles: tableOfProfiles(profiles, { names, taxonomy, k }) },
    withheld: {
      "users without a topic": users - withTopic,
      "users of groups with nothing to show, or too few for a group": withTopic - placed,
    },
    audit: { members: auditMembers(profiles, { names, nameOf }) },
    warnings: profiles.length > 0 ? [] : [nothing(groupSize, withTopic)],
  }
}

const nothing = (groupSize: number, users: number) =>
  [
    `No profile can be shown: ${users} users have topics, and a group needs ${groupSize} of them.`,
    "The release is empty.",
    "Try a smaller --k or --group-size, or a larger log.",
  ].join(" ")

interface Profile {
  members: readonly number[]
  shown: readonly ShownTopic[]
}

/** Names are `p` and twelve random characters. No name of a row has this form. */
function drawNames(count: number, random: RandomSource): string[] {
  const drawn = drawPseudonyms(count, random)
  const bytes = new Uint8Array(pseudonymBytes)
  return Array.from({ length: count }, (_, i) => {
    writePseudonym(drawn, i, bytes)
    return `p${Buffer.from(bytes).toString("latin1").slice(1)}`
  })
}

/** Rows are sorted by profile and topic. The number of users is rounded down to a multiple of k. */
function tableOfProfiles(
  profiles: readonly Profile[],
  { names, taxonomy, k }: { names: readonly string[]; taxonomy: Taxonomy; k: number },
): ColumnTable {
  const rows = profiles.flatMap(({ members, shown }, i) =>
    shown.map(({ node, share }) => {
      return { profile: names[i], topic: taxonomy.path(node), users: Math.floor(members.length / k) * k, share }
    }),
  )
  rows.sort((a, b) => compareBytes(a.profile, b.profile) || compareBytes(a.topic, b.topic))
  const texts = (of: (row: (typeof rows)[number]) => string): { texts: Dictionary; ids: Int32Array } => {
    const ids = new Map<string, number>()
    const numbered = rows.map((row) => {
      const id = ids.get(of(row)) ?? ids.size
      ids.set(of(row), id)
      return id
    })
    return { texts: dictionaryOf(ids.keys()), ids: Int32Array.from(numbered) }
  }
  return {
    rows: rows.length,
    columns: [
      { name: "profile", ...texts(({ profile }) => profile) },
      { name: "users", values: Float64Array.from(rows, ({ users }) => users) },
      { name: "topic", ...texts(({ topic }) => topic) },
      { name: "share", values: Float64Array.from(rows, ({ share }) => share) },
    ],
  }
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function auditMembers(
  profiles: readonly Profile[],
  { names, nameOf }: { names: readonly string[]; nameOf(user: number): string },
): Table {
  const rows = profiles.flatMap(({ members }, i) => members.map((user) => [nameOf(user), names[i]]))
  return { columns: ["user", "profile"], rows: rows.length, cell: (row, column) => rows[row][column] }
}
