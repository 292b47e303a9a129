// Runs every method on one log. Prints a table: the result of the checks, what is kept, what an attack finds.
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
  overall,
  readLog,
  verify,
  writeSynth,
} from "queryveil"

const context = createContext({ seed: 1 })
const path = join(await mkdtemp(join(tmpdir(), "queryveil-")), "log.tsv")
await writeSynth(path, { rows: 6000, users: 1500 }, context)
const { log } = await readLog(path, {}, context)

const choices = [
  { method: "equality", k: 4 },
  { method: "affinity", k: 4 },
  { method: "wordnet", k: 4 },
  { method: "groups", k: 4 },
  { method: "swap", k: 4 },
  { method: "counts", epsilon: "4", delta: "0.001" },
]
const line = (cells) =>
  process.stdout.write(
    `${cells
      .map((cell) => String(cell).padEnd(20))
      .join("")
      .trimEnd()}\n`,
  )
line(["method", "checks", "rows or counts", "events kept", "known-query attack"])
for (const options of choices) {
  const draft = await anonymize(log, options, context)
  const release = await openDraft(draft)
  const subject = { release, log, audit: openDraftAudit(draft) }
  // A seeded release must not be published, and its checks say so. Here the other checks count.
  const checks = (await verify(subject, context)).filter(({ name }) => name !== "randomness")
  const [kept] = await measure(subject, { only: ["events-kept"] }, context)
  const [known] = await attack(subject, { only: ["known-query"] }, context)
  line([options.method, overall(checks), await sizeOf(release), show(kept), show(known)])
}

async function sizeOf(release) {
  if (release.kind === "rows") return (await release.log(context)).rows
  const tables = Object.values(await release.tables(context))
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** The main score, or a dash if the measure does not apply to such a release: `skipped` has the reason. */
function show({ scores, skipped }) {
  return skipped === undefined ? scores[0].value.toFixed(3) : "-"
}
