// The synthetic logs of the recordings. Their seeds are fixed, so a command always makes the same log.
import { readFileSync, writeFileSync } from "node:fs"

/** 20,000 rows of 362 users. */
export const smallLog = "synth --rows 20000 --follow 0.5 --seed 1 -o small.tsv"
/** The size of the demo's log: 200,000 rows of 4,000 users. */
export const demoLog = "synth --rows 200000 --users 4000 --follow 0.5 --seed 2006 -o log.tsv"

/** Makes the logs in the folder of a runner. */
export async function makeLogs({ run, at }) {
  await run(smallLog)
  await run(demoLog)
  writeArrivals(at("small.tsv"), at("arrivals.tsv"))
}

/** How many rows the recorded stream takes. */
export const streamRows = 2000

/** The first rows of a log in the order of time, as a stream would get them. */
function writeArrivals(from, to) {
  const [header, ...rows] = readFileSync(from, "utf8").trimEnd().split("\n")
  const timeOf = (row) => row.split("\t")[2] ?? ""
  const ordered = rows.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
  writeFileSync(to, `${[header, ...ordered.slice(0, streamRows)].join("\n")}\n`)
}
