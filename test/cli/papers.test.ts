import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { readPaperTables } from "../support/paper-tables.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { setup, papers } = readPaperTables(readFileSync(join(root, "docs/papers.md"), "utf8"))
const scratch = scratchFolder()

/** Runs a command of the page in the scratch folder. `verify` may end with 3: not checked. */
async function run(command: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(splitWords(command), { cwd: scratch.folder })
  expect([0, 3], `queryveil ${command}\n${stderr}`).toContain(code)
  return stdout + stderr
}

const splitWords = (command: string) => (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/"/g, ""))

/** Whether a file or the output has what the page promises. */
function isShown(promise: string, output: string): boolean {
  const [, name = promise, text] = /^([^:]+): (.+)$/.exec(promise) ?? []
  if (name === "output") return text !== undefined && output.includes(text)
  const path = scratch.at(name)
  if (!existsSync(path)) return false
  if (text !== undefined) return readFileSync(path, "utf8").includes(text)
  return name.endsWith(".csv") ? readFileSync(path, "utf8").trim().includes("\n") : statSync(path).size > 0
}

describe("docs/papers.md says where each point of the papers is", () => {
  beforeAll(async () => {
    for (const command of setup) await run(command)
  })

  for (const { title, rows } of papers) {
    it(title, { timeout: 600_000 }, async () => {
      const outputs = new Map<string, string>()
      for (const { point, command, shows, doneBy, verdict } of rows) {
        expect(verdict, point).toMatch(/^(Follows|Departs)\b/)
        expect(doneBy.length, `${point}: no file`).toBeGreaterThan(0)
        for (const file of doneBy) expect(existsSync(join(root, file)), `${point}: ${file}`).toBe(true)
        expect(shows.length, `${point}: nothing to look for`).toBeGreaterThan(0)
        if (!outputs.has(command)) outputs.set(command, await run(command))
        for (const promise of shows) {
          expect(isShown(promise, outputs.get(command) ?? ""), `${point}: ${promise}`).toBe(true)
        }
      }
    })
  }
})
