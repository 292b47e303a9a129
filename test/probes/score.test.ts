import { describe, expect, test } from "vitest"
import { attack } from "#dist/attacks/registry.js"
import { measure } from "#dist/measures/registry.js"
import { retrieval } from "#dist/measures/retrieval/retrieval.js"
import { scoresOf } from "#dist/probes/run-probes.js"
import { findScore, nameFindings, scoreSchema } from "#dist/probes/score.js"
import { Value } from "#typebox"
import { aolText, smallTown } from "../support/aol-log.ts"
import { draftOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

describe("a score", () => {
  test("says which probe found it, for what and at which settings, so that nobody has to parse its label", async () => {
    const { subject } = await draftOf(write(aolText(smallTown()), "town.tsv"), { method: "equality", k: 2 })
    const scores = [
      ...scoresOf(await attack(subject, { only: ["secrets", "known-query", "injection"], values: { accounts: 3 } })),
      ...scoresOf(await measure(subject, { only: ["top-queries", "kept-per-user", "events-kept"] })),
    ]
    for (const { series: _series, ...score } of scores) expect([...Value.Errors(scoreSchema, score)]).toEqual([])
    expect(scores).toContainEqual(
      expect.objectContaining({ probe: "injection", score: "injection", at: { accounts: 3 }, name: "injection@3" }),
    )
    expect(findScore(scores, { probe: "kept-per-user", score: "events-per-user", at: { percent: 50 } })?.name).toBe(
      "events-per-user@50",
    )
    expect(findScore(scores, { probe: "top-queries", score: "top-queries" })?.at).toEqual({ top: 100 })
  })

  test("keeps the label of earlier versions", () => {
    const about = { value: 0, better: "lower" } as const
    const labelled = (probe: Parameters<typeof nameFindings>[0], score: string, at?: Record<string, string | number>) =>
      nameFindings(probe, [{ score, ...(at && { at }), ...about }])[0]?.name
    expect(labelled({ name: "linkage" }, "known-searches", { known: 2 })).toBe("linkage/known-searches@2")
    expect(labelled({ name: "linkage" }, "linkage", { attacker: "shy", among: "named" })).toBe("linkage/shy/named")
    expect(labelled({ name: "injection" }, "injection", { accounts: 4, method: "equality" })).toBe(
      "injection@4/equality",
    )
    expect(labelled(retrieval, "ndcg", { ranker: "walk", cut: 10 })).toBe("walk-ndcg_cut_10")
    expect(labelled(retrieval, "P", { ranker: "feedback", cut: 5 })).toBe("feedback-P_5")
    expect(labelled(retrieval, "ndcg", { ranker: "walk", cut: 10, statistic: "t-test-p" })).toBe(
      "walk-ndcg_cut_10-t-test-p",
    )
    expect(labelled(retrieval, "answered", { ranker: "walk" })).toBe("walk-answered")
  })

  test("is found by the given settings, or by having none", () => {
    const scores = nameFindings({ name: "secrets" }, [
      { score: "secrets", at: { kind: "mail" }, value: 1, better: "lower" },
      { score: "secrets", value: 2, better: "lower" },
    ])
    expect(findScore(scores, { probe: "secrets", score: "secrets" })?.value).toBe(1)
    expect(findScore(scores, { probe: "secrets", score: "secrets", at: { kind: undefined } })?.value).toBe(2)
    expect(findScore(scores, { probe: "secrets", score: "secrets", at: { kind: "phone" } })).toBeUndefined()
  })
})
