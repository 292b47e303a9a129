// Releases a log with your own method, then verifies, attacks and measures it. Run: node examples/extend-method.mjs
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { attack, measure, openAudit, overall, readLog, readRelease, release, verify, writeSynth } from "queryveil"
import "./extensions/top-method.mjs"

const scratch = await mkdtemp(join(tmpdir(), "queryveil-"))
const [path, folder, audit] = ["log.tsv", "release", "audit"].map((name) => join(scratch, name))
await writeSynth(path, { rows: 5000, users: 200 })
const input = await readLog(path)
await release(input, { method: "top", k: 5, most: 20 }, { folder, audit })
const subject = { release: await readRelease(folder), log: input.log, audit: await openAudit(audit) }
const checks = await verify(subject)
for (const { state, promise } of checks) process.stdout.write(`${state.padEnd(13)} ${promise}\n`)
const outcomes = [
  ...(await attack(subject, { only: ["known-query"] })),
  ...(await measure(subject, { only: ["events-kept", "queries-kept"] })),
]
for (const { scores = [] } of outcomes)
  for (const { name, value } of scores) process.stdout.write(`${value.toFixed(3).padEnd(13)} ${name}\n`)
if (overall(checks) !== "passed") process.exitCode = 1
