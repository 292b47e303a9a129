import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { fitTruth } from "#dist/release/fit-truth.js"
import { readTruth } from "#dist/release/truth.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

/**
 * More than one shard of rows. Logs of different seeds differ in every line, but have the same number of rows and
 * lines.
 */
async function synthesise(name: string, seed: number) {
  const [file, truth] = [at(`${name}.tsv`), at(name)]
  await writeSynth(file, { rows: 20_000, users: 500, seed, secrets: 0.002, truth }, context)
  return { file, truth, text: readFileSync(file, "utf8") }
}

const first = await synthesise("first", 1)
const second = await synthesise("second", 2)
const town = write(aolText(smallTown()))

/** Compares a truth with a log. */
async function hold(folder: string, files: string | string[]) {
  return fitTruth(await readTruth(folder), await readLog(files, {}, context))
}

const { secrets } = await readTruth(first.truth)
/** Lines of a text, without the empty one after its end. */
const linesOf = (text: string) => text.trimEnd().split("\n")
const textOf = (lines: readonly string[]) => `${lines.join("\n")}\n`

describe("the truth that synth wrote", () => {
  test("fits its log, also compressed, with other line ends, or with lines added", async () => {
    const lines = linesOf(first.text)
    const copies = [
      first.text,
      gzipSync(first.text),
      `\ufeff${first.text}`,
      first.text.replaceAll("\n", "\r\n"),
      first.text.toUpperCase(),
      `${first.text}900\tanother search\t2006-05-01 10:00:00\t\t\n`,
      textOf(lines.map((line) => line.replaceAll("\t", ","))),
    ]
    for (const copy of copies)
      expect(await hold(first.truth, write(copy))).toEqual({ truth: { secrets }, warnings: [] })
    expect(secrets.length).toBeGreaterThan(5)
  })

  test("is that of one file among several: its lines come after those before it", async () => {
    const before = linesOf(readFileSync(town, "utf8")).length
    const { truth } = await hold(first.truth, [town, first.file, second.file])
    expect(truth.secrets).toEqual(secrets.map(({ line, kind }) => ({ line: line + before, kind })))
    expect((await hold(first.truth, [first.file, town])).truth.secrets).toEqual(secrets)
  })

  test("fits a log that was edited here and there, with a warning", async () => {
    const lines = linesOf(first.text)
    lines[1] = "1\tsomething else\t2006-03-01 10:00:00\t\t"
    const { truth, warnings } = await hold(first.truth, write(textOf(lines)))
    expect(truth.secrets).toEqual(secrets)
    expect(warnings).toEqual([expect.stringMatching(/the log was changed since: 1 of \d+ lines/)])
  })

  test("is refused for a log of another seed, though it has as many lines", async () => {
    expect(linesOf(first.text).length).toBe(linesOf(second.text).length)
    await expect(hold(first.truth, second.file)).rejects.toMatchObject({
      code: "truth-foreign",
      fields: { file: first.truth },
    })
    await expect(hold(first.truth, town)).rejects.toMatchObject({ code: "truth-foreign" })
  })

  test("is refused for its own log without header, sorted, with lines removed, or cut before a secret", async () => {
    const [header = "", ...rows] = linesOf(first.text)
    const cuts = [rows, [header, ...[...rows].sort()], [header, ...rows.slice(0, 5000), ...rows.slice(5001)]]
    for (const lines of cuts)
      await expect(hold(first.truth, write(textOf(lines)))).rejects.toMatchObject({ code: "truth-foreign" })
    const last = secrets.at(-1)?.line ?? 0
    await expect(hold(first.truth, write(textOf([header, ...rows].slice(0, last - 1))))).rejects.toMatchObject({
      code: "truth-foreign",
      message: expect.stringContaining(`line ${last} has a secret, but this log has ${last - 1} lines`),
    })
  })
})

describe("a truth by hand", () => {
  const byHand = (text: string) => {
    const folder = fresh("truth")
    mkdirSync(folder)
    writeFileSync(join(folder, "secrets.tsv"), `row\tkind\n${text}`)
    return folder
  }

  test("fits any log that has its lines", async () => {
    expect(await hold(byHand("2\tcommon\n"), town)).toEqual({
      truth: { secrets: [{ line: 2, kind: "common" }] },
      warnings: [],
    })
    expect((await hold(byHand(""), town)).truth.secrets).toEqual([])
  })

  test("is refused for a line that the log does not have", async () => {
    const { intake } = await readLog(town, {}, context)
    const last = intake.lines
    expect((await hold(byHand(`${last}\trare\n`), town)).truth.secrets).toHaveLength(1)
    await expect(hold(byHand(`${last + 1}\trare\n`), town)).rejects.toMatchObject({ code: "truth-foreign" })
  })

  test("with malformed digests is refused as broken", async () => {
    const folder = byHand("2\tcommon\n")
    writeFileSync(join(folder, "digests.tsv"), "row\tdigest\nx\n")
    await expect(readTruth(folder)).rejects.toMatchObject({ code: "truth-broken", fields: { line: 2 } })
  })
})

describe("the truth of another log", () => {
  test("is refused by every command that takes one, and the right one is accepted", async () => {
    const release = fresh()
    await publish(first.file, release, { k: 3 })
    const commands = (truth: string) => [
      ["attack", release, "--against", first.file, "--truth", truth, "--only", "secrets"],
      ["measure", release, "--against", first.file, "--truth", truth, "--only", "f-beta"],
      ["report", release, "--against", first.file, "--truth", truth],
      ["study", "equality", first.file, "-o", fresh(), "-k", "2", "--truth", truth],
    ]
    for (const args of commands(second.truth))
      expectRefused(await runCli(args), { code: 1, message: /is about another log.*Give the folder/ })
    for (const args of commands(first.truth)) expect(await runCli(args)).toMatchObject({ code: 0, stderr: "" })
  })
})
