import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readPapersPage, repository, splitWords } from "../support/paper-points.ts"
import { runCli } from "../support/run-cli.ts"

const { setup, papers } = readPapersPage()
const commands = new Set([...setup, ...papers.flatMap(({ points }) => points.map(({ command }) => command))])

// papers.slow.test.ts runs the commands and checks that they show what the page promises.
describe("docs/papers.md", () => {
  test.each(papers)("gives a verdict, files and something to look for at every point: $title", ({ points }) => {
    expect(points.length).toBeGreaterThan(10)
    for (const { point, shows, doneBy, verdict } of points) {
      expect(verdict, point).toMatch(/^(Follows|Departs)\b/)
      expect(doneBy.length, `${point}: no file`).toBeGreaterThan(0)
      for (const file of doneBy) expect(existsSync(join(repository, file)), `${point}: ${file}`).toBe(true)
      expect(shows.length, `${point}: nothing to look for`).toBeGreaterThan(0)
    }
  })

  test("has only commands and flags that exist", async () => {
    expect(commands.size).toBeGreaterThan(50)
    const helps = new Map<string, string>()
    for (const command of commands) {
      const words = splitWords(command)
      const name = words.slice(
        0,
        words.findIndex((word) => !/^[a-z]+$/.test(word)),
      )
      const key = name.slice(0, 3).join(" ")
      if (!helps.has(key)) helps.set(key, (await runCli([...name, "--help"])).stdout)
      for (const flag of words.filter((word) => /^--?[a-z]/.test(word)))
        expect(` ${helps.get(key)}`, `queryveil ${command}`).toMatch(new RegExp(`[\\s,]${flag}[\\s,]`))
    }
  })
})
