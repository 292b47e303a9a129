import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { buildProgram } from "#dist/cli/build-program.js"
import { colourStates, wantsColour } from "#dist/cli/colour.js"
import { type CommandNode, readCommandTree } from "#dist/cli/command-tree.js"
import { outputWidth, textTable, wrapProse } from "#dist/cli/print.js"
import { tableOf } from "#dist/kernels/table.js"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const log = at("a-log-with-a-name-that-is-longer-than-half-of-the-line-has-room-for.tsv")
const release = at("release")

const all = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(all)]
const commands = all(readCommandTree(await buildProgram()))

/** Lines that are too wide, except for commands to copy and for words that cannot be broken. */
const tooWide = (text: string) =>
  text.split("\n").filter((line) => line.length > 80 && !/queryveil \w/.test(line) && !/\S{41,}/.test(line))

/** Pretends that stdout is a terminal of 80 columns. */
const before = ["isTTY", "columns"].map((key) => [key, Object.getOwnPropertyDescriptor(process.stdout, key)] as const)
beforeAll(async () => {
  vi.stubEnv("NO_COLOR", "1")
  await synthLog(log, { rows: 8000, users: 200 })
  Object.defineProperties(process.stdout, {
    isTTY: { configurable: true, value: true },
    columns: { configurable: true, value: 80 },
  })
})
afterAll(() => {
  vi.unstubAllEnvs()
  for (const [key, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(process.stdout, key)
    else Object.defineProperty(process.stdout, key, descriptor)
  }
})

describe("what is printed fits 80 columns", () => {
  test.each<[string, string[]]>([
    ["inspect", ["inspect", log]],
    ["anonymize", ["anonymize", "equality", log, "-k", "3", "-o", release, "--audit", `${release}.audit`]],
    ["anonymize counts", ["anonymize", "counts", log, "--epsilon", "8", "--delta", "1e-6", "-o", `${release}.counts`]],
    ["plan", ["plan", "counts", log, "--epsilon", "4", "--delta", "1e-6"]],
    ["verify", ["verify", release, "--against", log, "--audit", `${release}.audit`]],
    ["verify of counts", ["verify", `${release}.counts`, "--against", log]],
    ["attack", ["attack", release, "--against", log, "--audit", `${release}.audit`, "--only", "profile,known-query"]],
    ["measure", ["measure", release, "--against", log, "--audit", `${release}.audit`]],
    ["classify", ["classify", log]],
    ["taxonomy stats", ["taxonomy", "stats"]],
    ["taxonomy show", ["taxonomy", "show", "animal", "--depth", "3"]],
    ["personal map", ["personal", "map", "party"]],
    ["labels", ["labels", log, "-o", at("labels.tsv")]],
    ["study", ["study", "equality", log, "-k", "5", "-o", at("study")]],
    ["synth", ["synth", "-o", at("made.tsv"), "--rows", "100", "--users", "5"]],
  ])("by %s", async (_name, args) => {
    const { code, stdout } = await runCli(args)
    expect([0, 3, 4]).toContain(code)
    expect(stdout).not.toBe("")
    expect(tooWide(stdout)).toEqual([])
  })

  test.each(commands.map(({ fullName }) => [fullName]))("by the help of %s", async (fullName) => {
    const { code, stdout } = await runCli([...fullName.split(" ").slice(1), "--help"])
    expect([code, tooWide(stdout)]).toEqual([0, []])
    expect(stdout).toMatch(/Exit codes: 0 |Commands:/)
  })
})

describe("tables", () => {
  const sentence = "every released query text was issued by at least ten different users of the log"
  const rows = [
    ["passed", sentence, 12_345],
    ["failed", sentence, ""],
  ]
  const table = tableOf(["state", "promise", "found"], rows)

  test("wrap long texts, keep all words, and align numbers to the right", () => {
    const lines = textTable(table, 60).split("\n")
    expect(lines.filter((line) => line.length > 60)).toEqual([])
    expect(
      lines
        .join(" ")
        .match(/\w+/g)
        ?.filter((word) => word === "different"),
    ).toHaveLength(2)
    expect(lines[1]).toMatch(/^passed {2}every .* {2}12,345$/)
  })

  test("are as wide as the terminal where it is wider than 80 columns, and 80 in a pipe", () => {
    expect([outputWidth({ isTTY: true, columns: 120 }), outputWidth({ isTTY: true, columns: 40 })]).toEqual([120, 80])
    expect(outputWidth({ columns: 120 })).toBe(80)
    expect(textTable(table, 120).split("\n")).toHaveLength(3)
  })

  test("leave a word that is too long whole", () => {
    const path = "x".repeat(100)
    expect(textTable(tableOf(["path", "note"], [[path, sentence]]), 80)).toContain(path)
  })
})

test("sentences are wrapped at words under their indent; a command stays in one line", () => {
  const text = `  - ${"word ".repeat(30).trim()}\nqueryveil verify ${"x ".repeat(60).trim()}`
  const lines = wrapProse(text, 80).split("\n")
  expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^ {2}- word/), expect.stringMatching(/^ {4}word/)])
  expect(lines.at(-1)).toBe(text.split("\n")[1])
})

describe("colours", () => {
  test.each<[string, boolean, NodeJS.ProcessEnv, boolean]>([
    ["a terminal", true, {}, true],
    ["a pipe", false, {}, false],
    ["NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, true],
    ["TERM=dumb", true, { TERM: "dumb" }, false],
    ["FORCE_COLOR in a pipe", false, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
    ["FORCE_COLOR before NO_COLOR", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ])("%s", (_name, isTTY, env, expected) => {
    expect(wantsColour({ isTTY }, env)).toBe(expected)
  })

  test("are of states at the start of a line only, each with its own", () => {
    const text = "passed       a\nfailed: b\nnot checked  c\nnot promised\nthe check passed  d\npassedly  e"
    expect(colourStates(text)).toBe(
      [
        "\x1b[32mpassed\x1b[39m       a",
        "\x1b[31mfailed\x1b[39m: b",
        "\x1b[33mnot checked\x1b[39m  c",
        "\x1b[33mnot promised\x1b[39m",
        "the check passed  d",
        "passedly  e",
      ].join("\n"),
    )
  })

  test("never come from a file's name", async () => {
    const named = at("\x1b[32mgreen.tsv")
    const { stdout } = await runCli(["synth", "-o", named, "--rows", "100", "--users", "5"])
    expect(stdout).toContain("\\x1b[32mgreen.tsv")
  })
})
