import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))
const release = at("release")

beforeAll(async () => {
  await publish(log, release)
})

/** Runs a command with --json. Returns its exit code, and its answer if stdout is exactly one JSON value. */
async function ask(args: string[]): Promise<{ code: number | null; answer: unknown }> {
  const { code, stdout, stderr } = await runCli([...args, "--json"])
  expect(stdout + stderr).not.toContain(marker)
  return { code, answer: JSON.parse(stdout) }
}

describe("--json answers with one JSON value on stdout", () => {
  test("anonymize", async () => {
    const out = fresh()
    const { code, answer } = await ask([
      "anonymize",
      "equality",
      write(`no row\n${aolText(smallTown())}`, "j.txt"),
      "-o",
      out,
      "-k",
      "3",
    ])
    expect(code).toBe(0)
    expect(answer).toMatchObject({
      folder: out,
      manifest: { method: "equality", guarantee: { k: 3 } },
      receipt: { input: { users: 8, rejected: { columns: 1 } }, released: { rows: 24 } },
    })
  })

  test("verify", async () => {
    const { code, answer } = await ask(["verify", release, "--against", log])
    expect(code).toBe(0)
    expect(answer).toMatchObject({ folder: release, state: "passed" })
    expect(answer).toHaveProperty("checks.0", { name: "files", promise: expect.any(String), state: "passed" })
  })

  test("attack, with the reason why one did not run", async () => {
    const { code, answer } = await ask(["attack", release, "--against", log, "--only", "linkage"])
    expect(code).toBe(3)
    expect(answer).toMatchObject({
      folder: release,
      outcomes: [{ probe: "linkage", skipped: "users were not swapped in this release" }],
    })
  })

  test("attack, with planted secrets", async () => {
    const truth = fresh()
    mkdirSync(truth)
    writeFileSync(join(truth, "secrets.tsv"), "row\tkind\n2\tcommon\n4\trare\n")
    const { code, answer } = await ask(["attack", release, "--against", log, "--truth", truth, "--only", "secrets"])
    expect(code).toBe(0)
    // Line 2 is the first search for the weather. Line 4 is one that only two people made.
    expect(answer).toMatchObject({
      outcomes: [
        {
          probe: "secrets",
          scores: expect.arrayContaining([
            expect.objectContaining({ name: "secrets", value: 0.5, n: 2 }),
            expect.objectContaining({ name: "secrets/common", value: 1, n: 1 }),
            expect.objectContaining({ name: "secrets/rare", value: 0, n: 1 }),
          ]),
        },
      ],
    })
  })

  test("measure", async () => {
    const { code, answer } = await ask([
      "measure",
      release,
      "--against",
      log,
      "--only",
      "queries-kept,top-queries",
      "--top",
      "3",
    ])
    expect(code).toBe(0)
    expect(answer).toMatchObject({
      outcomes: [
        { probe: "queries-kept", scores: [{ name: "queries-kept", value: 3 / 12, n: 12 }] },
        { probe: "top-queries", scores: [{ name: "top-queries@3", value: 1 }, { name: "top-queries-order@3" }] },
      ],
    })
  })

  test("report", async () => {
    const page = fresh()
    const { code, answer } = await ask(["report", release, "-o", page])
    expect(code).toBe(3)
    expect(answer).toMatchObject({ folder: release, page, state: "not checked", attacks: [], measures: [] })
    expect(answer).toMatchObject({
      verdicts: { promise: { kept: "in part", empty: false }, attacks: { state: "not attacked", ran: 0 } },
      original: "not compared",
    })
  })

  test("study", async () => {
    const folder = fresh()
    const { code, answer } = await ask(["study", "equality", log, "-o", folder, "-k", "2,3"])
    expect(code).toBe(0)
    const schema = "queryveil/study/1"
    expect(answer).toEqual({ schema, folder, index: `${folder}/index.html`, computed: 2, reused: 0, warnings: [] })
  })
})

describe("an error under --json is JSON on stderr, and nothing is on stdout", () => {
  test.each<[string, string[], number, object]>([
    [
      "of the data",
      ["anonymize", "equality", at("nowhere"), "-o", at("x")],
      1,
      { code: "input-missing", file: at("nowhere") },
    ],
    ["of a value", ["anonymize", "equality", log, "-o", at("x"), "-k", "0"], 2, { code: "option-value", flag: "--k" }],
    ["of usage", ["anonymize", "equality", log], 2, { code: "usage", flag: "--output" }],
    ["of an unknown option", ["verify", release, "--agianst", log], 2, { code: "option-unknown" }],
    ["of an unknown command", ["verfy", release], 2, { code: expect.any(String) }],
    ["of a missing argument", ["verify"], 2, { code: "usage" }],
  ])("%s", async (_name, args, exit, error) => {
    const { code, stdout, stderr } = await runCli([...args, "--json"])
    expect([code, stdout]).toEqual([exit, ""])
    const answer: unknown = JSON.parse(stderr)
    expect(answer).toMatchObject({ error: { message: expect.any(String), ...error } })
  })

  test("when the config file asks for JSON", async () => {
    const config = write(JSON.stringify({ json: true }))
    const { code, stdout, stderr } = await runCli(["verify", at("nowhere"), "--config", config])
    expect([code, stdout]).toEqual([1, ""])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "release-missing" } })
  })
})
