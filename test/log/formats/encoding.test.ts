import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { isoTime, jsonLines, rowsOf } from "./rows.ts"

const { fresh, write } = scratchFolder()
const row = (query: string) => `7\t${query}\t2024-03-01 00:00:00\n`
const utf16 = (text: string) => Buffer.from(text, "utf16le")

/** Bytes from texts and from lists of bytes. */
const bytes = (...parts: (string | number[] | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))))

const encoded: [string, Buffer, string][] = [
  ["latin1", bytes("7\tcaf", [0xe9], "\t2024-03-01 00:00:00\n"), "café"],
  ["windows-1251", bytes("7\t", [0xea, 0xee, 0xf2], "\t2024-03-01 00:00:00\n"), "кот"],
  ["gb18030", bytes("7\t", [0xc4, 0xe3, 0xba, 0xc3], "\t2024-03-01 00:00:00\n"), "你好"],
  ["shift_jis", bytes("7\t", [0x94, 0x4c], "\t2024-03-01 00:00:00\n"), "猫"],
  ["euc-kr", bytes("7\t", [0xb0, 0xed], "\t2024-03-01 00:00:00\n"), "고"],
  ["utf-16le", utf16(`\ufeff${row("grün 猫")}`), "grün 猫"],
  ["utf-16le", utf16(row("ohne marke")), "ohne marke"],
  ["utf-16be", utf16(`\ufeff${row("big")}`).swap16(), "big"],
  ["utf-8", Buffer.from(`\ufeff${row("é")}`), "é"],
]

describe("--encoding", () => {
  test.each(encoded)("%s", async (encoding, content, query) => {
    const result = await read(write(content), { encoding })
    expect(rowsOf(result).map((one) => one.query)).toEqual([query])
    expect(result.intake).toMatchObject({ encoding, rejected: {} })
  })

  test("gives the same log as the same text in UTF-8, of any format", async () => {
    const search = { query_id: "a", client_id: "é", user_query: "Grün", timestamp: isoTime(0) }
    for (const text of [jsonLines([search]), JSON.stringify([search]), 'user,query,time\n1,"a\nü",2024-03-01\n']) {
      const wanted = rowsOf(await read(write(text)))
      expect(rowsOf(await read(write(Buffer.from(text, "latin1")), { encoding: "latin1" }))).toEqual(wanted)
      expect(rowsOf(await read(write(utf16(`\ufeff${text}`)), { encoding: "utf-16le" }))).toEqual(wanted)
    }
  })

  test("counts lines with bytes that are not text in it, and keeps no question marks for them", async () => {
    const broken = bytes(row("one"), "7\ta", [0x81, 0x20], "b\t2024-03-01 00:00:00\n", row("two"))
    const { log, intake } = await read(write(broken), { encoding: "gb18030" })
    expect([log.rows, intake.rejected, [...intake.rejects.line]]).toEqual([2, { encoding: 1 }, [2]])
    expect(intake.warnings[0]).toContain("--encoding")
  })

  test("of any bytes gives a log or a refusal", async () => {
    const names = ["latin1", "gb18030", "shift_jis", "utf-16le", "utf-8", "iso-2022-jp", "big5"]
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(...names), async (some, encoding) => {
        const outcome: unknown = await read(write(bytes([...some], "\n", row("x"))), { encoding }).catch(
          (e: unknown) => e,
        )
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: expect.stringMatching(/^input-/) })
      }),
      { numRuns: 150 },
    )
  })

  test.each(["utf-9", "", "latin", "../x"])("%j is refused with names that exist", async (encoding) => {
    const error = await refusal(read(write(row("x")), { encoding }))
    expect(error).toMatchObject({
      code: "option-value",
      message: expect.stringContaining("gb18030"),
      fields: { flag: "--encoding" },
    })
  })

  test("is hinted at when UTF-8 fails, whether some lines or all do", async () => {
    const latin = bytes("7\tcaf", [0xe9], "\t2024-03-01 00:00:00\n")
    const { intake } = await read(write(bytes(row("x"), latin)))
    expect(intake.warnings[0]).toContain("--encoding latin1")
    expect(await refusal(read(write(latin)))).toMatchObject({ message: expect.stringContaining("--encoding latin1") })
    const json = bytes('{"user":"a","query":"', [0xe9], '","time":"2024-03-01"}\n')
    expect(await refusal(read(write(json)))).toMatchObject({ message: expect.stringContaining("--encoding latin1") })
  })
})

test("the cache keeps readings of other units, encodings, paths and formats apart", async () => {
  const search = { query_id: "a", client_id: "c", session_id: "s", user_query: "\u00c3\u00a9", timestamp: isoTime(0) }
  const path = write(jsonLines([search]))
  const cache = fresh("cache")
  const users = async (options: object) => {
    const { log, intake } = await read(path, { ...options, cache })
    return [log.unit, log.users.text(0), log.queries.text(0), intake.cached]
  }
  const columns = "user=query_id,query=user_query,time=timestamp"
  const wanted: [object, unknown[]][] = [
    [{}, ["user", "c", "ã©"]],
    [{ unit: "session" }, ["session", "s", "ã©"]],
    [{ encoding: "latin1" }, ["user", "c", "ãƒâ©"]],
    [{ format: "jsonl", columns }, ["user", "a", "ã©"]],
    [{ format: "jsonl", columns: columns.replace("query_id", "session_id") }, ["user", "s", "ã©"]],
  ]
  for (const cached of [false, true]) {
    for (const [options, texts] of wanted) {
      expect(await users(options)).toEqual([...texts, cached])
    }
  }
  const slow = {
    "@timestamp": isoTime(0),
    "user.name": "u",
    "elasticsearch.slowlog.source": '{"a":{"match":{"t":"x"}},"b":"y"}',
  }
  const log = write(jsonLines([slow]))
  for (const [jsonPath, text] of [
    [undefined, "x"],
    ["b", "y"],
  ] as const) {
    const result = await read(log, { cache, ...(jsonPath && { jsonPath }) })
    expect([result.log.queries.text(0), result.intake.cached]).toEqual([text, false])
  }
})
