// Runs the same attacks on a log with its names replaced, as published in 2006, and on a release of the log. Then
// measures what was lost.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  anonymize,
  attack,
  createContext,
  measure,
  openDraft,
  openDraftAudit,
  readLog,
  readTruth,
  writeSynth,
} from "queryveil"

const context = createContext({ seed: 1 }) // repeatable; make a release for the public without a seed
const folder = await mkdtemp(join(tmpdir(), "queryveil-"))
const truthFolder = join(folder, "truth") // the synthetic log comes with the places of its secrets
await writeSynth(join(folder, "log.tsv"), { rows: 6000, users: 1500, secrets: 0.01, truth: truthFolder }, context)
const { log } = await readLog(join(folder, "log.tsv"), {}, context)
const truth = await readTruth(truthFolder)

const asIn2006 = await judge({ method: "equality", k: 1, preset: "paper" })
const released = await judge({ method: "affinity", k: 4 })

const print = (name, ...cells) =>
  process.stdout.write(`${name.padEnd(24)}${cells.map((cell) => cell.padStart(18)).join("")}\n`)
print("", "names replaced", "affinity, k = 4")
for (const kind of ["attacks", "measures"]) {
  print(`\n${kind}`)
  for (const [name, { value }] of released[kind]) {
    const before = asIn2006[kind].get(name)
    if (before !== undefined) print(`  ${name}`, before.value.toFixed(3), value.toFixed(3))
  }
}

/** Makes a release, and returns its scores by name. */
async function judge(options) {
  const draft = await anonymize(log, options, context)
  const subject = { release: await openDraft(draft), log, truth, audit: openDraftAudit(draft) }
  return {
    attacks: byName(await attack(subject, {}, context)),
    measures: byName(await measure(subject, { only: ["events-kept", "queries-kept", "top-queries", "ncp"] }, context)),
  }
}

/** The main score of every attack or measure that ran. The others say in `skipped` why they did not. */
function byName(outcomes) {
  return new Map(outcomes.flatMap(({ scores = [] }) => scores.slice(0, 1).map((score) => [score.name, score])))
}
