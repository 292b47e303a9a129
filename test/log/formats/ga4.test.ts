import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read } from "../read.ts"
import { writeParquet } from "./parquet-files.ts"
import { bag, expectSound, jsonLines, type Row, rowsOf, start } from "./rows.ts"

const { at, write } = scratchFolder()

interface Event {
  name: string
  user: string | null
  session: number
  term: string | number | null
  /** Seconds. */
  at: number
}

/** An event as BigQuery exports it in JSON: 64-bit numbers are texts. */
const eventOf = ({ name, user, session, term, at: offset }: Event) => ({
  event_date: "20240301",
  event_timestamp: `${(start + offset) * 1e6 + 123}`,
  event_name: name,
  event_params: [
    { key: "page_location", value: { string_value: "https://shop.example/?q=x" } },
    { key: "ga_session_id", value: { int_value: `${session}` } },
    ...(term === null
      ? []
      : [{ key: "search_term", value: typeof term === "string" ? { string_value: term } : numberOf(term) }]),
  ],
  user_pseudo_id: user,
  device: { category: "mobile" },
})

const numberOf = (term: number) => (Number.isInteger(term) ? { int_value: `${term}` } : { double_value: term })

/** The same events as rows of a Parquet file. */
function selectOf(events: readonly Event[]): string {
  const text = (value: string | null) => (value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`)
  const value = (fields: { string?: string; int?: number; double?: number }) =>
    `{string_value: ${text(fields.string ?? null)}::VARCHAR, int_value: ${fields.int ?? "NULL"}::BIGINT, ` +
    `float_value: NULL::DOUBLE, double_value: ${fields.double ?? "NULL"}::DOUBLE}`
  return events
    .map(({ name, user, session, term, at: offset }) => {
      const params = [`{key: 'ga_session_id', value: ${value({ int: session })}}`]
      if (typeof term === "string") params.push(`{key: 'search_term', value: ${value({ string: term })}}`)
      if (typeof term === "number") {
        params.push(`{key: 'search_term', value: ${value(Number.isInteger(term) ? { int: term } : { double: term })}}`)
      }
      const columns = [
        "'20240301' AS event_date",
        `${(start + offset) * 1e6 + 123}::BIGINT AS event_timestamp`,
        `'${name}' AS event_name`,
        `[${params.join(", ")}] AS event_params`,
        `${text(user)}::VARCHAR AS user_pseudo_id`,
      ]
      return `SELECT ${columns.join(", ")}`
    })
    .join(" UNION ALL ")
}

/** The oracle: searches with a user and a text, without those that repeat one of the previous ten seconds. */
function searchesByHand(events: readonly Event[], unit: "user" | "session"): { rows: Row[]; rejected: object } {
  const rows: Row[] = []
  const rejected: Record<string, number> = {}
  const last = new Map<string, number>()
  for (const { name, user: person, session, term, at: offset } of [...events].sort((a, b) => a.at - b.at)) {
    if (name !== "search" && name !== "view_search_results") continue
    const reason = person === null ? "user" : term === null || term === "" ? "query" : undefined
    if (reason !== undefined) {
      rejected[reason] = (rejected[reason] ?? 0) + 1
      continue
    }
    const user = unit === "user" ? `${person}` : `${person}.${session}`
    const key = JSON.stringify([user, term])
    if (offset - (last.get(key) ?? Number.NEGATIVE_INFINITY) <= 10) continue
    last.set(key, offset)
    rows.push({ user, query: `${term}`, time: start + offset })
  }
  return { rows, rejected }
}

const event = fc.record({
  name: fc.constantFrom("search", "view_search_results", "view_search_results", "page_view"),
  user: fc.constantFrom("1.1", "2.2", "2.2", null),
  session: fc.constantFrom(11, 12),
  term: fc.constantFrom<(string | number | null)[]>("lamp", "it's", 2024, 3.5, null, ""),
  at: fc.nat({ max: 60 }),
})
const certain: Event = { name: "search", user: "9.9", session: 1, term: "sofa", at: 0 }
const events = fc.array(event, { maxLength: 10 }).map((more): Event[] => [certain, ...more])

describe("the searches of Google Analytics 4", () => {
  test("are those found by hand, in JSON lines and arrays, by user and by session", async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.constantFrom("user", "session"), fc.boolean(), async (given, unit, asArray) => {
        const wanted = searchesByHand(given, unit)
        const text = asArray ? JSON.stringify(given.map(eventOf), null, 1) : jsonLines(given.map(eventOf))
        const result = await read(write(text), { unit })
        expectSound(result.log)
        expect(result.intake.format).toBe("ga4")
        expect(bag(rowsOf(result))).toEqual(bag(wanted.rows))
        expect(result.intake.rejected).toEqual(wanted.rejected)
      }),
      { numRuns: 100 },
    )
  })

  test("are the same in Parquet, on the lines of the file", async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.constantFrom("user", "session"), async (given, unit) => {
        const wanted = searchesByHand(given, unit)
        const path = await writeParquet(at("ga4.parquet"), selectOf(given))
        const result = await read(path, { unit })
        expectSound(result.log)
        expect(bag(rowsOf(result))).toEqual(bag(wanted.rows))
        expect(result.intake.rejected).toEqual(wanted.rejected)
        const lines = await read(write(jsonLines(given.map(eventOf))), { unit })
        expect([...result.log.line]).toEqual([...lines.log.line])
        expect([...result.intake.rejects.line]).toEqual([...lines.intake.rejects.line])
        expect(result.intake.lines).toBe(given.length)
      }),
      { numRuns: 25 },
    )
  })

  test("are read from Parquet also with --format, and from other columns with --columns", async () => {
    const path = await writeParquet(at("said.parquet"), selectOf([certain, { ...certain, name: "page_view" }]))
    expect((await read(path, { format: "ga4" })).log.rows).toBe(1)
    const named = await read(path, { columns: "user=user_pseudo_id,query=event_name,time=event_timestamp" })
    expect(rowsOf(named).map(({ query }) => query)).toEqual(
      ["search", "page_view"].sort((a, b) => a.localeCompare(b)).reverse(),
    )
  })
})
