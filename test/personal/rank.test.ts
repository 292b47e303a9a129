import { describe, expect, test } from "vitest"
import { mapQuery } from "#dist/personal/map-query.js"
import { averagePrecision, fuseBorda, upRank, uscores } from "#dist/personal/rank.js"
import { sampleTree } from "./sample-tree.ts"

const searcher = await sampleTree().searcher()
const { taxonomy } = searcher

describe("results", () => {
  test("are fused by Borda's points, with ties decided by the first order", () => {
    // Places of a, b, c, d: 1 2 3 4 and 3 1 4 2; points 4+2, 3+4, 2+1, 1+3.
    expect([...fuseBorda([[0, 1, 2, 3], [1, 3, 0, 2]])]).toEqual([1, 0, 3, 2]) // biome-ignore format: two orders
    expect([...fuseBorda([[0, 1], [1, 0]])]).toEqual([0, 1]) // biome-ignore format: two orders
    expect([...fuseBorda([])]).toEqual([])
  })

  test("have an average precision, eq. 19 by hand", () => {
    // Relevant at ranks 1, 3 and 6: (1/1 + 2/3 + 3/6) / 3.
    const relevant = new Set([7, 5, 2])
    expect(averagePrecision([7, 1, 5, 3, 4, 2], (item) => relevant.has(item))).toBeCloseTo((1 + 2 / 3 + 0.5) / 3, 12)
    expect(averagePrecision([1, 2], () => false)).toBe(0)
  })

  test("keep their order if their scores are equal", () => {
    expect([...upRank([0.5, 0.9, 0.5, 0.9])]).toEqual([1, 3, 0, 2])
  })
})

describe("a uscore", () => {
  const relevant = mapQuery(searcher, "eagles")
  const texts = [
    "eagles hotel california guitar",
    "eagles philadelphia quarterback touchdown",
    "eagles raptor nest",
    "zzzz",
  ]
  const score = (...paths: string[]) =>
    uscores(texts, { searcher, relevant, shown: paths.map((path) => taxonomy.find(path)) })

  test("is high for results about the topics that were shown, and low for the others", () => {
    const [band, team, bird] = score("", "Arts", "Arts/Music", "Arts/Music/Artists", "Arts/Music/Artists/Eagles")
    expect(band).toBeGreaterThan(0.9)
    expect(Math.max(Number(team), Number(bird))).toBeLessThan(0.1)
  })

  test("of a more general exposure still reflects what is below it", () => {
    const [band, team, bird] = score("", "Sports")
    expect(team).toBeGreaterThan(0.9)
    expect(Math.max(Number(band), Number(bird))).toBeLessThan(0.1)
  })

  test("on this machine weighs preferred topics more", () => {
    const shown = ["", "Arts", "Science", "Sports"].map((path) => taxonomy.find(path))
    const [band, team, bird] = uscores(texts, { searcher, relevant, shown, weights: [0.7, 0.3, 0] })
    expect([Number(band) > 0.6, Number(team) < 0.1, Number(bird) > 0.2 && Number(bird) < 0.4]).toEqual([
      true,
      true,
      true,
    ])
  })

  test("is neutral if only the root was shown, and follows the query for a text without known words", () => {
    expect([...score("")].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 1, 1, 1])
    expect(score("", "Science")[3]).toBeCloseTo(Number(relevant.probability[1]), 12)
    expect([...score()]).toEqual([0, 0, 0, 0])
  })
})
