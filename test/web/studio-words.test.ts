import { describe, expect, test } from "vitest"
import { columnNames } from "#dist/log/formats/columns.js"
import { formatNames } from "#dist/log/formats/format-registry.js"
import { useNames } from "#dist/study/frontier/scores.js"
import { identifierKinds } from "#dist/text/identifiers/kinds.js"
import { coalesce } from "../../web/studio/coalesce.ts"
import { kindTitles, sharePercent } from "../../web/studio/exposure/inspection.ts"
import {
  columnsProblem,
  doubtColumn,
  formats,
  guessColumns,
  parseColumns,
  pickers,
} from "../../web/studio/log/columns.ts"
import { riskSteps, sayFound, sayRisk } from "../../web/studio/purpose/risk-words.ts"
import { useCards } from "../../web/studio/purpose/use-words.ts"
import { visible } from "../../web/studio/visible.ts"

describe("the accepted risk", () => {
  test("is said as people among people", () => {
    expect([0.001, 0.02, 0.05, 0.2, 0.5].map(sayRisk)).toEqual([
      "at most 1 person in 1,000 found again",
      "at most 1 person in 50 found again",
      "at most 1 person in 20 found again",
      "at most 1 person in 5 found again",
      "at most 1 person in 2 found again",
    ])
    expect([0.07, 0.125, 0.123, 1 / 3].map(sayRisk)).toEqual([
      "at most 7 people in 100 found again",
      "at most 1 person in 8 found again",
      "at most 123 people in 1,000 found again",
      "at most 1 person in 3 found again",
    ])
    expect([0, 1, Math.PI / 10].map(sayRisk)).toEqual([
      "nobody found again",
      "everybody may be found again",
      "at most 31 % of people found again",
    ])
  })

  test("has a number for this log, which is never nobody", () => {
    expect(sayFound(0.05, 5432)).toBe("Of the 5,432 people in this log, that is up to 272.")
    expect(sayFound(0.05, 20)).toBe("Of the 20 people in this log, that is up to 1.")
    expect(sayFound(0.001, 20)).toBe("Of the 20 people in this log, that is up to 1.")
  })

  test("that was set elsewhere stays on the slider, in its place", () => {
    expect(riskSteps(0.05)).not.toContain(0.07)
    const steps = riskSteps(0.07)
    expect(steps).toContain(0.07)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(new Set(steps).size).toBe(steps.length)
  })
})

describe("the columns of a log", () => {
  const column = (place: string, means?: (typeof pickers)[number]["name"]) => ({
    place,
    name: place,
    examples: ["•••"],
    ...(means && { means }),
  })

  test("start with the guess, and only with the guess", () => {
    const columns = [column("visitor_ref"), column("phrase", "query"), column("when", "time"), column("page", "url")]
    expect(guessColumns(columns)).toEqual({ query: "phrase", time: "when", url: "page" })
    expect(guessColumns([])).toEqual({})
  })

  test("are complete with user, query and time, each in a column of its own", () => {
    expect(columnsProblem({ query: "phrase" })).toBe("Choose a column for: user, time.")
    expect(columnsProblem({ user: "a", query: "b", time: "a" })).toMatch(/user is the same column as another/)
    expect(columnsProblem({ user: "a", query: "b", time: "c", url: "b" })).toMatch(/query is the same column/)
    expect(columnsProblem({ user: "a", query: "b", time: "c" })).toBeUndefined()
  })

  test("are read from the text of --columns, without the category", () => {
    expect(parseColumns("user=visitor_ref, query=q=x,time=3,category=none")).toEqual({
      user: "visitor_ref",
      query: "q=x",
      time: "3",
    })
    expect(parseColumns("")).toEqual({})
    expect(columnNames).toEqual([...pickers.map(({ name }) => name), "category"])
  })

  test.each([
    ["session_id", "login", /session/],
    ["sid", "cookie", /session/],
    ["my_session_ref", "login", /session/],
    ["visitor_ref", "login", /browser or a device/],
    ["client_id", "login", /browser or a device/],
    ["user_id", "session", /last longer/],
    ["request_id", "login", /number of the row/],
    ["id", "cookie", /number of the row/],
    ["ip", "login", /network address/],
    ["1", "login", /no header/],
  ] as const)("are doubted if %s is said to be a %s", (name, person, says) => {
    const doubts = doubtColumn({ name, examples: ["###"] }, person)
    expect(doubts).toHaveLength(1)
    expect(doubts[0]).toMatch(says)
  })

  test.each([
    ["user_id", "login"],
    ["visitor_ref", "cookie"],
    ["session_id", "session"],
    ["reader", "login"],
  ] as const)("are not doubted if %s is said to be a %s", (name, person) => {
    expect(doubtColumn({ name, examples: ["###"] }, person)).toEqual([])
  })

  test("are doubted if the first rows are empty", () => {
    expect(doubtColumn({ name: "user_id", examples: ["", ""] }, "login")).toEqual(["It is empty in the first rows."])
  })
})

describe("what the pages name", () => {
  test("are all uses, formats and kinds of identifiers that there are", () => {
    expect(useCards.map(({ use }) => use).toSorted()).toEqual([...useNames].sort())
    expect([...formats].sort()).toEqual(formatNames().sort())
    expect(Object.keys(kindTitles).sort()).toEqual([...identifierKinds].sort())
  })
})

describe("a share", () => {
  test("is not rounded to nothing or to everything", () => {
    expect([0, 0.0004, 0.5, 0.9996, 1].map(sharePercent).map((text) => text.replace("\u00a0", " "))).toEqual([
      "0.0 %",
      "under 0.1 %",
      "50.0 %",
      "over 99.9 %",
      "100.0 %",
    ])
  })
})

describe("a text that would disguise itself", () => {
  test("has its marks made visible, and others left alone", () => {
    expect(visible("\u202egpj.exe\n")).toBe("⟨U+202E⟩gpj.exe⟨U+000A⟩")
    expect(visible("می\u200cخواهم שלום <b>")).toBe("می\u200cخواهم שלום <b>")
  })
})

describe("work that is asked for while it is under way", () => {
  test("is done once more, not once for each time", async () => {
    let started = 0
    const ends: (() => void)[] = []
    const ask = coalesce(() => {
      started++
      return new Promise<void>((resolve) => ends.push(resolve))
    })
    for (let i = 0; i < 5; i++) ask()
    expect(started).toBe(1)
    ends.shift()?.()
    await Promise.resolve()
    expect(started).toBe(2)
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(started).toBe(2)
    ask()
    expect(started).toBe(3)
  })
})
