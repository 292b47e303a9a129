import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { normaliseQuery } from "#dist/text/normalise.js"
import { read } from "../read.ts"
import { bag, rowsOf, seconds } from "./rows.ts"

const sample = (name: string) => new URL(`../../../../shared/data/${name}`, import.meta.url).pathname

const excite = sample("excite-small.log")

test.skipIf(!existsSync(excite))("a real log of 1997 has the rows that splitting its lines gives", async () => {
  const wanted = readFileSync(excite, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [user = "", time = "", query = ""] = line.split("\t")
      const [, month, day, hour, minute, second] = time.match(/\d\d/g) ?? []
      return { user, query: normaliseQuery(query), time: seconds(`1997-${month}-${day}T${hour}:${minute}:${second}Z`) }
    })
  const result = await read(excite)
  expect(bag(rowsOf(result))).toEqual(bag(wanted.filter(({ query }) => query !== "")))
  expect(result.intake.rejected).toEqual({ query: wanted.filter(({ query }) => query === "").length })
})

const ubi = sample("ubi-sample.ndjson")

describe.skipIf(!existsSync(ubi))("a real sample of User Behavior Insights", () => {
  interface Doc {
    query_id?: string
    user_query?: string
    client_id?: string
    user_id?: string
    action_name?: string
    event_attributes?: { object?: { object_id?: string }; position?: { ordinal?: number } }
  }

  /** Distinct searches by (query_id, user, text), and the clicks with an object whose query_id is that of a search. */
  function countByHand() {
    const docs = readFileSync(ubi, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Doc => JSON.parse(line))
      .filter((doc) => !("index" in doc))
    const searches = new Map<string, Set<string>>()
    for (const { query_id = "", user_query = "", user_id, client_id, action_name } of docs) {
      if (action_name !== undefined || normaliseQuery(user_query) === "") continue
      const name = `${user_id ?? client_id}\n${normaliseQuery(user_query)}`
      searches.set(query_id, (searches.get(query_id) ?? new Set()).add(name))
    }
    const clicks = docs.filter(
      ({ action_name, event_attributes }) => /click/.test(action_name ?? "") && event_attributes?.object?.object_id,
    )
    const joined = clicks.filter(({ query_id = "" }) => searches.has(query_id))
    const clicked = new Set(joined.map(({ query_id }) => query_id))
    return { searches, clicks: clicks.length, joined, clicked }
  }

  test("has its searches and its clicks", async () => {
    const { searches, clicks, joined, clicked } = countByHand()
    const { log, intake } = await read(ubi)
    const unclicked = [...searches].filter(([key]) => !clicked.has(key)).reduce((sum, [, names]) => sum + names.size, 0)
    const withUrl = rowsOf({ log }).filter(({ url }) => url !== undefined)
    expect(intake.format).toBe("ubi")
    expect(withUrl).toHaveLength(joined.length)
    expect(withUrl.map(({ url }) => url).sort()).toEqual(
      joined.map((doc) => doc.event_attributes?.object?.object_id).sort(),
    )
    expect(intake.rejected.search ?? 0).toBe(clicks - joined.length)
    // If one query_id has two searches, the one that was not clicked is a row of its own.
    const shared = [...searches].filter(([key, names]) => clicked.has(key) && names.size > 1).length
    expect(log.rows - joined.length - unclicked).toBeLessThanOrEqual(shared)
    expect(log.rows - joined.length).toBeGreaterThanOrEqual(unclicked)
  })

  test("by session has the sessions of its events", async () => {
    const { log } = await read(ubi, { unit: "session" })
    expect(log.unit).toBe("session")
    const text = readFileSync(ubi, "utf8")
    const sessions = new Set([...text.matchAll(/"session_id": ?"([^"]+)"/g)].map(([, id]) => id))
    expect(rowsOf({ log }).every(({ user }) => sessions.has(user))).toBe(true)
  })
})
