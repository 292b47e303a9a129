import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { evaluateScrub } from "#dist/text/identifiers/evaluate-scrub.js"
import { allKinds, defaultKinds, identifierKinds, kindSet } from "#dist/text/identifiers/kinds.js"
import { type LabelledQuery, parseLabels } from "#dist/text/identifiers/labels.js"

const read = (file: string) => parseLabels(readFileSync(new URL(file, import.meta.url), "utf8"))
const shipped = read("labelled-queries.tsv")
const heldOut = read("labelled-queries-held-out.tsv")

describe("the evaluation of the scrub", () => {
  const rows: LabelledQuery[] = [
    { query: "jane@example.com", kind: "email", isPii: true },
    { query: "jane at her example", kind: "email", isPii: true }, // missed
    { query: "212-555-0100 jane@example.com", kind: "phone", isPii: true },
    { query: "304719586", kind: "none", isPii: false }, // found as an account
    { query: "xbox 360", kind: "phone", isPii: false },
    { query: "weather", kind: "none", isPii: false },
    { query: "john smith 1985", kind: "person", isPii: true },
  ]

  test("counts by kind what was found, found wrongly, missed, and found next to another kind", () => {
    const { kinds } = evaluateScrub(rows, kindSet(["email", "phone", "account", "card"]))
    expect(kinds).toEqual([
      {
        kind: "email",
        truePositives: 1,
        falsePositives: 0,
        falseNegatives: 1,
        otherKind: 1,
        precision: 1,
        recall: 0.5,
        falseAlarmRate: 0,
      },
      {
        kind: "phone",
        truePositives: 1,
        falsePositives: 0,
        falseNegatives: 0,
        otherKind: 0,
        precision: 1,
        recall: 1,
        falseAlarmRate: 0,
      },
      {
        kind: "card",
        truePositives: 0,
        falsePositives: 0,
        falseNegatives: 0,
        otherKind: 0,
        precision: NaN,
        recall: NaN,
        falseAlarmRate: 0,
      },
      {
        kind: "account",
        truePositives: 0,
        falsePositives: 1,
        falseNegatives: 0,
        otherKind: 0,
        precision: 0,
        recall: NaN,
        falseAlarmRate: 1 / 3,
      },
    ])
  })

  test("gives the share of digit identifiers and of harmless digit queries that are withheld", () => {
    expect(evaluateScrub(rows, defaultKinds)).toMatchObject({
      queries: 7,
      identifiers: 3,
      digitIdentifiers: 2,
      digitRecall: 1,
      harmlessDigitQueries: 2,
      harmlessDigitWithheld: 0.5,
      harmlessQueries: 3,
      harmlessWithheld: 1 / 3,
    })
  })

  test("combines several labels of one query, and counts a finding that a label denies as a false alarm", () => {
    const both: LabelledQuery[] = [
      { query: "212-555-0100 jane@example.com", kind: "email", isPii: true },
      { query: "212-555-0100 jane@example.com", kind: "phone", isPii: false },
    ]
    const { kinds, queries } = evaluateScrub(both, kindSet(["email", "phone"]))
    expect(queries).toBe(1)
    expect(kinds.map(({ truePositives, falsePositives }) => [truePositives, falsePositives])).toEqual([
      [1, 0],
      [0, 1],
    ])
  })
})

describe("labels", () => {
  test("are read with columns in any order, normalised, and empty lines left out", () => {
    expect(
      parseLabels("is_pii\tnote\tkind\tquery\r\n1\tx\temail\t Jane@Example.com \r\n\r\nfalse\t\tnone\tweather\r\n"),
    ).toEqual([
      { query: "jane@example.com", kind: "email", isPii: true },
      { query: "weather", kind: "none", isPii: false },
    ])
  })

  test.each([
    ["", 1],
    ["query\tkind\na\tb", 1],
    ["query\tkind\tis_pii\njane\tmail\t1", 2],
    ["query\tkind\tis_pii\njane\temail\t1\njane\temail\tmaybe", 3],
    ["query\tkind\tis_pii\njane\tnone\t1", 2],
    ["query\tkind\tis_pii\n\temail\t1", 2],
    ["query\tkind\tis_pii\njane", 2],
  ])("that are broken are refused with their line and without their text: %j", (text, line) => {
    expect(() => parseLabels(text, { file: "labels.tsv" })).toThrow(
      expect.objectContaining({
        code: "input-rows",
        fields: { file: "labels.tsv", line },
        message: expect.not.stringContaining("jane"),
      }),
    )
  })
})

describe.each([
  ["the shipped labels", shipped],
  ["the labels written after the detectors were done", heldOut],
])("on %s the default scrub", (_name, labels) => {
  test("withholds at least 95 % of the identifiers in digit queries", () => {
    expect(evaluateScrub(labels, defaultKinds).digitRecall).toBeGreaterThanOrEqual(0.95)
  })

  test("withholds at most a fifth of the harmless digit queries", () => {
    expect(evaluateScrub(labels, defaultKinds).harmlessDigitWithheld).toBeLessThanOrEqual(0.2)
  })
})

/** Labels of names only, written by people who had not read the detectors, and the other labels. */
const folder = new URL(".", import.meta.url)
const files = readdirSync(folder).filter((file) => /^labelled-(?:queries|names)[a-z-]*\.tsv$/.test(file))

test.each(files)("%s: at least 85 % of the names of persons are found, with false alarms in under 2 %", (file) => {
  const [{ recall, falseAlarmRate }] = evaluateScrub(read(file), kindSet(["person"])).kinds
  expect(recall).toBeGreaterThanOrEqual(0.85)
  expect(falseAlarmRate).toBeLessThan(0.02)
})

test("the labelled queries have every kind, and about as many harmless digit queries as identifiers", () => {
  const { kinds, identifiers, harmlessDigitQueries } = evaluateScrub([...shipped, ...heldOut], allKinds)
  expect(kinds.map(({ kind }) => kind)).toEqual(identifierKinds)
  for (const { truePositives } of kinds) expect(truePositives).toBeGreaterThanOrEqual(20)
  expect(heldOut.length).toBeGreaterThanOrEqual(150)
  expect(harmlessDigitQueries / identifiers).toBeGreaterThan(0.8)
})

test("no query is in both the shipped and the held-out labels", () => {
  const known = new Set(shipped.map(({ query }) => query))
  expect(heldOut.filter(({ query }) => known.has(query))).toEqual([])
})
