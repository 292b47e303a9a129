import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { buildProgram } from "#dist/cli/build-program.js"
import { type CommandNode, readCommandTree } from "#dist/cli/command-tree.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))

const parametersOf = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, "release.json"), "utf8")).parameters

/** Runs `anonymize equality LOG -o OUT` with more flags, and with a config file if given. */
async function anonymize(flags: string[], config?: unknown) {
  const out = fresh()
  const file = config === undefined ? [] : ["--config", write(JSON.stringify(config))]
  const result = await runCli(["anonymize", "equality", log, "-o", out, ...flags, ...file])
  expectDiscreet(result)
  return { out, result }
}

describe("wrong usage is refused with 2, before the log is read", () => {
  test.each<[string, string[], RegExp]>([
    ["-k 0", ["-k", "0"], /--k 0: expected a whole number of at least 1/],
    ["-k abc", ["-k", "abc"], /--k abc: expected a whole number/],
    ["an unknown option", ["--kk", "3"], /unknown option '--kk'.*Try: queryveil anonymize equality --help/s],
  ])("%s", async (_name, flags, message) => {
    const { out, result } = await anonymize(flags)
    expectRefused(result, { code: 2, message })
    expect(existsSync(out)).toBe(false)
  })

  test.each<[string, string[], RegExp]>([
    ["no -o", ["anonymize", "equality", log], /-o, --output <dir> is missing: write the release to this folder/],
    ["an unknown method", ["anonymize", "magic", log, "-o", "x"], /unknown command 'magic'.*--help/s],
    ["two releases", ["attack", "a", "b", "--against", log], /Expected 1 argument but got 2\. Try/],
    [
      "a number that must be more than 0",
      ["attack", "a", "--against", log, "--profile-smoothing", "0"],
      /--profile-smoothing 0: expected a number of more than 0 and at most 1\./,
    ],
    ["an unknown command", ["anonymise"], /unknown command 'anonymise' \(did you mean anonymize\?\)\. Try/],
  ])("%s", async (_name, args, message) => {
    expectRefused(await runCli(args), { code: 2, message })
  })

  test("no log to compare with", async () => {
    const out = fresh()
    await publish(log, out)
    expectRefused(await runCli(["measure", out]), {
      code: 2,
      message: /--against <log...> is missing: compare with the original log/,
    })
  })
})

test("a name given twice to --only runs once", async () => {
  const out = fresh()
  await publish(log, out)
  const only = "events-kept,queries-kept,events-kept"
  const { stdout } = await runCli(["measure", out, "--against", log, "--only", only, "--json"])
  expect(JSON.parse(stdout).outcomes.map(({ probe }: { probe: string }) => probe)).toEqual([
    "events-kept",
    "queries-kept",
  ])
})

describe("--config", () => {
  test("supplies k and the output folder", async () => {
    const out = fresh()
    const config = write(JSON.stringify({ k: 5, output: out, users: "drop" }))
    const result = await runCli(["anonymize", "equality", log, "--config", config])
    expect([result.code, result.stderr]).toEqual([0, ""])
    expect(parametersOf(out)).toEqual({ k: 5, scrub: "default", users: "drop", urls: "threshold", time: "hour" })
  })

  test("is overridden by flags", async () => {
    const { out, result } = await anonymize(["-k", "3", "--time", "day"], { k: 5, time: "exact", output: fresh() })
    expect(result.code).toBe(0)
    expect(parametersOf(out)).toMatchObject({ k: 3, time: "day" })
  })

  test("can set the preset, JSON and quiet; its own values override the preset", async () => {
    const { out, result } = await anonymize(["--time", "day"], {
      preset: "paper",
      json: true,
      quiet: true,
      urls: "drop",
    })
    expect([result.code, result.stderr]).toEqual([4, ""]) // no query of the town has ten users
    expect(JSON.parse(result.stdout)).toMatchObject({ folder: out })
    expect(parametersOf(out)).toEqual({ k: 10, scrub: "none", users: "pseudonym", urls: "drop", time: "day" })
  })

  test.each<[string, unknown, RegExp]>([
    ["an unknown key", { kk: 3 }, /kk is not an option of this command\. Options: .*\bk\b/],
    ["a text for k", { k: "3" }, /config key k: /],
    ["a text for quiet", { quiet: "yes" }, /config key quiet: /],
    ["an unknown preset", { preset: "papr" }, /config key preset: /],
  ])("is refused with 2: %s", async (_name, config, message) => {
    const { out, result } = await anonymize([], config)
    expectRefused(result, { code: 2, message })
    expect(existsSync(out)).toBe(false)
  })

  test("is refused with 2 when it is not JSON", async () => {
    const config = write(`{k: ${marker}`)
    const result = await runCli(["anonymize", "equality", log, "-o", fresh(), "--config", config])
    expectRefused(result, { code: 2, message: /file-\d+\.txt: cannot be read: it is not JSON/ })
  })

  test("is refused with 2 when there is no such file", async () => {
    const result = await runCli(["anonymize", "equality", log, "-o", fresh(), "--config", fresh()])
    expectRefused(result, { code: 2, message: /new-\d+: there is no such file/ })
  })
})

describe("help", () => {
  test.each([
    [["--help"], /anonymize.*verify.*Exit codes: 0 done/s],
    [["--version"], /^\d+\.\d+\.\d+\n$/],
    [["-V"], /^\d+\.\d+\.\d+\n$/],
    [["measure", "--help"], /\n {2}unique-suppressed {2,}rows {2,}share/],
    [["anonymize", "equality", "--help"], /-k, --k <n>.*--users <session\|day\|pseudonym\|drop\|keep>/s],
  ])("of %j goes to stdout and ends with 0", async (args, text) => {
    const { code, stdout, stderr } = await runCli(args)
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(text), ""])
  })
})

describe("the help of every command", () => {
  const all = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(all)]

  test("says in one line what a command or flag does, the default last, and what exit codes mean", async () => {
    const commands = all(readCommandTree(await buildProgram()))
    expect(commands.length).toBeGreaterThan(40)
    for (const { fullName, description, flags, notes } of commands) {
      const texts = [...(fullName === "queryveil" ? [] : [description]), ...flags.map((flag) => flag.description)]
      for (const text of texts) {
        expect([fullName, text]).toEqual([fullName, expect.stringMatching(/^[a-z].{5,}[^.]$/)])
        if (!/default/.test(text.replace("defaults", "").replace("default (all but person)", ""))) continue
        expect([fullName, text]).toEqual([
          fullName,
          expect.stringMatching(/\((?:saved; |no )?default\b[^:].*\)$|\(no default\)$/),
        ])
      }
      if (commands.some((other) => other.fullName.startsWith(`${fullName} `)) && !notes) continue
      expect([fullName, notes]).toEqual([fullName, expect.stringMatching(/Exit codes: 0 \w+, 1 /)])
    }
  })
})

test.each([
  [],
  ["anonymize"],
  ["plan"],
  ["explain"],
  ["study"],
  ["scrub"],
  ["stream"],
  ["taxonomy"],
  ["classify"],
  ["personal"],
  ["completion"],
])("queryveil %s alone prints its help and ends with 0", async (...words) => {
  const { code, stdout, stderr } = await runCli(words)
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^Usage: queryveil/), ""])
  expect(stdout).toContain("Commands:")
})
