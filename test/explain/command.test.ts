import { describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
const log = write(aolText(smallTown()), "log.tsv")

describe("queryveil explain", () => {
  const explain = (query: string, ...flags: string[]) =>
    runCli(["explain", "equality", log, query, "-k", "6", ...flags])

  test("says the verdict, the numbers and the smallest change, and that it is private", async () => {
    const { code, stdout } = await explain("News")
    expect(code).toBe(0)
    for (const words of ["Private", "NOT RELEASED", "5 users issued it, fewer than k = 6", "-k 5: released"])
      expect(stdout).toContain(words)
    expect((await explain("weather")).stdout).toContain("RELEASED. In the log: 8 users, 16 searches.")
  })

  test("reads the query from the standard input, so that it is in no shell's history", async () => {
    const given = { stdin: "  NEWS \n" }
    const { code, stdout } = await runCli(["explain", "equality", log, "-", "-k", "6", "--json"], given)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ schema: "queryveil/explain/1", query: "news", users: 5 })
    expect((await runCli(["explain", "equality", "--help"])).stdout).toContain("history")
  })

  test.each([
    ["an empty input", "\n", "is empty"],
    ["two lines", `${marker}\n${marker}\n`, "more than one line"],
  ])("refuses %s, and does not repeat it", async (_what, stdin, words) => {
    const { code, stderr } = await runCli(["explain", "equality", log, "-"], { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain(marker)
  })

  test("refuses to read both the log and the query from the standard input", async () => {
    const { code, stderr } = await runCli(["explain", "equality", "-", "-"], { stdin: "x" })
    expect(code).toBe(2)
    expect(stderr).toContain("cannot both be -")
  })

  test("says that a query is not in the log, and does not repeat it", async () => {
    const { code, stderr } = await runCli(["explain", "counts", log, "-", "--epsilon", "1", "--delta", "1e-6"], {
      stdin: `no ${marker} here`,
    })
    expect(code).toBe(2)
    expect(stderr).toContain("The log has no such query")
    expect(stderr).not.toContain(marker)
  })

  test("refuses options that do not go together before the log is read", async () => {
    const { code, stderr } = await runCli(["explain", "counts", at("absent.tsv"), "x", "--epsilon", "1"])
    expect(code).toBe(2)
    expect(stderr).toContain("--delta is missing")
  })

  test("says of counts that it shows true counts, and that options chosen by it were chosen on the data", async () => {
    const { stdout } = await runCli(["explain", "counts", log, "weather", "--epsilon", "4", "--delta", "1e-6"])
    for (const words of ["TRUE COUNTS, PRIVATE", "DEPENDS ON CHANCE", "--chosen-on-data"])
      expect(stdout).toContain(words)
  })

  test("says what is withheld for an identifier, and what it would take", async () => {
    const rows = ["1", "2", "3"].map((user) => ({ user, query: "mail ann@mail.example", time: "2006-03-01 12:00:00" }))
    const identifiers = write(aolText(rows), "identifiers.tsv")
    const run = (k: string) => runCli(["explain", "equality", identifiers, "mail ann@mail.example", "-k", k, "--json"])
    const enough = JSON.parse((await run("3")).stdout)
    expect(enough).toMatchObject({ verdict: "not released", identifiers: ["email"], users: 3 })
    expect(enough.changes).toHaveLength(1)
    expect(enough.changes[0].options.scrub.split(",")).not.toContain("email")
    expect(JSON.parse((await run("4")).stdout).changes[0]).toMatchObject({ verdict: "released", options: { k: 3 } })
  })
})
