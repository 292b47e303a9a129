// Searches that wait in one topic of a stream until a cell closes, and what leaves.
import { smallLog, streamRows } from "./logs.mjs"
import { asCommands } from "./runner.mjs"

const k = 3
const topic = "animal/chordate"
const classify = "classify arrivals.tsv -o arrivals-classified.tsv"
// Without its page, whose port another stream of this machine may have.
const files = "--store store --input arrivals.tsv -o released.tsv --audit stream-audit"
const stream = `stream run -k ${k} --depth 2 --no-admin ${files}`
const seal = "stream seal released.tsv --audit stream-audit --against arrivals.tsv -o sealed --audit-out sealed-audit"

export async function recordStream({ run, table }) {
  await run(classify)
  await run(stream)
  await run(seal)
  const log = table("arrivals.tsv")
  // The classified log has another order, so topics are found by user and time.
  const keyOf = ({ AnonID, QueryTime }) => `${AnonID} ${QueryTime}`
  const topics = new Map(table("arrivals-classified.tsv").map((row) => [keyOf(row), row.Category]))
  const shown = table("sealed/log.tsv")
  const lineOf = (line) => log[Number(line) - 2]
  const left = table("sealed-audit/trail.tsv").map(({ row, query_row, user_row, cell }) => ({
    cell: Number(cell),
    line: Number(query_row),
    from: lineOf(query_row),
    under: lineOf(user_row).AnonID,
    released: shown[Number(row) - 1],
  }))
  const ofTopic = left.filter(({ from }) => topics.get(keyOf(from))?.startsWith(topic))
  const first = Math.min(...ofTopic.map(({ cell }) => cell))
  // A search that its user repeated while it waited leaves with its repeats. Here its first is shown.
  const ofCell = left.filter(({ cell }) => cell === first).toSorted((a, b) => b.line - a.line)
  const members = [...new Map(ofCell.map((one) => [one.from.AnonID, one])).values()]
  const ordered = members.toSorted((a, b) => a.line - b.line)
  const waits = ordered.map(({ from }) => [from.QueryTime, from.AnonID, from.Query])
  const rows = streamRows.toLocaleString("en")
  const columns = ["Came at", "User", "Query"]
  return {
    title: "Searches that wait in a stream, and leave together",
    commands: asCommands(smallLog, stream, seal),
    steps: [
      {
        title: "The first search of a topic",
        says: [
          `The first ${rows} rows of a synthetic log go through a stream, in the order of time.`,
          `This is the first search in the topic ${topic} that will leave. It waits.`,
        ],
        table: { columns, rows: waits.slice(0, 1), marked: [0] },
      },
      ...waits.slice(1, -1).map((_, i) => ({
        title: `${i + 2} users wait`,
        says: [`Another user searches in the topic. ${i + 2} of ${k + 1} users wait, so nothing leaves.`],
        table: { columns, rows: waits.slice(0, i + 2), marked: [i + 1] },
      })),
      {
        title: "The cell closes",
        says: [`Now k + 1 = ${k + 1} users wait. The cell closes at this moment, and all its searches leave together.`],
        table: { columns, rows: waits, marked: [waits.length - 1] },
      },
      {
        title: "The exchange (private)",
        says: [
          "Each search leaves under another user of the cell, drawn at random. Nobody keeps their own.",
          `A reader of the releases names the user of a search with a chance of at most 1 in ${k}.`,
        ],
        table: {
          columns: ["Query", "From", "Shown under"],
          rows: ordered.map(({ from, under }) => [from.Query, from.AnonID, under]),
          chance: ["Shown under"],
        },
      },
      {
        title: "What a reader gets",
        says: [
          "The name is random and is used in this cell alone. The time is that of the close, cut to the hour.",
          "The texts are unchanged: their words can still name their author.",
        ],
        table: {
          columns: ["AnonID", "Query", "QueryTime"],
          rows: ordered.map(({ released }) => [released.AnonID, released.Query, released.QueryTime]),
          chance: ["AnonID"],
        },
      },
    ],
  }
}
