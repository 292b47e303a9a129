import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { runCli } from "../../support/run-cli.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { writeParquet } from "./parquet-files.ts"
import { isoTime, jsonLines, start } from "./rows.ts"

const { at, fresh, write } = scratchFolder()
const search = { query_id: "a", client_id: "c", user_query: "lamp", timestamp: isoTime(0) }
const slow = (more: object) => ({ "@timestamp": isoTime(0), "user.name": "ann", ...more })
const visit = { visitorId: "v", actionDetails: [{ type: "search", siteSearchKeyword: "lamp", timestamp: start }] }
const ga4 = {
  event_timestamp: `${start * 1e6}`,
  event_name: "search",
  event_params: [{ key: "search_term", value: { string_value: "lamp" } }],
  user_pseudo_id: "p",
}
const source = JSON.stringify({ query: { match: { title: "lamp" } } })
const plain = { user: "u", query: "lamp", time: isoTime(0) }

/** One search for lamp in every format, and the format that must be recognised. */
const logs: [string, string, string][] = [
  ["AOL with its header", "aol", "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n7\tlamp\t2024-03-01 00:00:00\t\t\n"],
  ["AOL without", "aol", "7\tlamp\t2024-03-01 00:00:00\t1\thttp://x\n"],
  ["CSV", "delimited", "user,query,time\n7,lamp,2024-03-01 00:00:00\n"],
  ["TSV of another order", "delimited", "7\t240301000000\tlamp\n"],
  ["JSON lines", "jsonl", jsonLines([plain])],
  ["JSON lines after blank ones", "jsonl", `\n \r\n${jsonLines([plain])}`],
  ["a JSON array", "jsonl", `\n[\n ${JSON.stringify(plain)}\n]`],
  ["UBI queries", "ubi", jsonLines([search])],
  ["UBI in _bulk", "ubi", jsonLines([{ index: { _index: "ubi_queries" } }, search])],
  ["UBI in an array", "ubi", JSON.stringify([search])],
  ["UBI as it was dumped", "ubi", jsonLines([{ _index: "ubi_queries", _id: "1", _source: search }])],
  ["Elasticsearch 8", "slowlog", jsonLines([slow({ "elasticsearch.slowlog.source": source })])],
  ["Elasticsearch 8 nested", "slowlog", jsonLines([slow({ elasticsearch: { slowlog: { source } } })])],
  ["Elasticsearch 7", "slowlog", jsonLines([slow({ type: "index_search_slowlog", total_shards: "1", source })])],
  [
    "Solr",
    "solr",
    "2024-03-01 00:00:00.000 INFO (q) [ x:a] o.a.s.c.S.Request [a] webapp=/solr path=/select " +
      "params={q=lamp&uid=u} hits=1\n",
  ],
  ["Matomo", "matomo", JSON.stringify([visit])],
  ["Matomo, a visit a line", "matomo", jsonLines([visit])],
  ["GA4", "ga4", jsonLines([ga4])],
  ["GA4 in an array", "ga4", JSON.stringify([ga4], null, 2)],
]

describe("the format is detected from the file", () => {
  test.each(logs)("%s: %s", async (_name, format, text) => {
    for (const content of [text, `\ufeff${text}`, text.replaceAll("\n", "\r\n"), gzipSync(text), text.trimEnd()]) {
      const { log, intake } = await read(write(content))
      expect([intake.format, log.rows, log.queries.text(0), intake.rejected]).toEqual([format, 1, "lamp", {}])
    }
  })

  test("on the standard input too, packed or not", async () => {
    const outcomes = await Promise.all(
      ["ubi", "slowlog", "ga4"].map(async (format, i) => {
        const text = logs.find(([, name]) => name === format)?.[2] ?? ""
        const stdin = i === 1 ? gzipSync(text) : text
        const args = ["anonymize", "equality", "-", "-o", fresh("out"), "--k", "1", "--json"]
        const { code, stdout } = await runCli(args, { stdin })
        return [format, code, JSON.parse(stdout).receipt.input.format]
      }),
    )
    expect(outcomes).toEqual(["ubi", "slowlog", "ga4"].map((format) => [format, 0, format]))
  })

  test("of each file on its own", async () => {
    const parquet = await writeParquet(at("one.parquet"), "SELECT 'u9' AS uid, 'lamp' AS q, 1709251200 AS time")
    const { log } = await read([...logs.map(([, , text]) => write(text)), parquet])
    // The four UBI files have one search together, and so do the three slow logs and the two GA4 files.
    expect(log.rows).toBe(logs.length + 1 - 6)
    expect([...new Set(log.query)]).toHaveLength(1)
  })

  test.each([
    '"actionDetails": []',
    '{"event_params": [], "user_pseudo_id": "x", "event_name": "search"}',
    '{"query_id": "x", "user_query": "y"}',
    '"_index": "ubi_queries"',
    '{"elasticsearch.slowlog.source": "x", "total_shards": 1, "source": "y"}',
    "path=/select params={q=x} ",
    '\\"actionDetails\\": ',
    '\\\\"actionDetails": ',
    "\\",
  ])("and not from what people typed: %s", async (typed) => {
    const { intake, log } = await read(write(jsonLines([{ user: "u", query: typed, time: isoTime(0) }, plain])))
    expect([intake.format, log.rows]).toEqual(["jsonl", 2])
  })
})

describe("options that do not apply to a format are refused", () => {
  test.each(["ubi", "matomo", "ga4", "aol"])("--columns with %s", async (format) => {
    const text = logs.find(([, name]) => name === format)?.[2] ?? ""
    const error = await refusal(read(write(text), { format: format as "ubi", columns: "user=a" }))
    expect(error).toMatchObject({ code: "usage", fields: { flag: "--columns" } })
  })

  test.each(["ubi", "jsonl", "aol"])("--json-path with %s", async (format) => {
    const text = logs.find(([, name]) => name === format)?.[2] ?? ""
    expect(await refusal(read(write(text), { jsonPath: "a.b" }))).toMatchObject({ code: "usage" })
  })
})
