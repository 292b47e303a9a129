import { Buffer } from "node:buffer"
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import { basename } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { releasedRows } from "../support/released-rows.ts"
import { type CliOptions, runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { folder: scratch, fresh, write } = scratchFolder()
const town = aolText(smallTown())

/** Runs `anonymize` on a file that must be refused, and expects that nothing is left behind. */
async function expectNoRelease(log: string[], wanted: { code: number; message: RegExp }, options: CliOptions = {}) {
  const out = fresh("refused")
  expectRefused(await runCli(["anonymize", "equality", ...log, "-o", out, "-k", "3"], options), wanted)
  expect(readdirSync(scratch).filter((name) => name.startsWith(basename(out)))).toEqual([])
}

/** Runs `anonymize` on a file with lines that are not rows. It must go on without them and say so. */
async function expectRelease(log: string, wanted: { warning: RegExp; rows: number }) {
  const out = fresh("released")
  const result = await runCli(["anonymize", "equality", log, "-o", out, "-k", "3"])
  expectDiscreet(result)
  expect([result.code, result.stderr]).toEqual([wanted.rows === 0 ? 4 : 0, expect.stringMatching(wanted.warning)])
  expect(await releasedRows(out)).toHaveLength(wanted.rows)
}
const townRows = 24

describe("a log that cannot be read at all is refused", () => {
  const gzipped = gzipSync(town)
  const damaged = Buffer.from(gzipped)
  damaged.fill(0x55, 60, 90)

  test.each<[string, string | Uint8Array, RegExp]>([
    ["an empty file", "", /file-\d+\.txt: is empty\. Check that the right file was given/],
    ["a header only", `${town.split("\n")[0]}\n`, /has no searches\. Check/],
    ["another format", `${marker};${marker};2006\n`.repeat(3), /cannot be determined.*masked.*\n.*--columns user=/],
    ["a gzip file cut short", gzipped.subarray(0, 100), /the gzip data ends too early .*Copy or download .* gzip -t/],
    ["a damaged gzip file", damaged, /the gzip data is damaged .*Copy or download .* gzip -t/],
    ["UTF-16", Buffer.from(`\ufeff${town}`, "utf16le"), /is not UTF-8 text .*--encoding utf-16le/],
  ])("%s", async (_name, content, message) => {
    await expectNoRelease([write(content)], { code: 1, message })
  })

  test("a directory", async () => {
    const directory = fresh()
    mkdirSync(directory)
    await expectNoRelease([directory], {
      code: 1,
      message: /is a directory\. Name the files in it, for example ".*\*\.txt"/,
    })
  })

  test("a path that does not exist", async () => {
    await expectNoRelease([fresh()], { code: 1, message: /new-\d+: there is no such file\. Check the path/ })
  })

  // Root may read everything, so the command is then run as nobody.
  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot && !existsSync("/usr/bin/setpriv"))("a file without permission to read it", async () => {
    const asNobody = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"'
    const path = write(town)
    chmodSync(path, 0o000)
    chmodSync(scratch, 0o777)
    await expectNoRelease(
      [path],
      { code: 1, message: /cannot be read: you have no permission/ },
      isRoot ? { shell: asNobody } : {},
    )
  })

  test("the standard input named twice", async () => {
    await expectNoRelease(["-", "-"], { code: 2, message: /can be read only once/ })
  })
})

describe("lines that are not rows are left out and counted, never shown", () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ["ragged rows", `${marker}\n${marker}\t${marker}\n${"\t".repeat(9)}\n`, /3 lines .* 3 too few or too many columns/],
    ["a line of 10 MB", `1\t${marker}${"x".repeat(10_000_000)}\t2006-03-01 12:00:00\n`, /1 line longer than 1 MiB/],
    ["NUL bytes", `1\t${marker}\0\t2006-03-01 12:00:00\n`, /1 NUL byte/],
    [
      "text that is not UTF-8",
      Buffer.from(`1\t${marker} \xff\t2006-03-01 12:00:00\n`, "latin1"),
      /1 bytes that are not text in this encoding\. .* --encoding latin1/,
    ],
  ])("%s", async (_name, bad, warning) => {
    await expectRelease(write(Buffer.concat([Buffer.from(town), Buffer.from(bad)])), { warning, rows: townRows })
  })
})

describe("a log with too few people", () => {
  test("of one user gives an empty release and a warning", async () => {
    const one = smallTown().map((search) => ({ ...search, user: marker }))
    await expectRelease(write(aolText(one)), {
      warning: /^warning: All \d+ searches have the same user.*\nwarning: Nothing.* k = 3.*1 user,.*smaller k/,
      rows: 0,
    })
  })

  test("for its k gives an empty release and a warning", async () => {
    const out = fresh("released")
    const result = await runCli(["anonymize", "equality", write(town), "-o", out, "-k", "9"])
    expectDiscreet(result)
    expect([result.code, result.stderr]).toEqual([4, expect.stringMatching(/^warning: Nothing .* k = 9.* 8 users/)])
    expect(await releasedRows(out)).toEqual([])
  })
})

describe("the text of an error", () => {
  test("contains no control characters", async () => {
    const { code, stderr } = await runCli(["verify", "no\u001b[2Jrelease\u0007\r\u009b\u202e"])
    expect(code).toBe(1)
    expect(stderr).toContain("no\\x1b[2Jrelease\\x07\\x0d\\x9b\\u202e: is not a release")
  })
})
