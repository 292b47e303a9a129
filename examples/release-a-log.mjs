// From a log to a verified release, with the library. Run: node examples/release-a-log.mjs LOG DIR
import { anonymize, createContext, overall, readLog, readRelease, verify, writeRelease } from "queryveil"

const [logPath, folder] = process.argv.slice(2)
if (logPath === undefined || folder === undefined) throw new Error("Usage: release-a-log.mjs LOG DIR")

const context = createContext()
const input = await readLog(logPath, {}, context)
const draft = await anonymize(input.log, { method: "equality", k: 10 }, context)
await writeRelease(draft, folder, { input }, context)

const release = await readRelease(folder)
const checks = await verify({ release, log: input.log }, context)
process.stdout.write(`${folder}: ${overall(checks)}\n`)
