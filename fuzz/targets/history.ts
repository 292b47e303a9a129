import { readHistory } from "#dist/personal/import/read-history.js"
import { writeScratch } from "../support/scratch-file.ts"
import { ensure, type FuzzTarget } from "../target.ts"

/** A person's own history: Google Takeout, CSV, lines of JSON. */
export const target: FuzzTarget = {
  covers: ["personal/import/", "personal/read-documents", "personal/learn"],
  words: [
    '"title":',
    '"titleUrl":',
    '"time":',
    "url,title,time\n",
    "https://a.example/search?q=lamp",
    '"',
    "\t",
    ";",
    '{"Browser History":[',
  ],
  seeds: () => [
    '[{"title":"Searched for lamp","titleUrl":"https://a.example/search?q=lamp","time":"2020-01-02T03:04:05Z"}]',
    '{"Browser History":[{"title":"Lamps","url":"https://a.example/lamps","time_usec":1577934245000000}]}',
    'url,title,time\nhttps://a.example/lamp,"a ""lamp""",2020-01-02 03:04:05\n',
    '{"query":"lamp","text":"red lamp","time":"2020-01-02T03:04:05Z"}\n',
  ],
  check: async (input) => {
    if (Buffer.from(input.subarray(0, 300)).includes("SQLite format 3")) return // DuckDB reads that
    for (const { text, time, query } of await readHistory(writeScratch("history", input))) {
      ensure(typeof text === "string" && (query === undefined || typeof query === "string"), "documents are strings")
      ensure(time === undefined || Number.isFinite(time), "documents have a time, or none")
    }
  },
}
