// How the topics of many users become one profile.
import { createContext, readLog, release } from "../../../dist/index.js"
import { smallLog } from "./logs.mjs"
import { asCommands, groupBy } from "./runner.mjs"

const k = 10
const depth = 2
const classify = "classify small.tsv -o classified.tsv"

export async function recordProfiles({ run, at, table }) {
  await run(classify)
  const input = await readLog(at("small.tsv"))
  const places = { folder: at("profiles"), audit: at("profiles-audit") }
  // A release draws its groups anew each time. A seeded one does not, so that this recording can be made again.
  await release(input, { method: "profiles", k }, places, createContext({ seed: 1 }))
  const profiles = groupBy(table("profiles/profiles.tsv"), ({ profile }) => profile)
  const [[name, topics]] = [...profiles].sort(([, a], [, b]) => b.length - a.length)
  const members = table("profiles-audit/members.tsv").filter(({ profile }) => profile === name)
  const searches = groupBy(searchesOf(table("classified.tsv")), ({ user }) => user)
  const topicsOf = (user) =>
    countBy((searches.get(user) ?? []).flatMap(({ topic }) => (topic === "" ? [] : [cut(topic)])))
  const ofMember = members.map(({ user }) => ({ user, topics: topicsOf(user) }))
  const three = ofMember.slice(0, 3).flatMap(({ user, topics: own }) =>
    [...own]
      .sort(byCount)
      .slice(0, 3)
      .map(([topic, count]) => [user, topic, count]),
  )
  const usersOf = countBy(ofMember.flatMap(({ topics: own }) => [...own.keys()]))
  const common = [...usersOf].sort(byCount).slice(0, 12)
  const rare = [...usersOf].filter(([, count]) => count < k).length
  return {
    title: "Topics of many users that become one profile",
    commands: [
      ...asCommands(smallLog, classify),
      `release(log, { method: "profiles", k: ${k} }, places, createContext({ seed: 1 }))`,
    ],
    steps: [
      {
        title: "Topics of three users",
        says: [
          "Each search counts for a topic. Here are the most frequent topics of three users of a synthetic log.",
          `Topics are cut at level ${depth}.`,
        ],
        table: { columns: ["User", "Topic", "Searches"], rows: three, bars: { column: 2 } },
      },
      {
        title: "A group of users with similar topics",
        says: [
          `Users are grouped with those who have similar topics. This group has ${members.length} users.`,
          "The table has the topics that most of them searched for. The line is at k.",
        ],
        table: { columns: ["Topic", "Users of the group"], rows: common, bars: { column: 1, reach: k } },
      },
      {
        title: "Rare topics move up",
        says: [
          `${rare} of the ${usersOf.size} topics of the group have fewer than k = ${k} of its users.`,
          "They count for the topic above them, until enough users have it or nothing is left.",
          "Topics with a small share move up too.",
        ],
        table: {
          columns: ["Topic", "Users of the group"],
          rows: [...usersOf]
            .filter(([, count]) => count < k)
            .sort(byCount)
            .slice(0, 8),
          bars: { column: 1, reach: k },
        },
      },
      {
        title: "The profile that all of them share",
        says: [
          `${topics[0].users} users share this profile (rounded down to a multiple of k).`,
          `At least ${k} of them searched for each topic in it, or for a topic below it.`,
          "What all users of a profile have in common is known of each of them.",
        ],
        table: {
          columns: ["Profile", "Users", "Topic", "Share in %"],
          rows: topics.map((row) => [row.profile, Number(row.users), row.topic, Number(row.share)]),
          bars: { column: 3 },
        },
      },
    ],
  }
}

/** Each search once, however many clicks it has. */
function searchesOf(rows) {
  const seen = new Map()
  for (const { AnonID, Query, QueryTime, Category = "" } of rows)
    seen.set(`${AnonID}\t${Query}\t${QueryTime}`, { user: AnonID, topic: Category })
  return [...seen.values()]
}

function countBy(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const cut = (topic) => topic.split("/").slice(0, depth).join("/")
const byCount = ([a, m], [b, n]) => n - m || (a < b ? -1 : 1)
