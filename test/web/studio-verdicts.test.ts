import { describe, expect, test } from "vitest"
import { attackStates } from "#dist/study/report/attack-verdict.js"
import type { ReportContent } from "#dist/study/report/compose-report.js"
import { firstPage } from "#dist/study/report/first-page.js"
import { keptStates } from "#dist/study/report/promise-verdict.js"
import { attackLook, conclude, originWarning, promiseLook } from "../../web/studio/release/verdict-looks.ts"

type Kept = (typeof keptStates)[number]
type Attacked = (typeof attackStates)[number]
type Case = { kept: Kept; empty: boolean; state: Attacked }

const cases: Case[] = keptStates.flatMap((kept) =>
  [false, true].flatMap((empty) => attackStates.map((state) => ({ kept, empty, state }))),
)

/** The colours and words of the two verdicts on the HTML page of a report. */
function onReport({ kept, empty, state }: Case) {
  const content = {
    folder: "release",
    manifest: {
      method: "equality",
      id: "1",
      created: "2026-01-01T00:00:00.000Z",
      files: [],
      guarantee: { model: "k-anonymity", statement: "", notCovered: [], parameters: {} },
      parameters: {},
    },
    created: new Date(0),
    attacked: { state, sentence: "", caveats: [], meanings: [], acceptedRisk: 0.1, ran: 1, above: 0, known: 1 },
    promise: { kept, sentence: "", open: [], empty },
    measures: [],
    inputs: [],
    readings: [],
    against: true,
    relation: "same",
  } as unknown as ReportContent
  const found = firstPage(content).text.matchAll(/class="verdict (\w+)">\s*<h2>[^<]*<\/h2><p class="word">([^<]*)</g)
  return [...found].map(([, look, word]) => ({ look, word }))
}

describe("the two verdicts in the studio", () => {
  test("have the colours and words of the report, for every pair of results", () => {
    expect(cases).toHaveLength(32)
    for (const one of cases) expect([promiseLook(one, one.state), attackLook(one.state)]).toEqual(onReport(one))
  })

  test("are green for a kept promise only if no attack found anything", () => {
    const green = cases.filter((one) => promiseLook(one, one.state).look === "good")
    expect(green).toEqual([{ kept: "yes", empty: false, state: "nothing above chance" }])
  })

  const sentenceOf = ({ kept, empty, state }: Case) =>
    conclude({
      promise: { kept, sentence: "", open: [], empty },
      attacks: { state, sentence: "", caveats: [], meanings: [], acceptedRisk: 0.1 },
    })

  test("come with a sentence that does not recommend what failed", () => {
    expect(sentenceOf({ kept: "yes", empty: false, state: "nothing above chance" })).toBe(
      "This release keeps its promise. No attack found more than a guess would.",
    )
    expect(sentenceOf({ kept: "yes", empty: false, state: "over the accepted risk" })).toBe(
      "This release keeps its promise. But an attack found more than you accept.",
    )
    for (const one of cases.filter(({ kept }) => kept === "no")) expect(sentenceOf(one)).toMatch(/^Do not publish/)
    for (const one of cases.filter(({ kept, empty }) => kept !== "no" && empty))
      expect(sentenceOf(one)).toMatch(/empty/)
  })

  test("warn about every log but the release's own", () => {
    expect(originWarning("same")).toBeUndefined()
    for (const original of ["alike", "other", "not compared"] as const)
      expect(originWarning(original)).toMatch(/^Judged against another log|^Nothing shows/)
  })
})
