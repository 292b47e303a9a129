import { existsSync, readFileSync, statSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { readPapersPage, splitWords } from "../support/paper-points.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { setup, papers } = readPapersPage()
const scratch = scratchFolder()

/** Runs a command of the page in the scratch folder. `verify` may end with 3 (not checked), others with 4 (empty). */
async function run(command: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(splitWords(command), { cwd: scratch.folder })
  expect([0, 3, 4], `queryveil ${command}\n${stderr}`).toContain(code)
  return stdout + stderr
}

/** True if a file or the output has what the page promises. */
function isShown(promise: string, output: string): boolean {
  const [, name = promise, text] = /^([^:]+): (.+)$/.exec(promise) ?? []
  if (name === "output") return text !== undefined && output.includes(text)
  const path = scratch.at(name)
  if (!existsSync(path)) return false
  if (text !== undefined) return readFileSync(path, "utf8").includes(text)
  return name.endsWith(".csv") ? readFileSync(path, "utf8").trim().includes("\n") : statSync(path).size > 0
}

describe("every command of docs/papers.md shows what the page promises", () => {
  beforeAll(async () => {
    vi.stubEnv("COLUMNS", "400") // a sentence in a table stays in one line
    for (const command of setup) await run(command)
  })

  afterAll(() => vi.unstubAllEnvs())

  test.each(papers)("$title", async ({ points }) => {
    const outputs = new Map<string, string>()
    for (const { point, command, shows } of points) {
      if (!outputs.has(command)) outputs.set(command, await run(command))
      for (const promise of shows) {
        expect(isShown(promise, outputs.get(command) ?? ""), `${point}: ${promise}`).toBe(true)
      }
    }
  })
})
