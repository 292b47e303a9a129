// From a log to a verified release. Run: node examples/release-a-log.mjs [LOG DIR]. Without LOG the log is synthetic.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { overall, readLog, readRelease, release, verify, writeSynth } from "queryveil"

const scratch = await mkdtemp(join(tmpdir(), "queryveil-"))
const [logPath = join(scratch, "log.tsv"), folder = join(scratch, "release")] = process.argv.slice(2)
if (process.argv[2] === undefined) await writeSynth(logPath, { rows: 5000, users: 200 })

const input = await readLog(logPath)
await release(input, { method: "equality", k: 10 }, { folder })

const checks = await verify({ release: await readRelease(folder), log: input.log })
for (const { promise, state } of checks) process.stdout.write(`${state.padEnd(10)} ${promise}\n`)
process.stdout.write(`\n${folder}: ${overall(checks)}\n`)
