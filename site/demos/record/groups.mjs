// What the members of one group searched for, and what all of them show.
import { createContext, readLog, release } from "../../../dist/index.js"
import { smallLog } from "./logs.mjs"
import { asCommands, groupBy } from "./runner.mjs"

const k = 5
const mostRows = 6

export async function recordGroups({ at, table }) {
  // A release draws its groups anew each time. A seeded one does not, so that this recording can be made again.
  const input = await readLog(at("small.tsv"))
  const places = { folder: at("groups"), audit: at("groups-audit") }
  await release(input, { method: "groups", k }, places, createContext({ seed: 1 }))
  const log = table("small.tsv")
  const shown = table("groups/log.tsv")
  const trail = table("groups-audit/trail.tsv")
  const groupOf = new Map(table("groups-audit/groups.tsv").map((row) => [row.user, row]))
  const userOf = (line) => log[Number(line) - 2].AnonID
  const rowsOf = groupBy(trail, ({ user_row }) => userOf(user_row))
  const textsOf = (user) => new Set(rowsOf.get(user).map(({ row }) => shown[Number(row) - 1].Query))
  const groups = [...groupBy(rowsOf.keys(), (user) => groupOf.get(user).group).values()]
  const members = groups
    .filter((users) => users.length === k && rowsOf.get(users[0]).length <= mostRows)
    .sort((a, b) => textsOf(b[0]).size - textsOf(a[0]).size || (a[0] < b[0] ? -1 : 1))[0]
    .toSorted((a, b) => Number(groupOf.get(b).centroid) - Number(groupOf.get(a).centroid) || Number(a) - Number(b))
  const ownRows = (user) => log.filter(({ AnonID }) => AnonID === user)
  const clicked = (user) => ownRows(user).filter(({ ClickURL }) => ClickURL !== "")
  const nameOf = (user) => shown[Number(rowsOf.get(user)[0].row) - 1].AnonID
  const history = rowsOf
    .get(members[0])
    .map(({ row }) => shown[Number(row) - 1])
    .toSorted((a, b) => (a.QueryTime < b.QueryTime ? -1 : 1))
  const texts = textsOf(members[0])
  const didMake = (user) => clicked(user).filter(({ Query }) => texts.has(Query.toLowerCase())).length
  return {
    title: "Five users who show the same history",
    commands: [
      ...asCommands(smallLog),
      `release(log, { method: "groups", k: ${k} }, places, createContext({ seed: 1 }))`,
    ],
    steps: [
      {
        title: "A group",
        says: [
          `These ${k} users of a synthetic log are a group. The first is its centroid: a user drawn at random.`,
          "The others are the users nearest to it, by what they clicked.",
        ],
        table: {
          columns: ["User", "Rows", "With a click"],
          rows: members.map((user) => [user, ownRows(user).length, clicked(user).length]),
          marked: [0],
          bars: { column: 2 },
        },
      },
      {
        title: "What can be shown",
        says: [
          `A text is shown only if at least ${k} users issued it, and a url only if at least ${k} users clicked it.`,
          `Of the centroid's ${clicked(members[0]).length} rows with a click, ${history.length} are left.`,
        ],
        table: {
          columns: ["Query", "Clicked url"],
          rows: history.map(({ Query, ClickURL }) => [Query, ClickURL]),
        },
      },
      {
        title: "What each member made",
        says: [
          "Every member will show the centroid's history. Some made such searches, others did not.",
          "The table counts each member's own rows with these texts.",
        ],
        table: {
          columns: ["User", "Own rows with these texts"],
          rows: members.map((user) => [user, didMake(user)]),
          marked: [0],
          bars: { column: 1 },
        },
      },
      {
        title: "What the release shows",
        says: [
          `${k} names show exactly the same history, with the same times: nothing says which name is which person.`,
          "Times are drawn among hours in which many users clicked.",
          "An attacker who knows a few of a member's searches may still find the group and read the rest.",
        ],
        table: {
          columns: ["AnonID", "Query", "QueryTime"],
          rows: members.flatMap((user) => history.map((row) => [nameOf(user), row.Query, row.QueryTime])),
        },
      },
    ],
  }
}
