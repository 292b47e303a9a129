import { describe, expect, test } from "vitest"
import { nameFindings } from "#dist/probes/score.js"
import { advise } from "#dist/study/advise/advise.js"
import { readFrontier } from "#dist/study/frontier/rows.js"
import type { PointResult } from "#dist/study/study.js"

/** The numbers of a release. */
interface Made {
  method: string
  k: number
  risk: [value: number, low: number, high: number]
  use: number
  raw?: true
  fails?: true
}

/** A point with these numbers. A guess is never right. */
const pointOf = ({ method, k, risk, use, raw, fails }: Made): PointResult => ({
  point: { method, k, targets: 100, ...(raw && { raw }) },
  scores: [
    ...nameFindings({ name: "profile" }, [
      { score: "record", value: risk[0], interval: [risk[1], risk[2]], n: 100, baseline: 0, better: "lower" },
    ]),
    ...nameFindings({ name: "suggestions" }, [
      { score: "suggestions", value: use, n: 100, baseline: 0.4, better: "higher" },
    ]),
    ...nameFindings({ name: "perplexity" }, [
      { score: "perplexity", value: 1000 - 1000 * use, n: 100, baseline: 500, better: "lower" },
    ]),
  ],
  tables: {
    checks: {
      columns: ["check", "state"],
      rows: [
        ["randomness", "failed"],
        ["rows", fails ? "failed" : "passed"],
      ],
    },
  },
})

const raw: Made = { method: "equality", k: 1, risk: [0.6, 0.5, 0.7], use: 0.4, raw: true }
const better: Made = { method: "affinity", k: 5, risk: [0.04, 0.03, 0.06], use: 0.35 }
const good: Made = { method: "equality", k: 5, risk: [0.03, 0.02, 0.05], use: 0.3 }
const less: Made = { method: "swap", k: 10, risk: [0.01, 0, 0.02], use: 0.2 }
const empty: Made = { method: "groups", k: 10, risk: [0, 0, 0.01], use: 0 }

const adviceOn = (points: readonly Made[], maxRisk: number, use: "suggestions" | "language" = "suggestions") =>
  advise(readFrontier(points.map(pointOf)), { use, maxRisk })

/** Sentences end with a full stop before a capital letter or the end. */
const sentences = (text: string) => text.split(/(?<=\.)\s+(?=[A-Z])/)

describe("advice", () => {
  test("is the most useful release whose risk interval ends within the bound, whatever its estimate", () => {
    for (const use of ["suggestions", "language"] as const) {
      expect(adviceOn([raw, less, good, better], 0.05, use).chosen?.row.label).toBe("equality, k 5")
      expect(adviceOn([raw, less, good, better], 0.06, use).chosen?.row.label).toBe("affinity, k 5")
      expect(adviceOn([raw, less, good, better], 0.03, use).chosen?.row.label).toBe("swap, k 10")
    }
  })

  test("is never the raw log, a release that fails a check, or one that keeps nothing", () => {
    expect(adviceOn([raw, { ...good, fails: true }, empty], 1).chosen).toBeUndefined()
    expect(adviceOn([raw, { ...good, fails: true }, empty, less], 1).chosen?.row.label).toBe("swap, k 10")
  })

  test("is never a release that shows no search, whatever the use", () => {
    const shown = (made: Made, value: number): PointResult => {
      const point = pointOf(made)
      const events = { score: "events-kept", value, n: 100, baseline: 1, better: "higher" as const }
      return { ...point, scores: [...point.scores, ...nameFindings({ name: "events-kept" }, [events])] }
    }
    const within = { use: "language", maxRisk: 0.05 } as const
    expect(advise(readFrontier([shown(empty, 0)]), within).chosen).toBeUndefined()
    expect(advise(readFrontier([shown(less, 0), shown(good, 0.1)]), within).chosen?.row.label).toBe("equality, k 5")
    expect(advise(readFrontier([shown(empty, 0.1)]), within).chosen?.row.label).toBe("groups, k 10")
  })

  test("is never a release with a single candidate: a guess that is always right does not show safety", () => {
    const { scores, ...point } = pointOf(good)
    const alone = { ...point, scores: scores.map((score) => ({ ...score, baseline: 1 })) }
    expect(readFrontier([alone])[0]?.risk).toBeUndefined()
    expect(advise(readFrontier([alone]), { use: "suggestions", maxRisk: 1 })).toMatchObject({ alternatives: [] })
    expect(advise(readFrontier([alone]), { use: "suggestions", maxRisk: 1 }).chosen).toBeUndefined()
  })

  test("gives its reasons in three sentences: what is kept, what the attack gained, why the next best lost", () => {
    const { reasons } = adviceOn([raw, less, good, better], 0.05)
    expect(sentences(reasons.join(" "))).toEqual(reasons)
    expect(reasons).toEqual([
      [
        "Of the 2 releases within the bound, equality with k 5 keeps the suggestion of next queries best",
        "(next query suggested (MRR): 0.3; the log itself: 0.4).",
      ].join(" "),
      [
        "The strongest attack on it, profile/record, gained 0.03 over a guess (95 % interval 0.02 to 0.05),",
        "within the 0.05 that you allow; on the log with its user names replaced, the strongest gained 0.6.",
      ].join(" "),
      [
        "The next best by next query suggested (MRR):",
        "affinity with k 5 (0.35; may have a risk of 0.06, more than 0.05) and swap with k 10 (0.2; keeps less).",
      ].join(" "),
    ])
    for (const points of [[good], [good, better], [good, less], [good, { ...good, k: 6 }]])
      expect(adviceOn(points, 0.05).reasons).toHaveLength(3)
  })

  test("names the safest release if none is within the bound", () => {
    const { chosen, safest, reasons } = adviceOn([raw, good, less, better], 0.001)
    expect([chosen, safest?.row.label, reasons]).toEqual([undefined, "swap, k 10", []])
  })
})
