import { expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const labels = write(
  [
    "query\tkind\tis_pii",
    "jane.doe@example.com\temail\t1",
    "windows 95\taccount\t0",
    "call 202-555-0143\tphone\t1",
    "",
  ].join("\n"),
)

test("scrub evaluate gives precision and recall by kind", async () => {
  const { code, stdout } = await runCli(["scrub", "evaluate", "--labels", labels, "--json"])
  expect(code).toBe(0)
  const answer = JSON.parse(stdout)
  expect(answer).toMatchObject({ digitRecall: 1, harmlessDigitWithheld: 0 })
  expect(answer.kinds).toContainEqual(
    expect.objectContaining({ kind: "email", truePositives: 1, precision: 1, recall: 1 }),
  )
})

test("scrub evaluate prints a table without the queries", async () => {
  const { code, stdout } = await runCli(["scrub", "evaluate", "--labels", labels])
  expect([code, stdout.split("\n")[0]]).toEqual([0, expect.stringMatching(/^kind +found +false alarms +missed/)])
  expect(stdout).not.toContain("jane")
})

test.each([
  ["no file", [], 2],
  ["a file that is not there", ["--labels", "/nowhere/labels.tsv"], 1],
  ["a file of other columns", ["--labels", write("a\tb\n1\t2\n")], 1],
])("scrub evaluate refuses %s", async (_name, flags, exit) => {
  const { code, stderr } = await runCli(["scrub", "evaluate", ...flags])
  expect([code, stderr.length > 20]).toEqual([exit, true])
})
