// From a log to a verified release. Run: node examples/release-a-log.mjs [LOG DIR]; without a log one is made up.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { anonymize, createContext, overall, readLog, readRelease, verify, writeRelease, writeSynth } from "queryveil"

const scratch = await mkdtemp(join(tmpdir(), "queryveil-"))
const [logPath = join(scratch, "log.tsv"), folder = join(scratch, "release")] = process.argv.slice(2)
const context = createContext()
if (process.argv[2] === undefined) await writeSynth(logPath, { rows: 5000, users: 200 }, context)

const input = await readLog(logPath, {}, context)
const draft = await anonymize(input.log, { method: "equality", k: 10 }, context)
await writeRelease(draft, folder, { input }, context)

const release = await readRelease(folder)
const checks = await verify({ release, log: input.log }, context)
for (const { promise, state } of checks) process.stdout.write(`${state.padEnd(10)} ${promise}\n`)
process.stdout.write(`\n${folder}: ${overall(checks)}\n`)
