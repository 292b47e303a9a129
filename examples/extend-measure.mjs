// Runs your own measure next to a built-in one. It is in extensions/long-queries-measure.mjs.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { anonymize, createContext, measure, openDraft, readLog, writeSynth } from "queryveil"
import "./extensions/long-queries-measure.mjs"

const context = createContext({ seed: 1 })
const path = join(await mkdtemp(join(tmpdir(), "queryveil-")), "log.tsv")
await writeSynth(path, { rows: 6000, users: 300 }, context)
const { log } = await readLog(path, {}, context)

for (const k of [2, 5, 10]) {
  const draft = await anonymize(log, { method: "equality", k }, context)
  const subject = { release: openDraft(draft), log }
  const only = ["long-queries-kept", "queries-kept"]
  for (const { probe, scores = [], skipped } of await measure(
    subject,
    { only, values: { longQueryWords: 2 } },
    context,
  )) {
    const found = scores.slice(0, 1).map(({ value, n }) => `${value.toFixed(3)} of ${n}`)
    process.stdout.write(`${`k = ${k}`.padEnd(10)} ${probe.padEnd(18)} ${skipped ?? found}\n`)
  }
}
