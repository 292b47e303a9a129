import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { frontOf, sameValues } from "../../web/studio/explore/front-of.ts"
import { riskScale, useScale } from "../../web/studio/explore/frontier-scales.ts"
import { kindOf, parametersOf, splitOptions, startForm, titleOf } from "../../web/studio/explore/option-fields.ts"
import { nearestPoint, stepPoint, toggleCompared } from "../../web/studio/explore/point-order.ts"
import {
  type FrontierPoint,
  isAccepted,
  labelPoint,
  sayGain,
  sayPeople,
  sayRisk,
  sayUse,
} from "../../web/studio/explore/point-words.ts"

const share = fc.double({ min: 0, max: 1, noNaN: true })
const thousandths = fc.integer({ min: 0, max: 1000 })
const hard = (text: string) => text.replaceAll(/(?<=\d) (?=%)/g, "\u00a0")

describe("the scale of risk", () => {
  test("keeps the order of risks, has 0 on the left, and stretches small ones", () => {
    fc.assert(
      fc.property(thousandths, thousandths, (a, b) => {
        const { place } = riskScale(1, { apart: 0.1 })
        expect(Math.sign(place(a / 1000) - place(b / 1000))).toBe(Math.sign(a - b))
      }),
    )
    const { place } = riskScale(1, { apart: 0.1 })
    expect(place(0)).toBe(0)
    expect(place(0.01)).toBeGreaterThan(0.2)
  })

  test("holds the largest value, and its ticks are apart", () => {
    fc.assert(
      fc.property(share, fc.double({ min: 0.05, max: 0.3, noNaN: true }), (largest, apart) => {
        const { place, ticks } = riskScale(largest, { apart })
        expect(place(largest)).toBeLessThanOrEqual(1)
        expect(ticks[0]).toBe(0)
        for (const [i, tick] of ticks.slice(1).entries())
          expect(place(tick) - place(ticks[i] ?? 0)).toBeGreaterThanOrEqual(apart)
      }),
    )
  })

  test("is there before the first point", () => {
    expect(riskScale(Number.NEGATIVE_INFINITY, { apart: 0.1 }).place(0)).toBe(0)
  })
})

describe("the scale of usefulness", () => {
  test("has the better value above the worse one", () => {
    const higher = useScale([0.1, 0.5], { better: "higher" })
    const lower = useScale([100, 500], { better: "lower" })
    expect(higher.place(0.5)).toBeGreaterThan(higher.place(0.1))
    expect(lower.place(100)).toBeGreaterThan(lower.place(500))
  })

  test("is logarithmic only where values span more than a factor of 20", () => {
    expect(useScale([1, 19], { better: "higher" }).isLog).toBe(false)
    expect(useScale([1, 21], { better: "higher" }).isLog).toBe(true)
    expect(useScale([0, 21], { better: "higher" }).isLog).toBe(false)
    expect(useScale([], { better: "higher" }).ticks).toEqual([0, 0.5, 1])
  })
})

const spots = fc.uniqueArray(fc.record({ id: fc.uuid(), x: fc.integer({ max: 9 }), y: fc.integer({ max: 9 }) }), {
  minLength: 1,
  maxLength: 30,
  selector: ({ id }) => id,
})

describe("the keys of the chart", () => {
  test.each([
    ["ArrowRight", "Home"],
    ["ArrowLeft", "End"],
  ])("%s reaches every point from %s, each once", (key, from) => {
    fc.assert(
      fc.property(spots, (points) => {
        const seen = new Set<string>()
        let at = stepPoint(points, undefined, from)
        if (from === "End") at = stepPoint(points, at, "End")
        while (at !== undefined && !seen.has(at)) {
          seen.add(at)
          at = stepPoint(points, at, key)
        }
        expect(seen.size).toBe(points.length)
      }),
    )
  })

  test("move left and right by risk, up and down by usefulness", () => {
    const points = [
      { id: "safe", x: 10, y: 90 },
      { id: "middle", x: 50, y: 40 },
      { id: "risky", x: 90, y: 60 },
    ]
    expect(stepPoint(points, "safe", "ArrowRight")).toBe("middle")
    expect(stepPoint(points, "safe", "ArrowUp")).toBe("risky")
    expect(stepPoint(points, "middle", "ArrowUp")).toBe("middle")
    expect(stepPoint(points, "middle", "ArrowDown")).toBe("risky")
    expect(stepPoint(points, "middle", "End")).toBe("risky")
    expect(stepPoint(points, "middle", "a")).toBeUndefined()
    expect(stepPoint(points, "middle", "toString")).toBeUndefined()
    expect(stepPoint([], undefined, "Home")).toBeUndefined()
  })

  test("a pointer finds the nearest point, and none far away", () => {
    const points = [
      { id: "a", x: 0, y: 0 },
      { id: "b", x: 10, y: 0 },
    ]
    expect(nearestPoint(points, { x: 6, y: 1, within: 20 })).toBe("b")
    expect(nearestPoint(points, { x: 60, y: 1, within: 20 })).toBeUndefined()
  })

  test("at most two points are compared", () => {
    expect(["a", "b", "c"].reduce<string[]>(toggleCompared, [])).toEqual(["b", "c"])
    expect(toggleCompared(["b", "c"], "b")).toEqual(["c"])
  })
})

const point = (parts: Partial<FrontierPoint>): FrontierPoint => ({
  id: "sample-1",
  of: "sample",
  method: "equality",
  parameters: { k: 10 },
  name: "equality, k 10",
  raw: false,
  attacker: "knows earlier searches, finds the person behind a name",
  uses: {},
  front: false,
  state: "passed",
  report: true,
  ...parts,
})
const risk = (value: number, high: number) => ({ risk: { value, low: 0, high, attack: "profile/name" } })

describe("words of a point", () => {
  test("a point is accepted by the upper end of its risk, and not if its risk is not known", () => {
    expect(isAccepted(point(risk(0.01, 0.05)), 0.05)).toBe(true)
    expect(isAccepted(point(risk(0.01, 0.051)), 0.05)).toBe(false)
    expect(isAccepted(point({}), 1)).toBe(false)
  })

  test("risk is said as people", () => {
    expect([0, 0.0004, 0.05, 0.004, 0.8, 1].map(sayPeople)).toEqual([
      "nobody beyond a guess",
      "fewer than 1 person in 1,000 beyond a guess",
      "about 1 person in 20 beyond a guess",
      "about 1 person in 250 beyond a guess",
      "about 8 people in 10 beyond a guess",
      "everybody",
    ])
    expect([0, 0.0004, 0.021].map(sayGain)).toEqual(["0.0 %", "under 0.1 %", "2.1 %"].map(hard))
    expect(sayRisk(point(risk(0.01, 0.02)), 0.05)).toBe(
      hard(
        "Within what you accept. The strongest attack finds about 1 person in 100 beyond a guess (1.0 %). " +
          "It may find up to 2.0 %.",
      ),
    )
    expect(sayRisk(point({}), 0.05)).toMatch(/^Not known/)
  })

  test("shares are percents, other scores are numbers", () => {
    expect(sayUse("events", 0.541)).toBe(hard("54.1 %"))
    expect(sayUse("suggestions", 0.03801)).toBe("0.038")
    expect(sayUse("language", 1234.4)).toBe("1,234")
  })

  test("a screen reader hears what the chart shows", () => {
    const said = labelPoint(point({ ...risk(0.01, 0.02), uses: { events: { value: 0.5, low: 0.5, high: 0.5 } } }), {
      use: "events",
      title: "searches kept",
      maxRisk: 0.05,
      marks: ["recommended"],
    })
    expect(said).toBe(
      hard(
        "equality, k 10; computed on a sample; recommended; risk 1.0 %, at most 2.0 %, accepted; searches kept 50.0 %",
      ),
    )
  })
})

describe("the front of another use", () => {
  test("is computed for the sample and for the whole log separately", () => {
    const at = (id: string, of: "sample" | "whole", [gain, kept]: [number, number]) =>
      point({ id, of, ...risk(gain, gain), uses: { events: { value: kept, low: kept, high: kept } } })
    const placed = [at("a", "sample", [0.1, 0.5]), at("b", "sample", [0.2, 0.4]), at("c", "whole", [0.3, 0.4])]
    const explore = { use: "queries", uses: { events: { better: "higher" } } } as Parameters<typeof frontOf>[0]
    expect(frontOf(explore, { use: "events", placed })).toEqual(new Set(["a", "c"]))
    expect(frontOf({ ...explore, use: "events" }, { use: "events", placed })).toEqual(new Set())
  })

  test("a choice is a point if all parameters are the same", () => {
    expect(sameValues({ k: 10, users: "day" }, { users: "day", k: 10 })).toBe(true)
    expect(sameValues({ k: 10 }, { k: 10, users: "day" })).toBe(false)
    expect(sameValues({ k: "10" }, { k: 10 })).toBe(false)
  })
})

describe("the form of a point", () => {
  const swap = {
    name: "swap",
    summary: "swap users",
    releases: "rows" as const,
    options: [
      { key: "category", says: "show the topic", default: false },
      { key: "users", says: "let a name last", values: ["cell", "day"], default: "cell" },
      { key: "theta", says: "similar", minimum: 0.05, maximum: 1, default: 0.9 },
      { key: "k", says: "hide among", minimum: 2, maximum: 1_000_000, default: 10 },
      { key: "epsilon", says: "spend" },
      { key: "approximate", says: "look only around", values: ["true", "false"] },
    ],
  }

  test("shows first what matters most, the rest after it", () => {
    const { main, more } = splitOptions(swap)
    expect(main.map(({ key }) => key)).toEqual(["k", "epsilon", "theta", "users"])
    expect(more.map(({ key }) => key)).toEqual(["category", "approximate"])
    expect(swap.options.map(kindOf)).toEqual(["choice", "choice", "share", "number", "text", "choice"])
  })

  test("names k always and other options only if they are not the default, with the type of each", () => {
    expect(parametersOf(swap, startForm(swap))).toEqual({ k: 10 })
    const moved = { theta: "0.7", epsilon: " 2 ", category: "true", approximate: "false" }
    expect(parametersOf(swap, { ...startForm(swap, { k: 5, users: "day" }), ...moved })).toEqual({
      ...{ k: 5, users: "day", theta: 0.7, epsilon: "2" },
      ...{ category: true, approximate: false },
    })
  })

  test("says what a letter means in each method", () => {
    expect(titleOf("counts", "delta")).toBe("Chance that the bound fails (δ)")
    expect(titleOf("groups", "delta")).toBe("Distance between the clicks of two queries (δ)")
    expect(titleOf("swap", "minQueryUsers")).toBe("Min query users")
  })
})
