// The frontier of the demo's log, as its study writes it.
import { readFileSync } from "node:fs"
import { demoLog } from "./logs.mjs"
import { asCommands } from "./runner.mjs"

const study = "study frontier log.tsv --coarse --discard-releases -o frontier"
const uses = ["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]

export async function recordFrontier({ run, at }) {
  await run(study)
  const points = readCsv(at("frontier/data/points.csv"))
  const details = uses.map((use) => [
    use,
    new Map(readCsv(at(`frontier/data/${use}.csv`)).map((row) => [row.label, row])),
  ])
  const attackerOf = (label) => details.map(([, rows]) => rows.get(label)?.attacker).find((text) => text) ?? ""
  return {
    commands: asCommands(demoLog, study),
    points: points.map((point) => {
      const [method, ...settings] = point.release.split(", ")
      return {
        method,
        settings: settings.join(", ").replaceAll(" (dp)", ""),
        risk: numbersOf(point, ["risk", "low", "high"]),
        attacker: attackerOf(point.release),
        uses: Object.fromEntries(
          uses.flatMap((use) => (point[use] === "" ? [] : [[use, Number(Number(point[use]).toPrecision(6))]])),
        ),
        checks: point.checks,
      }
    }),
  }
}

const numbersOf = (row, names) => names.map((name) => Number(Number(row[name]).toPrecision(6)))

/** Rows of a CSV file by column. Fields with a comma are quoted. */
function readCsv(path) {
  const [header, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n").map(fieldsOf)
  return lines.map((fields) => Object.fromEntries(header.map((column, i) => [column, fields[i] ?? ""])))
}

const fieldsOf = (line) =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .slice(0, -1)
    .map(([, field]) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field))
