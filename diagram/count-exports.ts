import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The largest number of public values (functions, classes, constants) of all entry points together. */
const most = 100

/** `npm run api`: prints how many values each entry point exports, and exits with 1 if there are too many. */
const packageFile = fileURLToPath(new URL("../../package.json", import.meta.url))
const { exports } = JSON.parse(readFileSync(packageFile, "utf8")) as { exports: Record<string, string | object> }
// Removed entry points have no types.
const entries = Object.keys(exports).filter((name) => typeof exports[name] === "object")

let total = 0
for (const entry of entries) {
  const name = entry.replace(/^\./, "queryveil")
  const values = Object.keys(await import(name)).length
  total += values
  process.stdout.write(`${name.padEnd(20)}${String(values).padStart(4)} values\n`)
}
process.stdout.write(`${"total".padEnd(20)}${String(total).padStart(4)} values (at most ${most})\n`)
if (total > most) process.exitCode = 1
