// Reads a log in your own format. The format is in extensions/pipe-format.mjs; `queryveil --extend FILE` loads it too.
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspectLog, readLog } from "queryveil"
import "./extensions/pipe-format.mjs"

const path = join(await mkdtemp(join(tmpdir(), "queryveil-")), "vendor.log")
const lines = Array.from({ length: 3000 }, (_, i) => {
  const time = new Date(1_772_400_000_000 + i * 60_000).toISOString()
  const action = i % 3 === 0 ? "view" : "search"
  const text = i % 7 === 0 ? "garden|shed" : `item ${i % 90}`
  return [time, `visitor-${i % 40}`, action, text].join("|")
})
await writeFile(path, `${[...lines, "not a record"].join("\n")}\n`)

const { log, intake } = await readLog(path) // recognised by its content; { format: "pipe" } names it
process.stdout.write(`read as ${intake.format}: ${log.rows} searches, rejected ${JSON.stringify(intake.rejected)}\n`)
const { size } = await inspectLog(log)
process.stdout.write(`${size.users} users, ${size.queries} distinct queries\n`)
