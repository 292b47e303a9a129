import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readPapersPage, repository } from "../support/paper-points.ts"

const { papers } = readPapersPage()

// papers.slow.test.ts runs the commands and checks that they show what the page promises. test/docs/commands.test.ts
// checks that they exist.
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
})
