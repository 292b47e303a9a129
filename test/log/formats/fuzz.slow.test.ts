import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import type { ReadResult } from "#dist/log/parse-sources.js"
import type { ReadOptions } from "#dist/log/read-log.js"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read } from "../read.ts"
import { writeParquet } from "./parquet-files.ts"
import { expectSound, isoTime, jsonLines, start } from "./rows.ts"

const { at, write } = scratchFolder()

/** Text of the log that no message may ever show. */
const marker = "zebramarker"

const valid: Record<string, string> = {
  delimited: [
    "user,query,time,rank,url\n",
    `1,"${marker} ""b""",1141214400,1,http://${marker}\n`,
    `2,${marker},2006-03-01T00:00:00Z,,\n`,
  ].join(""),
  jsonl: jsonLines([
    { user: `${marker} 1`, query: `${marker} a`, time: isoTime(0), rank: 3, url: `http://${marker}` },
    { user: 2, query: "\u00e9\t\n", time: start * 1000, nested: { a: [1, null, { b: marker }] } },
  ]),
  ubi: jsonLines([
    { index: { _index: "ubi_queries" } },
    { query_id: marker, client_id: marker, user_query: `${marker} a`, timestamp: isoTime(0) },
    {
      query_id: marker,
      action_name: "item_click",
      session_id: marker,
      timestamp: isoTime(3),
      event_attributes: { object: { object_id: marker }, position: { ordinal: 2 } },
    },
  ]),
  slowlog: jsonLines([
    {
      "@timestamp": isoTime(0),
      "log.logger": "index.search.slowlog.query",
      "elasticsearch.slowlog.took_millis": 20,
      "elasticsearch.slowlog.source": JSON.stringify({ query: { match: { title: { query: marker } } } }),
      "user.name": marker,
    },
  ]),
  solr:
    "2024-03-01 00:00:00.1 INFO (q) [ x:a] o.a.s.c.S.Request [a] webapp=/solr path=/select " +
    `params={q=${marker}+%C3%A9&uid=${marker}} hits=1\n`,
  matomo: JSON.stringify([
    { visitorId: marker, actionDetails: [{ type: "search", siteSearchKeyword: marker, timestamp: start }] },
    {
      userId: marker,
      actionDetails: [{ type: "action" }, { type: "search", siteSearchKeyword: "x" }],
      serverTimestamp: start,
    },
  ]),
  ga4: jsonLines([
    {
      event_timestamp: `${start * 1e6}`,
      event_name: "search",
      event_params: [{ key: "search_term", value: { string_value: marker } }],
      user_pseudo_id: marker,
    },
  ]),
}

/** Expects a consistent log, or a refusal that is not our fault. Neither may show the content of the log. */
async function expectLogOrRefusal(content: string | Uint8Array, options: Partial<ReadOptions>): Promise<void> {
  const outcome = await read(write(content, "fuzz"), options).catch((error: unknown) => error)
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(QueryveilError)
    if (!(outcome instanceof QueryveilError)) return
    expect(outcome.code).not.toBe("internal")
    expect(
      `${outcome.message} ${JSON.stringify(outcome.fields)} ${outcome.stack} ${String(outcome.cause)}`,
    ).not.toContain(marker)
    return
  }
  if (!isReading(outcome)) throw outcome
  const { log, intake } = outcome
  expectSound(log)
  expect(Math.max(0, ...log.line, ...intake.rejects.line)).toBeLessThanOrEqual(intake.lines)
  const { files: _files, ...said } = intake
  expect(JSON.stringify(said)).not.toContain(marker)
}

const isReading = (value: unknown): value is ReadResult => typeof value === "object" && value !== null && "log" in value

/** The format given, and guessed; both units; strict or not. */
const waysOf = (format: string): Partial<ReadOptions>[] => [
  { format: format as "jsonl" },
  { unit: "session" },
  { format: format as "jsonl", unit: "session", strict: true },
]

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat({ max: 20 }),
    add: fc.oneof(
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        ...[
          "[",
          "]",
          "{",
          "}",
          '"',
          "\\",
          ",",
          ":",
          "\n",
          "\r\n",
          "\0",
          "null",
          "1e999",
          "-1",
          '"__proto__":{},',
          "\\ud800",
          "\\u0000",
          "%",
          "\ufeff",
        ].map((text) => Buffer.from(text)),
      ),
    ),
  }),
  { minLength: 1, maxLength: 5 },
)

function edit(content: Buffer, changes: readonly { at: number; drop: number; add: Buffer }[]): Buffer {
  return changes.reduce((bytes, change) => {
    const from = Math.floor(change.at * bytes.length)
    return Buffer.concat([bytes.subarray(0, from), change.add, bytes.subarray(from + change.drop)])
  }, content)
}

describe.each(Object.keys(valid))(
  "whatever the bytes of a file, read as %s or guessed, it is a log or it is refused",
  (format) => {
    const text = valid[format] ?? ""

    test("a valid file is a log", async () => {
      const { intake } = await read(write(text))
      expect(intake.format).toBe(format)
    })

    test("a valid file with bytes inserted, removed and overwritten, compressed or not", async () => {
      await fc.assert(
        fc.asyncProperty(edits, fc.nat({ max: 2 }), fc.boolean(), async (changes, way, packed) => {
          const changed = edit(Buffer.from(text), changes)
          await expectLogOrRefusal(packed ? gzipSync(changed) : changed, waysOf(format)[way] ?? {})
        }),
        { numRuns: 40 },
      )
    })

    test("any bytes, and the bytes that such files are made of", async () => {
      const piece = fc.oneof(
        fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
        fc.nat({ max: text.length }).map((from) => Buffer.from(text.slice(from, from + 30))),
        fc.constantFrom("\n", "{", "[", '"', ",", "}").map((one) => Buffer.from(one)),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat({ max: 2 }), async (pieces, way) => {
          await expectLogOrRefusal(Buffer.concat(pieces), waysOf(format)[way] ?? {})
        }),
        { numRuns: 20 },
      )
    })

    test("JSON of any kind in the members that are read", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 5 }),
          fc.nat(),
          async (values, dice) => {
            let at = 0
            const odd = text.replace(/:("(?:[^"\\]|\\.)*"|-?\d+|null)/g, (whole) =>
              (dice >> (at++ % 20)) % 2 === 0 ? whole : `:${JSON.stringify(values[at % values.length])}`,
            )
            for (const way of waysOf(format)) await expectLogOrRefusal(odd, way)
          },
        ),
        { numRuns: 8 },
      )
    })

    const big = "9".repeat(400)
    test.each<[string, string]>([
      ["a line of open brackets", `${"[".repeat(500_000)}\n`],
      ["a line of open objects", `${'{"a":'.repeat(150_000)}\n`],
      ["an object nested deep", `${'{"_source":'.repeat(80_000)}{}${"}".repeat(80_000)}\n`],
      ["an array nested deep", `{"query":${"[".repeat(400_000)}${"]".repeat(400_000)}}\n`],
      [
        "a deep source",
        jsonLines([{ "elasticsearch.slowlog.source": `${'{"bool":'.repeat(60_000)}1${"}".repeat(60_000)}` }]),
      ],
      ["huge numbers", `{"user":${big},"query":1e400,"time":-${big},"query_id":${big},"user_query":1e308}\n`],
      ["lone surrogates", '{"user":"\\ud800","query":"\\udfff","time":"\\ud83d","user_query":"\\ud800"}\n'],
      ["NUL", '{"user":"\\u0000","query":"a\\u0000b","time":"2024-03-01"}\n{"user":"\0"}\n'],
      ["__proto__", '{"__proto__":{"user":"x","actionDetails":[]},"constructor":{"prototype":1}}\n{"toString":1}\n'],
      ["duplicate keys", '{"user":"a","user":"b","query":"c","query":null,"time":"2024-03-01","time":5}\n'],
      ["null lines", 'null\ntrue\n1\n"x"\n[]\n{}\n'],
      ["an element of 2 MiB", `[{"query":"${marker.repeat(200_000)}"}]`],
      ["a last line cut off", '{"query_id":"a","client_id":"b","user_qu'],
      ["path= and nothing else", "path=".repeat(13_000)],
      ["a line of quotes", `${'"'.repeat(300_001)}\n`],
      ["a line of commas", `${",".repeat(900_000)}\n`],
      ["a line of backslashes", `["${"\\".repeat(300_001)}"]\n`],
    ])("%s, in front of and behind a valid file", async (_name, attack) => {
      await expectLogOrRefusal(attack + text, { format: format as "jsonl" })
      await expectLogOrRefusal(text + attack, {})
    })
  },
)

test("whatever the bytes of a Parquet file, it is a log or it is refused", async () => {
  const { readFileSync } = await import("node:fs")
  const path = await writeParquet(
    at("valid.parquet"),
    `SELECT '${marker}' AS uid, '${marker} x' AS q, 1709251200 AS time`,
  )
  const bytes = readFileSync(path)
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      await expectLogOrRefusal(edit(bytes, changes), {})
      await expectLogOrRefusal(Buffer.concat([Buffer.from("PAR1"), edit(bytes, changes).subarray(4)]), {})
    }),
    { numRuns: 20 },
  )
})
