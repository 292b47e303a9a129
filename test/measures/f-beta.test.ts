import { describe, expect, test } from "vitest"
import { measure } from "#dist/measures/registry.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { draftOf, valuesOf } from "../support/drafts.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))

// With k = 3, weather, news and maps are released: two of four safe queries, and one sensitive query.
const lines = [
  "Weather\tsafe",
  "maps\tsafe",
  `shared ${marker}\tsafe`,
  `${marker} of 0\tsafe`,
  "news\tsensitive",
  `${marker} of 1\tsensitive`,
  "nobody asked this\tsafe",
]
const expected = {
  precision: 2 / 3,
  recall: 1 / 2,
  "f@1": 4 / 7,
  "f@0.1": (1.01 * (2 / 3) * (1 / 2)) / (0.01 * (2 / 3) + 1 / 2),
}

describe("F_β", () => {
  test("is the weighted mean of precision and recall of releasing the queries that people call safe", async () => {
    const folder = fresh()
    await publish(log, folder, { k: 3, scrub: "none" })
    for (const header of [[], ["query\tlabel"]]) {
      const labels = write([...header, ...lines, ""].join("\r\n"))
      const args = ["measure", folder, "--against", log, "--labels", labels, "--only", "f-beta", "--json"]
      const { code, stdout } = await runCli(args)
      expect(code).toBe(0)
      const values = valuesOf(JSON.parse(stdout).outcomes)
      expect(Object.keys(values)).toEqual(Object.keys(expected))
      for (const [name, value] of Object.entries(expected)) expect(values[name]).toBeCloseTo(value, 12)
    }
  })

  test("uses the planted secrets as sensitive queries if there are no labels", async () => {
    const { subject, context } = await draftOf(log, { method: "equality", k: 3, scrub: "none" })
    const { log: read } = subject
    const newsLine = read.line[read.query.indexOf(read.queries.find("news"))] ?? 0
    const truth = { secrets: [{ line: newsLine, kind: "card" }] }
    const values = valuesOf(await measure({ ...subject, truth }, { only: ["f-beta"] }, context))
    expect(values.precision).toBeCloseTo(2 / 3, 12)
    expect(values.recall).toBeCloseTo(2 / (read.queries.size - 1), 12)
  })

  test("of an empty release is 0", async () => {
    const { subject, context } = await draftOf(log, { method: "equality", k: 100, scrub: "none" })
    const labels = [{ query: "weather", sensitive: false }]
    const values = valuesOf(await measure({ ...subject, labels }, { only: ["f-beta"] }, context))
    expect(values).toEqual({ precision: 1, recall: 0, "f@1": 0, "f@0.1": 0 })
  })

  test("is refused for a file without labels, by line and without its text", async () => {
    const folder = fresh()
    await publish(log, folder, { k: 3 })
    const labels = write(`weather\tsafe\n${marker}\tperhaps\n`)
    const { code, stdout, stderr } = await runCli(["measure", folder, "--against", log, "--labels", labels])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain("line 2")
    expect(stderr).not.toContain(marker)
  })
})
