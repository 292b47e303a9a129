// Runs the built command line in a folder, and reads what it writes.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const cli = fileURLToPath(new URL("../../../dist/cli/queryveil.cjs", import.meta.url))
const start = promisify(execFile)

/** A folder to run in: `run` takes a command line, `table` reads a TSV file as rows by column. */
export function createRunner(folder) {
  const at = (name) => join(folder, name)
  return {
    at,
    /** Runs `queryveil ARGUMENTS`. Words with spaces are in double quotes. Returns what it prints. */
    run: async (line) => {
      const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
      const { stdout } = await start(process.execPath, [cli, ...words, "--quiet"], { cwd: folder, maxBuffer: 2 ** 28 })
      return stdout
    },
    table: (name) => {
      const [header, ...lines] = readFileSync(at(name), "utf8").trimEnd().split("\n")
      const columns = header.split("\t")
      return lines.map((line) => {
        const cells = line.split("\t")
        return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]))
      })
    },
  }
}

/** The commands of a recording, as a reader would type them. */
export const asCommands = (...lines) => lines.map((line) => `queryveil ${line}`)

/** The values by what `keyOf` returns, in the order of their first. */
export function groupBy(values, keyOf) {
  const groups = new Map()
  for (const value of values) {
    const key = keyOf(value)
    if (groups.has(key)) groups.get(key).push(value)
    else groups.set(key, [value])
  }
  return groups
}
