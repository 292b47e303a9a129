import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read } from "../read.ts"
import { bag, expectSound, jsonLines, rowsOf, start } from "./rows.ts"

const { write } = scratchFolder()

interface Visit {
  idVisit: number
  visitorId: string
  userId: string | null
  actions: { type: string; text: string | null; at: number }[]
}

/** A visit as `Live.getLastVisitsDetails` returns it. */
const visitOf = ({ idVisit, visitorId, userId, actions }: Visit) => ({
  idSite: 1,
  idVisit,
  visitIp: "192.0.2.0",
  visitorId,
  userId,
  serverTimestamp: start,
  actionDetails: actions.map(({ type, text, at }) => ({
    type,
    url: "https://shop.example/?s=x",
    pageTitle: "Results",
    ...(type === "search" ? { siteSearchKeyword: text, siteSearchCategory: null, siteSearchCount: "3" } : {}),
    timestamp: start + at,
  })),
})

const visit = fc.record({
  idVisit: fc.constantFrom(1, 2, 3),
  visitorId: fc.constantFrom("v1", "v2"),
  userId: fc.constantFrom(null, "", "u1"),
  actions: fc.array(
    fc.record({
      type: fc.constantFrom("search", "search", "action", "goal"),
      text: fc.constantFrom("lamp", "red hat", null, ""),
      at: fc.nat({ max: 100 }),
    }),
    { maxLength: 5 },
  ),
})

describe("the visits of Matomo", () => {
  test("give the searches found by hand, as an array or a visit per line", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(visit, { maxLength: 6 }),
        fc.boolean(),
        fc.constantFrom("user", "session"),
        async (more, asArray, unit) => {
          const certain = {
            idVisit: 9,
            visitorId: "v9",
            userId: null,
            actions: [{ type: "search", text: "sofa", at: 0 }],
          }
          const visits = [certain, ...more]
          const searches = visits.flatMap((one) =>
            one.actions
              .filter(({ type }) => type === "search")
              .map(({ text, at }) => ({
                user: unit === "session" ? String(one.idVisit) : one.userId || one.visitorId,
                query: text ?? "",
                time: start + at,
              })),
          )
          const text = asArray ? JSON.stringify(visits.map(visitOf), null, 1) : jsonLines(visits.map(visitOf))
          const result = await read(write(text), { unit })
          expectSound(result.log)
          expect(result.intake.format).toBe("matomo")
          expect(bag(rowsOf(result))).toEqual(bag(searches.filter(({ query }) => query !== "")))
          expect(result.intake.rejected.query ?? 0).toBe(searches.filter(({ query }) => query === "").length)
          expect(result.intake.lines).toBe(visits.length)
        },
      ),
      { numRuns: 100 },
    )
  })

  test("cannot exhaust memory: a long user in a visit of many searches is rejected as too long", async () => {
    const action = { type: "search", siteSearchKeyword: "x", timestamp: start }
    const huge = { visitorId: "v".repeat(300_000), actionDetails: Array(5_000).fill(action) }
    const fine = { visitorId: "v", actionDetails: Array(5_000).fill(action) }
    const { log, intake } = await read(write(jsonLines([fine, huge])))
    expect([log.rows, intake.rejected]).toEqual([5_000, { length: 1 }])
  })

  test("are refused if they are an answer of another kind", async () => {
    const error = await read(write('{"result":"error","message":"no access"}'), { format: "matomo" }).catch(
      (e: unknown) => e,
    )
    expect(error).toMatchObject({ code: "input-rows", message: expect.stringContaining("not a record of this format") })
  })
})
