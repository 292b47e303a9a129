import { describe, expect, test } from "vitest"
import { queryClass, queryClassBounds } from "#dist/personal/query-classes.js"
import { clarityOf, sayClarity } from "../../web/personal/clarity-words.ts"

describe("how clear a query is", () => {
  const shown = (dpWithout: number, dp: number) => sayClarity({ decision: "exposed", dp, dpWithout })

  test("is described in words, without numbers", () => {
    expect(shown(0.41, 1)).toBe("The engine can tell better what you mean: from unsure to clear.")
    expect(shown(0.46, 1)).toBe("The engine can tell better what you mean: from fairly clear to clear.")
    expect(shown(0.1, 0.2)).toBe("The engine can tell a little better what you mean: it stays unsure.")
    expect(shown(0.5, 0.5)).toBe("What is shown does not help the engine tell what you mean.")
    const alone = (dpWithout: number) => sayClarity({ decision: "nothing", dp: dpWithout, dpWithout })
    expect([0.1, 0.5, 0.9].map(alone)).toEqual([
      "From the query alone, an engine is unsure what you mean.",
      "From the query alone, it is fairly clear what you mean.",
      "From the query alone, it is clear what you mean.",
    ])
  })

  test("has the classes of the decision", () => {
    const words = { ambiguous: "unsure", medium: "fairly clear", distinct: "clear" }
    const { medium, distinct } = queryClassBounds
    for (const power of [0, medium - 1e-9, medium, distinct - 1e-9, distinct, 1])
      expect(clarityOf(power)).toBe(words[queryClass(power)])
  })
})
