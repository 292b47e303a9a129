import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { bag, expectSound, isoTime, jsonLines, type Row, rowsOf, start } from "./rows.ts"

const { write } = scratchFolder()

interface Doc {
  kind: "search" | "click" | "view"
  query_id?: string | undefined
  user_id?: string | undefined
  client_id?: string | undefined
  session_id?: string | undefined
  text?: string | undefined
  object?: string | undefined
  ordinal?: number | undefined
  at: number
}

/** The document as UBI 1.3 writes it. */
function documentOf({ kind, text, object, ordinal, at, ...ids }: Doc): object {
  const common = { application: "shop", timestamp: isoTime(at), ...ids }
  if (kind === "search") {
    return { ...common, user_query: text, query: '{"match_all":{}}', query_attributes: { page: 1 } }
  }
  const position = ordinal === undefined ? undefined : { ordinal, xy: { x: 1, y: 2 } }
  const attributes = { object: { object_id: object, object_id_field: "sku", name: "a name" }, position }
  return {
    ...common,
    action_name: kind === "click" ? "item_click" : "impression",
    message_type: "INFO",
    message: "a message",
    event_attributes: attributes,
  }
}

const byTime = (a: Doc, b: Doc) => a.at - b.at
const ownUnit = (doc: Doc, unit: "user" | "session") =>
  unit === "session" ? doc.session_id : (doc.user_id ?? doc.client_id)

/** The first of the searches of each user and text. */
function firstOfEach<S extends { user: string | undefined; query: string }>(searches: readonly S[]): S[] {
  const names = searches.map(({ user, query }) => JSON.stringify([user, query]))
  return searches.filter((_, i) => names.indexOf(names[i] ?? "") === i)
}

interface Search {
  user: string | undefined
  query: string
  at: number
  clicked: boolean
}

/** The row of a click, which belongs to the last search before it, or else to the first. Marks that search. */
function rowOfClick({ object, ordinal, at }: Doc, known: readonly Search[]): Row | undefined {
  const search = known.findLast((one) => one.at <= at) ?? known[0]
  if (search?.user === undefined) return undefined
  search.clicked = true
  return { user: search.user, query: search.query, time: start + search.at, rank: ordinal, url: object }
}

/** The oracle: groups by `query_id` in maps, with each click joined to the last search before it. */
function joinByHand(docs: readonly Doc[], unit: "user" | "session") {
  const rows: Row[] = []
  const rejected: Record<string, number> = {}
  const reject = (reason: string) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1
  }
  const own = (doc: Doc) => ownUnit(doc, unit)
  const searches = docs.filter((doc) => doc.kind === "search").sort(byTime)
  const events = docs.filter((doc) => doc.kind !== "search" && doc.query_id !== undefined).sort(byTime)
  const keep = ({ user, query, at }: Omit<Search, "clicked">) => {
    if (user !== undefined) rows.push({ user, query, time: start + at })
  }
  for (const search of searches.filter((doc) => doc.query_id === undefined)) {
    const user = own(search)
    if (user === undefined) reject("user")
    keep({ user, query: search.text ?? "", at: search.at })
  }
  for (const key of new Set(docs.flatMap(({ query_id }) => query_id ?? []))) {
    const ofKey = events.filter(({ query_id }) => query_id === key)
    const session = unit === "session" ? ofKey.flatMap(({ session_id }) => session_id ?? [])[0] : undefined
    const named = searches
      .filter(({ query_id }) => query_id === key)
      .map((search) => ({ user: own(search) ?? session, query: search.text ?? "", at: search.at, clicked: false }))
    for (const { user } of named) if (user === undefined && unit === "user") reject("user")
    const known = firstOfEach(named.filter(({ user }) => user !== undefined || unit === "session"))
    for (const { user } of known) if (user === undefined) reject("user")
    for (const click of ofKey.filter(({ kind, object }) => kind === "click" && object !== undefined)) {
      const row = rowOfClick(click, known)
      if (row === undefined) reject("search")
      else rows.push(row)
    }
    known.filter(({ clicked }) => !clicked).forEach(keep)
  }
  return { rows, rejected }
}

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const docs = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom("search", "search", "click", "view"),
      query_id: fc.option(fc.constantFrom("q1", "q2", "q3"), { nil: undefined, freq: 8 }),
      user_id: some("u1", "u2"),
      client_id: some("c1", "c2"),
      session_id: some("s1", "s2"),
      text: fc.constantFrom("red shoes", "blue hat"),
      object: fc.option(fc.constantFrom("sku-1", "sku-2"), { nil: undefined, freq: 8 }),
      ordinal: some(0, 1, 7),
      at: fc.nat({ max: 500 }),
    }),
    { selector: ({ at }) => at, minLength: 1, maxLength: 14 },
  )
  .map((given): Doc[] => given.map((doc) => (doc.kind === "search" ? doc : { ...doc, text: undefined })))

/** The forms in which documents come out of a cluster. */
const shapes: Record<string, (given: readonly Doc[]) => string> = {
  documents: (given) => jsonLines(given.map(documentOf)),
  _bulk: (given) =>
    given
      .map((doc) => {
        const _index = doc.kind === "search" ? "ubi_queries" : "ubi_events"
        return jsonLines([{ index: { _index } }, documentOf(doc)])
      })
      .join(""),
  array: (given) => JSON.stringify(given.map(documentOf)),
  "pretty array": (given) => JSON.stringify(given.map(documentOf), null, 2),
  "elasticdump with _source": (given) =>
    jsonLines(given.map((doc) => ({ _index: "ubi_queries", _id: "x", _score: 1, _source: documentOf(doc) }))),
}

describe("clicks are joined to their searches", () => {
  test.each(Object.keys(shapes))(
    "as by hand, whatever the order of the documents and the files they are in: %s",
    async (shape) => {
      const textOf = shapes[shape] ?? jsonLines
      await fc.assert(
        fc.asyncProperty(
          docs,
          fc.constantFrom("user", "session"),
          fc.array(fc.nat({ max: 14 }), { maxLength: 2 }),
          async (given, unit, cuts) => {
            const wanted = joinByHand(given, unit)
            const at = [0, ...cuts.map((cut) => Math.min(cut, given.length)).sort((a, b) => a - b), given.length]
            const parts = at.slice(1).map((to, i) => given.slice(at[i], to))
            const files = parts.filter((part) => part.length > 0).map((part) => write(textOf(part)))
            const result = await read(files, { format: "ubi", unit }).catch((error: unknown) => error)
            if (wanted.rows.length === 0) {
              expect(result).toMatchObject({ code: expect.stringMatching(/^input-(rows|empty)$/) })
              return
            }
            if (result instanceof Error || !isRead(result)) throw result
            expectSound(result.log)
            expect(bag(rowsOf(result))).toEqual(bag(wanted.rows))
            expect(result.intake.rejected).toEqual(wanted.rejected)
          },
        ),
        { numRuns: 80 },
      )
    },
  )

  test("the same with two workers, over the blocks of large files", async () => {
    const many = Array.from({ length: 9000 }, (_, i): Doc[] => [
      { kind: "click", query_id: `q${i}`, object: `sku-${i % 5}`, ordinal: i % 3, at: i + 1 },
      { kind: "search", query_id: `q${(i * 7) % 9000}`, client_id: `c${i % 90}`, text: `text ${i % 50}`, at: i },
    ]).flat()
    const files = [shapes._bulk?.(many.slice(0, 9000)) ?? "", shapes.array?.(many.slice(9000)) ?? ""].map((text) =>
      write(text),
    )
    const wanted = joinByHand2(many)
    for (const workers of [1, 2]) {
      const result = await read(files, {}, { workers })
      expect(result.intake.format).toBe("ubi")
      expect(bag(rowsOf(result))).toEqual(wanted)
    }
  })
})

/** `joinByHand` for one search and one click per key, in linear time. */
function joinByHand2(many: readonly Doc[]): string[] {
  const searches = new Map(many.filter(({ kind }) => kind === "search").map((doc) => [doc.query_id, doc]))
  const clicks = many.filter(({ kind }) => kind === "click")
  return bag(
    clicks.map(({ query_id, object, ordinal }) => {
      const search = searches.get(query_id)
      const { client_id = "", text = "", at = 0 } = search ?? {}
      return { user: client_id, query: text, time: start + at, rank: ordinal, url: object }
    }),
  )
}

const isRead = (value: unknown): value is Awaited<ReturnType<typeof read>> =>
  typeof value === "object" && value !== null && "log" in value

describe("a document of UBI", () => {
  const search = { query_id: "a", client_id: "c", user_query: "lamp", timestamp: isoTime(0) }

  test("is one search when it was logged several times", async () => {
    const { log, intake } = await read(write(jsonLines([search, { ...search, timestamp: isoTime(9) }, search])))
    expect([log.rows, intake.collapsed, log.time[0]]).toEqual([1, 2, start])
  })

  test("whose text has only control characters is an empty query, not an event", async () => {
    const blank = { ...search, query_id: "b", user_query: "\u0007\u0001" }
    const { intake } = await read(write(jsonLines([search, blank])))
    expect(intake.rejected).toEqual({ query: 1 })
  })

  test("is not a row if it contains half of a surrogate pair", async () => {
    const { intake } = await read(write(jsonLines([search, { ...search, user_query: "lamp \ud83d" }])))
    expect(intake.rejected).toEqual({ syntax: 1 })
  })

  test("is read whatever other members it has", async () => {
    const others = '"__proto__": {"user_query": "x"}, "constructor": 1, "user_query": "no"'
    const odd = `{${others}, ${JSON.stringify(search).slice(1)}\n`
    const result = await read(write(odd))
    expect(rowsOf(result).map(({ query }) => query)).toEqual(["lamp"])
  })

  test("of a click in a block before its search does not stop a strict reading there", async () => {
    const click = { query_id: "late", action_name: "click", event_attributes: { object: { object_id: "x" } } }
    const bad = "not json\n"
    const path = write(jsonLines([{ ...click, timestamp: isoTime(5) }]) + bad + jsonLines([search]))
    expect(await refusal(read(path, { strict: true, format: "ubi" }))).toMatchObject({ fields: { line: 2 } })
  })

  test("is not collapsed with rows of another format, whose own rows are still collapsed", async () => {
    const ga4 = (event_name: string) => ({
      event_name,
      user_pseudo_id: "p",
      event_timestamp: String(start * 1e6),
      event_params: [{ key: "search_term", value: { string_value: "sofa" } }],
    })
    const files = [write(jsonLines([search])), write(jsonLines([ga4("search"), ga4("view_search_results")]))]
    for (const order of [files, [...files].reverse()]) {
      const { log, intake } = await read(order)
      expect([log.rows, intake.collapsed]).toEqual([2, 1])
    }
  })
})
