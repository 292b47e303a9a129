import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { makePipe } from "../support/named-pipe.ts"
import { publish } from "../support/publish.ts"
import { multiset, releasedRows } from "../support/released-rows.ts"
import { type CliOptions, runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const town = smallTown()
const log = write(aolText(town))
const columns = ["Query", "QueryTime", "ItemRank", "ClickURL"]

async function release(inputs: string[], options: CliOptions = {}) {
  const out = fresh()
  const result = await runCli(["anonymize", "equality", ...inputs, "-o", out, "-k", "3"], options)
  expectDiscreet(result)
  expect([result.code, result.stderr]).toEqual([0, ""])
  return multiset(await releasedRows(out), columns)
}

describe("the same log gives the same rows", () => {
  test("from a file, from the standard input, plain and gzip, and from a glob", async () => {
    const plain = fresh()
    await publish(log, plain)
    const expected = multiset(await releasedRows(plain), columns)
    expect(expected).toHaveLength(24)
    expect(await release(["-"], { stdin: aolText(town), spawned: true })).toEqual(expected)
    expect(await release(["-"], { stdin: gzipSync(aolText(town)), spawned: true })).toEqual(expected)
    const months = fresh()
    mkdirSync(months)
    writeFileSync(join(months, "a.txt"), aolText(town.slice(0, 20)))
    writeFileSync(join(months, "b.txt.gz"), gzipSync(aolText(town.slice(20))))
    writeFileSync(join(months, "c.md"), marker)
    expect(await release([join(months, "*.txt*")])).toEqual(expected)
  })

  test("from a folder of the caller, where -o and the log are relative", async () => {
    const place = fresh()
    mkdirSync(place)
    writeFileSync(join(place, "log.txt"), aolText(town))
    const result = await runCli(["anonymize", "equality", "log.txt", "-o", "deep/er/out", "-k", "3"], { cwd: place })
    expect([result.code, result.stderr]).toEqual([0, ""])
    expect(await releasedRows(join(place, "deep/er/out"))).toHaveLength(24)
    const check = await runCli(["verify", "deep/er/out/", "--against", "log.txt"], { cwd: place })
    expect(check.code).toBe(0)
  })
})

const badLines = [`${marker}`, `1\t${marker}\tyesterday`, `1\t\t2006-03-01 12:00:00`]
const [header, ...rows] = aolText(town).trimEnd().split("\n")
const mixed = [header, badLines[0], ...rows, badLines[1], badLines[2]].join("\n")

describe("--rejects", () => {
  test("writes file, line and reason of every line that is not a row, for its owner only", async () => {
    const [path, rejects, out] = [write(mixed), fresh(), fresh()]
    const result = await runCli(["anonymize", "equality", path, "-o", out, "-k", "3", "--rejects", rejects])
    expectDiscreet(result)
    expect([result.code, result.stderr]).toEqual([0, expect.stringMatching(/^warning: 3 lines/)])
    expect(readFileSync(rejects, "utf8").split("\n")).toEqual([
      "file\tline\treason",
      `${path}\t2\tcolumns`,
      `${path}\t${rows.length + 3}\ttime`,
      `${path}\t${rows.length + 4}\tquery`,
      "",
    ])
    expect(statSync(rejects).mode & 0o777).toBe(0o600)
  })

  test("counts the lines of each file from one", async () => {
    const [first, second, rejects] = [write(mixed), write(`${mixed}\n${marker}\n`), fresh()]
    await runCli(["anonymize", "equality", first, second, "-o", fresh(), "-k", "3", "--rejects", rejects])
    const lines = readFileSync(rejects, "utf8").trimEnd().split("\n").slice(1)
    expect(lines.filter((line) => line.startsWith(first))).toHaveLength(3)
    expect(lines.at(3)).toBe(`${second}\t2\tcolumns`)
    expect(lines.at(-1)).toBe(`${second}\t${rows.length + 5}\tcolumns`)
  })

  test("replaces an older file of the same name, but never a pipe or a device", async () => {
    const older = write("older")
    await runCli(["anonymize", "equality", log, "-o", fresh(), "-k", "3", "--rejects", older])
    expect(readFileSync(older, "utf8")).toBe("file\tline\treason\n")
    const pipe = makePipe(fresh())
    const end = await open(pipe, "r+") // opens at once, and keeps what is written until it is read
    try {
      await runCli(["anonymize", "equality", log, "-o", fresh(), "-k", "3", "--rejects", pipe])
      expect(statSync(pipe).isFIFO()).toBe(true)
      const { buffer, bytesRead } = await end.read()
      expect(buffer.toString("utf8", 0, bytesRead)).toBe("file\tline\treason\n")
    } finally {
      await end.close()
    }
  })
})

describe("--strict", () => {
  test("stops at the first line that is not a row and names it", async () => {
    const path = write(mixed)
    const out = fresh()
    const result = await runCli(["anonymize", "equality", path, "-o", out, "-k", "3", "--strict"])
    expectRefused(result, { code: 1, message: /file-\d+\.txt, line 2: too few or too many columns\. Correct the line/ })
  })

  test("accepts a log without such lines", async () => {
    const { code } = await runCli(["anonymize", "equality", log, "-o", fresh(), "-k", "3", "--strict"])
    expect(code).toBe(0)
  })
})
