import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { countQueries } from "#dist/log/statistics.js"
import { describeMatchingK, findMatchingK } from "#dist/study/advise/matching-k.js"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at, fresh } = scratchFolder()
const log = at("log.tsv")

beforeAll(async () => {
  await synthLog(log, { rows: 4000, users: 120 })
})

const textsOf = () =>
  new Set(
    readFileSync(log, "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => (line.split("\t")[1] ?? "").toLowerCase()),
  )

describe("queryveil labels", () => {
  test("draws different queries of the log for people to judge, for the owner alone", async () => {
    const file = fresh()
    const { code, stdout } = await runCli(["labels", log, "-o", file, "--sample", "50"])
    expect(code).toBe(0)
    const [header, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n")
    expect(header).toBe("query\tlabel")
    const queries = lines.map((line) => line.split("\t")[0] ?? "")
    expect(new Set(queries).size).toBe(50)
    for (const query of queries) {
      expect(textsOf()).toContain(query)
      expect(stdout).not.toContain(query)
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = fresh()
    await runCli(["labels", log, "-o", again, "--sample", "50"])
    expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"))
    expect((await runCli(["labels", log, "-o", file])).code).toBe(1)
  })

  test("writes what --labels reads: judged lines count, others are skipped", async () => {
    const file = fresh()
    expect((await runCli(["labels", log, "-o", file])).code).toBe(0)
    const lines = readFileSync(file, "utf8").trimEnd().split("\n")
    expect(lines.length - 1).toBe(textsOf().size)
    const judged = lines.map((line, i) => (i > 0 && i < 41 ? line + (i % 4 === 0 ? "sensitive" : "safe") : line))
    writeFileSync(file, judged.join("\n"))
    const study = fresh()
    const flags = ["-k", "1,2", "--theta", "0.9", "--samples", "2", "--subgraphs", "5"]
    const ran = await runCli(["study", "affinity", log, "-o", study, "--labels", file, ...flags])
    expect([ran.code, ran.stderr]).toEqual([0, ""])
    const rows = readFileSync(join(study, "data", "sensitive.csv"), "utf8").split("\n")
    expect(rows[1]).toMatch(/^1,EQ,.*10/) // at k = 1 all ten are released
  })
})

test("advice says which k of affinity releases as much as equality with 3", async () => {
  const context = createContext({ workers: 1 })
  const read = (await readLog(log, {}, context)).log
  const found = await findMatchingK(read, context)
  const own = countQueries(read).users.filter((users) => users >= 3).length
  expect(found).toMatchObject({ equality: 3, theta: 0.9, minConceptUsers: 10, queries: own })
  expect(found.affinity).toBeGreaterThanOrEqual(3)
  const sentence = describeMatchingK(found)
  expect(sentence).toContain(`up to k = ${found.affinity}`)
})
