// Runs your own attack next to a built-in one. It is in extensions/rare-words-attack.mjs.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { anonymize, attack, createContext, openDraft, readLog, writeSynth } from "queryveil"
import "./extensions/rare-words-attack.mjs"

const context = createContext({ seed: 1 })
const path = join(await mkdtemp(join(tmpdir(), "queryveil-")), "log.tsv")
await writeSynth(path, { rows: 8000, users: 150 }, context)
const { log } = await readLog(path, {}, context)

for (const k of [1, 2, 5]) {
  // k = 1 withholds nothing: the log with a new name for every session
  const draft = await anonymize(log, { method: "equality", k }, context)
  const subject = { release: openDraft(draft), log }
  const only = ["rare-words", "known-query"]
  for (const { probe, scores = [], skipped } of await attack(
    subject,
    { only, values: { rareWordLetters: 5 } },
    context,
  )) {
    const found = scores.slice(0, 1).map(({ value, n }) => `${value.toFixed(3)} of ${n}`)
    process.stdout.write(`${`k = ${k}`.padEnd(10)} ${probe.padEnd(18)} ${skipped ?? found}\n`)
  }
}
