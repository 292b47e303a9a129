import { describe, expect, test } from "vitest"
import { createAnchors, slugOf } from "../../site/anchors.ts"

describe("the anchor of a heading", () => {
  test.each([
    ["Names that last give people away", "names-that-last-give-people-away"],
    ["The ledger: `--ledger FILE`", "the-ledger---ledger-file"],
    ["ε, δ and k", "ε-δ-and-k"],
    ["1. Choose the version", "1-choose-the-version"],
    ["a_b (c/d)", "a_b-cd"],
    ["Pàmies-Estrems", "pàmies-estrems"],
  ])("is the one that GitHub makes: %s", (heading, anchor) => {
    expect(slugOf(heading.replaceAll("`", ""))).toBe(anchor)
  })

  test("is unique on its page", () => {
    const anchorOf = createAnchors()
    expect(["Speed", "Speed", "Speed-1", "Speed"].map(anchorOf)).toEqual(["speed", "speed-1", "speed-1-1", "speed-2"])
  })
})
