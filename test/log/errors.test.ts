import { Buffer } from "node:buffer"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { read, refusal } from "./read.ts"

const { folder, write } = scratchFolder()

/** Text of the log that no message may ever show. It is in users, queries, times, ranks and urls. */
const marker = "zebramarker"
const row = `${marker}\t${marker} query\t2006-03-01 08:20:12\t1\thttp://${marker}\n`
const header = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"

mkdirSync(join(folder, "directory"))
const packed = gzipSync(row.repeat(1000))
const utf16 = (mark: string) => Buffer.from(mark + row.repeat(20), "utf16le")

const refused: [string, () => string, string, RegExp][] = [
  ["an empty file", () => write(""), "input-empty", /is empty\. Check that the right file was given/],
  ["an empty gzip file", () => write(gzipSync("")), "input-empty", /is empty\. Check/],
  ["a header and no rows", () => write(header), "input-empty", /has no searches\. Check/],
  ["blank lines", () => write("\n\r\n   \n"), "input-empty", /has no searches\. Check/],
  ["a byte-order mark", () => write("\ufeff"), "input-empty", /is empty\. Check/],
  [
    "a directory",
    () => join(folder, "directory"),
    "input-directory",
    /is a directory\. Name the files in it, .*\*\.txt/,
  ],
  ["a path that is not there", () => join(folder, "nowhere.txt"), "input-missing", /no such file\. Check the path/],
  ["a path below a file", () => `${write(row)}/a.txt`, "input-missing", /no such file\. Check the path/],
  ["a glob that matches nothing", () => join(folder, "*.nothing"), "input-missing", /Check the path or the pattern/],
  [
    "a scheme that no log is read from",
    () => "ftp://host/log.tsv",
    "usage",
    /cannot be read from ftp: \(known: file:, opensearch:, elasticsearch:\)/,
  ],
  ["a file on another machine", () => "file://host/log.tsv", "usage", /names no file on this machine/],
  ["no path", () => "", "input-missing", /Check the path/],
  ["UTF-16 with a mark", () => write(utf16("\ufeff")), "input-encoding", /UTF-16.*--encoding utf-16le/],
  ["UTF-16 without a mark", () => write(utf16("")), "input-encoding", /UTF-16.*--encoding utf-16le/],
  ["big-endian UTF-16", () => write(utf16("\ufeff").swap16()), "input-encoding", /UTF-16.*--encoding/],
  ["UTF-16 in gzip", () => write(gzipSync(utf16("\ufeff"))), "input-encoding", /UTF-16.*--encoding/],
  ["a zip archive", () => write(Buffer.from(`PK\x03\x04${row}`)), "input-encoding", /zip archive\. Unpack it/],
  ["zstd", () => write(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0])), "input-encoding", /zstd\. Unpack it/],
  ["bzip2", () => write(Buffer.from("BZh91AY&SY\x01\x02", "latin1")), "input-encoding", /bzip2\. Unpack it/],
  ["xz", () => write(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])), "input-encoding", /xz\. Unpack it/],
  [
    "a gzip file cut short",
    () => write(packed.subarray(0, -20)),
    "input-gzip",
    /ends too early.*again; gzip -t tests it/,
  ],
  ["the first bytes of a gzip file", () => write(packed.subarray(0, 5)), "input-gzip", /ends too early.*again/],
  ["a damaged gzip file", () => write(damaged()), "input-gzip", /is damaged.*again; gzip -t tests it/],
  ["a gzip file with a wrong checksum", () => write(wrongChecksum()), "input-gzip", /is damaged.*again/],
  [
    "a log of other columns",
    () => write(`${marker},${marker}\n`.repeat(9)),
    "input-columns",
    /cannot be determined.* 1 \(aaaa\), 2 \(aaaa\).\nName them: --columns user=COLUMN/,
  ],
  ["a log of bad times", () => write(`1\t${marker}\t${marker}\n`), "input-columns", /1 \(9\), 2 \(aaaa\), 3 \(aaaa\)/],
  ["a log of bad ranks", () => write(row.replace("\t1\t", `\t${marker}\t`)), "input-rows", /1 unreadable rank\. Check/],
  ["a log without users", () => write(row.replace(marker, "")), "input-rows", /1 no user\. Check that/],
]

function damaged(): Buffer {
  const bytes = Buffer.from(packed)
  bytes.fill(0xff, 20, 60)
  return bytes
}

function wrongChecksum(): Buffer {
  const bytes = Buffer.from(packed)
  bytes[bytes.length - 8] ^= 1
  return bytes
}

describe("what cannot be read", () => {
  test.each(refused)("is refused with a code and what to do: %s", async (_name, prepare, code, says) => {
    const path = prepare()
    const error = await refusal(read(path))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(says), fields: { file: path } })
  })

  test.each(refused)("is named, and none of its text is shown: %s", async (_name, prepare) => {
    const path = prepare()
    for (const strict of [false, true]) {
      const error = await refusal(read(path, { strict }))
      expect(error).toBeInstanceOf(QueryveilError)
      if (!(error instanceof QueryveilError)) continue
      expect(error.message.startsWith(path)).toBe(true)
      expect(`${error.message} ${JSON.stringify(error.fields)} ${error.stack}`).not.toContain(marker)
    }
  })

  test("is refused also after a good file", async () => {
    for (const [, prepare, code] of refused.filter(([, , one]) => !["input-empty", "input-rows"].includes(one))) {
      expect(await refusal(read([write(row), prepare()]))).toMatchObject({ code })
    }
  })

  test("is refused when no file is named at all", async () => {
    expect(await refusal(read([]))).toBeInstanceOf(QueryveilError)
  })

  test("is refused when the standard input is named twice", async () => {
    expect(await refusal(read(["-", "-"]))).toMatchObject({ code: "usage" })
  })
})

describe("a strict reading", () => {
  const bad: [string, string][] = [
    ["too few or too many columns", `${marker}\n`],
    ["no user", `\t${marker}\t2006-03-01 08:20:12\n`],
    ["empty query", `${marker}\t\t2006-03-01 08:20:12\n`],
    ["unreadable time", `1\t${marker}\t${marker}\n`],
    ["unreadable rank", `1\t${marker}\t2006-03-01 08:20:12\t${marker}\t${marker}\n`],
    ["NUL byte", `1\t${marker}\0\t2006-03-01 08:20:12\n`],
    ["line longer than 1 MiB", `1\t${marker.repeat(100_000)}\t2006-03-01 08:20:12\n`],
  ]

  test.each(bad)("stops at the line with its file and number, and without its text: %s", async (meaning, line) => {
    const path = write(header + row + line + row)
    const error = await refusal(read(path, { strict: true }))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "input-rows", fields: { file: path, line: 3 } })
    if (!(error instanceof QueryveilError)) return
    expect(error.message.startsWith(`${path}, line 3: ${meaning}`)).toBe(true)
    expect(error.message).toContain("Correct the line, or leave out --strict")
    expect(`${error.message} ${error.stack}`).not.toContain(marker)
  })

  test("stops at a line that is not UTF-8, without its text", async () => {
    const path = write(Buffer.from(`${row}1\t${marker} \xe9\t2006-03-01 08:20:12\n`, "latin1"))
    const error = await refusal(read(path, { strict: true }))
    expect(error).toMatchObject({ code: "input-rows", fields: { file: path, line: 2 } })
    expect(String(error)).not.toContain(marker)
  })

  test("counts lines within the file of the bad line, also after other files and an empty one", async () => {
    const good = write(header + row)
    const path = write(`${header}${row}\n${marker}`)
    for (const files of [
      [good, path, good],
      [good, write(""), path],
      [path, good],
    ]) {
      const error = await refusal(read(files, { strict: true }))
      expect(error).toMatchObject({ code: "input-rows", fields: { file: path, line: 4 } })
    }
  })

  test("of a flawless log succeeds", async () => {
    const { log } = await read(write(header + row), { strict: true })
    expect(log.rows).toBe(1)
  })
})

test("an interrupted reading is refused as interrupted, before it starts too", async () => {
  const error = await refusal(read(write(row), {}, { signal: AbortSignal.abort() }))
  expect(error).toBeInstanceOf(QueryveilError)
  expect(error).toMatchObject({ code: "interrupted" })
})
