import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { normaliseQuery } from "#dist/text/normalise.js"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { bag, expectSound, isoTime, jsonLines, rowsOf, start } from "./rows.ts"

const { write } = scratchFolder()

describe("JSON lines", () => {
  const record = fc.record({
    user: fc.oneof(fc.constantFrom("ann", " bob ", "é😀"), fc.nat({ max: 9 })),
    query: fc.string({
      unit: fc.constantFrom("a", "B", "\u0000", "\t", "\n", " ", '"', "\\", "é", "\u2028", "\u00a0"),
      maxLength: 6,
    }),
    at: fc.nat({ max: 99 }),
    rank: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    url: fc.option(fc.constantFrom("http://x", "sku\t1", ""), { nil: undefined }),
  })

  test("have the rows that JSON.parse and a filter give", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 8 }), fc.boolean(), async (more, asArray) => {
        const given = [{ user: "ann", query: "first", at: 0, rank: undefined, url: undefined }, ...more]
        const records = given.map(({ at, ...rest }) => ({ time: isoTime(at), ...rest }))
        const clean = (text: string) => text.replace(/\p{Cc}/gu, " ").trim()
        const wanted = given
          .map(({ user, query, at, rank, url }) => ({
            user: clean(String(user)),
            query: normaliseQuery(query),
            time: start + at,
            rank,
            url: url === undefined || url === "" ? undefined : clean(url),
          }))
          .filter(({ query }) => query !== "")
        const result = await read(write(asArray ? JSON.stringify(records) : jsonLines(records)))
        expectSound(result.log)
        expect(bag(rowsOf(result))).toEqual(bag(wanted))
        expect(result.intake.rejected.query ?? 0).toBe(given.length - wanted.length)
      }),
      { numRuns: 120 },
    )
  })

  test.each([
    ["members by their usual names", { uid: "u", searchTerm: "lamp", timestamp: isoTime(0) }, undefined],
    [
      "paths",
      { client: { id: "u" }, event: { q: "lamp" }, at: [isoTime(0)] },
      "user=client.id,query=event.q,time=at[0]",
    ],
    [
      "names with dots",
      { "client.id": "u", event: { "q.text": "lamp" }, at: isoTime(0) },
      "user=client.id,query=event.q.text,time=at",
    ],
    ["quoted names", { "a b": "u", "c'd": "lamp", at: isoTime(0) }, `user=["a b"],query=['c\\'d'],time=at`],
    ["a dump with _source", { _id: "1", _source: { user: "u", query: "lamp", time: isoTime(0) } }, undefined],
    ["seconds", { user: "u", query: "lamp", time: start }, undefined],
    ["milliseconds", { user: "u", query: "lamp", time: start * 1e3 }, undefined],
    ["microseconds as text", { user: "u", query: "lamp", time: `${start * 1e6}` }, undefined],
  ])("are read with %s", async (_name, one, columns) => {
    const result = await read(write(jsonLines([one])), columns === undefined ? {} : { columns })
    expect(rowsOf(result)).toMatchObject([{ user: "u", query: "lamp", time: start }])
  })

  test("have their columns also when the first records lack some", async () => {
    const bare = Array.from({ length: 2000 }, (_, i) => ({ query: "a", time: isoTime(i) }))
    const click = { query: "b", time: isoTime(1), user: "u", position: 4, url: "http://x" }
    const result = await read(write(jsonLines([...bare, {}, click])))
    expect(rowsOf(result)).toMatchObject([{ user: "u", rank: 4, url: "http://x" }])
    expect(result.intake.rejected).toEqual({ user: 2001 })
  })

  test("whose members cannot be determined ask for --columns", async () => {
    const error = await refusal(read(write(jsonLines([{ a: 1, b: 2 }]))))
    expect(error).toMatchObject({ code: "input-columns", fields: { flag: "--columns" } })
  })
})
