import { describe, expect, test } from "vitest"
import type { Inspection } from "#dist/log/inspect-log.js"
import { strongestSentence } from "#dist/study/inspect/strongest-sentence.js"

function inspected(options: { users: number; queries: number; held?: number } | { held: number }): Inspection {
  const part = { queries: 1, events: 1, eventShare: 0 }
  const exposure =
    "users" in options
      ? {
          queries: [{ ...part, fewerThan: 2, queryShare: options.queries }],
          usersWithUniqueQuery: { users: 1, share: options.users },
        }
      : null
  return {
    tokens: "words",
    size: { rows: 9, events: 9, users: 9, queries: 9, urls: 0 },
    time: null,
    lengths: [],
    ngrams: { leastUsers: 1, lengths: [] },
    exposure,
    identifiers: [{ kind: "any", queries: 1, rows: 1, events: options.held ?? 0 }],
  }
}

describe("the first sentence of an inspection", () => {
  test("is about the largest share, of users or of queries", () => {
    expect(strongestSentence(inspected({ users: 0.979, queries: 0.9 }))).toBe(
      "97.9 % of users issued a query that nobody else did.",
    )
    expect(strongestSentence(inspected({ users: 0.4, queries: 0.9 }))).toBe(
      "90.0 % of the distinct queries were issued by one user alone.",
    )
    expect(strongestSentence(inspected({ users: 0.4, queries: 0.4 }), "session")).toBe(
      "40.0 % of sessions issued a query that nobody else did.",
    )
  })

  test("never overstates a share", () => {
    expect(strongestSentence(inspected({ users: 0.9999, queries: 0 }))).toMatch(/^99\.9 % of users/)
    expect(strongestSentence(inspected({ users: 1, queries: 0 }))).toBe(
      "Every user issued a query that nobody else did.",
    )
    expect(strongestSentence(inspected({ users: 0.0001, queries: 0 }))).toMatch(/^Under 0\.1 % of users/)
  })

  test("is about identifiers if the log has no users, or if every query has several", () => {
    expect(strongestSentence(inspected({ held: 1 }))).toBe("1 search contains a direct identifier or a name.")
    expect(strongestSentence(inspected({ users: 0, queries: 0, held: 12 }))).toMatch(/^12 searches contain/)
    expect(strongestSentence(inspected({ held: 0 }))).toMatch(/^No direct identifier was found/)
  })
})
