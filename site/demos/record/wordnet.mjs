// How far the concept of a query climbs until k users share it.
import { smallLog } from "./logs.mjs"
import { asCommands } from "./runner.mjs"

const query = "egg"

export async function recordWordnet({ run }) {
  const line = `explain wordnet small.tsv "${query}" -k 10`
  const { users, facts, tables, changes } = JSON.parse(await run(`${line} --json`))
  const rows = tables.Levels.rows
  const bars = { column: 2, reach: facts.k }
  const columns = ["Concept", "Level", "Users"]
  const climbs = rows.slice(1, -1).map(([concept, level], i) => {
    const shown = rows.slice(0, i + 2)
    const before = rows[i][2]
    const count = shown.at(-1)[2]
    const more = count > before ? `Other searches below it join: ${count} users are left.` : `Still ${count} users.`
    return {
      title: `Up to ${wordOf(concept)}`,
      says: [`The concept above, on level ${level}, is ${wordOf(concept)}.`, `${more} That is fewer than ${facts.k}.`],
      table: { columns, rows: shown, marked: [shown.length - 1], bars },
    }
  })
  const other = changes.find(({ options }) => options?.k < facts.k)
  return {
    title: "A query that climbs until enough users share its concept",
    commands: asCommands(smallLog, line),
    steps: [
      {
        title: "A query and its concept",
        says: [
          `${users} users typed “${query}” in this synthetic log.`,
          `WordNet, an English dictionary, has it as the concept ${wordOf(facts["own concept"])} on level ` +
            `${facts["own level"]}; 1 is the top.`,
          `${rows[0][2]} users are left there, fewer than k = ${facts.k}.`,
        ],
        table: { columns, rows: rows.slice(0, 1), marked: [0], bars },
      },
      ...climbs,
      {
        title: `Released as ${wordOf(facts["released concept"])}`,
        says: [
          `Level ${facts["released level"]}: ${wordOf(facts["released concept"])} covers the searches of ` +
            `${facts["users of the released concept"]} users, at least ${facts.k}.`,
          "Readers see this concept instead of the query. The text itself is never released.",
          ...(other === undefined ? [] : [`With -k ${other.options.k}: ${lower(other.price.split(". ")[0])}.`]),
        ],
        table: { columns, rows, marked: [rows.length - 1], bars },
      },
    ],
  }
}

const wordOf = (concept) => `${concept.split(".")[0].replaceAll("_", " ")} (${concept})`
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1)
