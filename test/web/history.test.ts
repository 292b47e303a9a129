import { describe, expect, test } from "vitest"
import { extend, type Moment } from "../../web/stream/history.ts"
import { figuresOf } from "../server/stream-figures.ts"

describe("the history of the live page", () => {
  const at = (seconds: number, lines: number) => figuresOf({ now: 1_700_000_100_000 + seconds * 1000, lines })

  test("has rates by the stream's own clock, and none if the clock went back or another run began", () => {
    let history: Moment[] = []
    const rates = [at(0, 0), at(2, 3000), at(1, 4000), at(3, 5000), { ...at(4, 10), startedAt: 1_700_000_103_000 }].map(
      (figures, i) => {
        history = extend(history, figures, i * 1000)
        return history.at(-1)?.inRate
      },
    )
    expect(rates).toEqual([Number.NaN, 1500, Number.NaN, 500, Number.NaN])
  })

  test("forgets what is older than 15 minutes", () => {
    let history: Moment[] = []
    for (let s = 0; s < 1000; s += 10) history = extend(history, at(s, s), s * 1000)
    expect(history).toHaveLength(91)
    expect(history[0].at).toBe(90_000)
  })
})
