import { describe, expect, test } from "vitest"
import { eavesdrop, type Overheard, walkDown } from "#dist/attacks/eavesdropper/eavesdropper.js"
import { drawTopic, topicLottery } from "#dist/attacks/eavesdropper/topic-lottery.js"
import { seededRandom } from "#dist/kernels/random.js"
import { sampleTree } from "./sample-tree.ts"

const taxonomy = await sampleTree().open()
const topicOf = (path: string) => taxonomy.find(path)
const sensitive = [
  [topicOf("Arts/Music/Instrument/Harmonica"), 1],
  [topicOf("Sports/Ice skating/Figure"), 1],
] as const
const music: Overheard = {
  shown: ["", "Arts", "Arts/Music", "Arts/Music/Artists"].map(topicOf),
  relevant: [[topicOf("Arts/Music/Artists/Eagles"), 1]],
}
const skating: Overheard = {
  shown: ["", "Sports", "Sports/Ice skating"].map(topicOf),
  relevant: [
    [topicOf("Sports/Ice skating/Figure"), 0.5],
    [topicOf("Science/Birds/Owls"), 0.5],
  ],
}
const run = (overheard: readonly Overheard[], games = 2000) => {
  const scores = eavesdrop({ taxonomy, sensitive }, overheard, { games, random: seededRandom(5) })
  return Object.fromEntries(scores.map((score) => [score.name.replace("eavesdropper/", ""), score]))
}

describe("the eavesdropper", () => {
  test("recovers by the public supports: half of ice skating is figure skating", () => {
    expect([
      ...walkDown(
        taxonomy,
        sensitive.map(([topic]) => topic),
        new Set(skating.shown),
      ),
    ]).toEqual([5 / 200, 0.5])
    const { recovered } = run([music])
    // Harmonica from Music: 5 / 60. Figure skating from the root: 15 / 200. This is more than the risk of eq. 14, 0.05.
    expect(recovered?.value).toBeCloseTo((5 / 60 + 15 / 200) / 2, 12)
    expect(recovered?.baseline).toBeCloseTo((5 / 200 + 15 / 200) / 2, 12)
  })

  test("gains nothing if nothing is shown", () => {
    const scores = run([{ shown: [], relevant: music.relevant }])
    for (const name of ["recovered", "recovered-query", "recovered-session", "recovered-session-query"])
      expect(scores[name]?.value).toBe(scores[name]?.baseline)
    expect(scores.guessed?.value).toBe(0)
  })

  test("joins what several queries showed", () => {
    const { recovered, "recovered-session": session } = run([music, skating])
    expect(session?.value).toBeCloseTo((5 / 60 + 0.5) / 2, 12)
    expect(recovered?.value).toBeCloseTo(((5 / 60 + 15 / 200) / 2 + (5 / 200 + 0.5) / 2) / 2, 12)
  })

  test("with the query, knows a pruned topic for sure if the query can mean no other topic there", () => {
    const { "recovered-query": withQuery, recovered } = run([skating])
    expect(recovered?.value).toBeCloseTo((5 / 200 + 0.5) / 2, 12)
    expect(withQuery?.value).toBeCloseTo((5 / 200 + 1) / 2, 12)
  })

  test("wins the guessing game as often as computed", () => {
    // Leaves Artists (nothing sensitive below) and Ice skating (one half): P = 0.5. Five standard errors of 20,000
    // games: a false alarm for one in 1.7 million seeds. A game that drew evenly from the children instead would show
    // in the next test.
    const { guessed } = run([music, skating], 20_000)
    expect(Math.abs(Number(guessed?.value) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / 20_000))
    // Two draws from the root: 1 − (1 − 20/200)².
    expect(Math.abs(Number(guessed?.baseline) - 0.19)).toBeLessThan(5 * Math.sqrt((0.19 * 0.81) / 20_000))
  })

  test("gives the same answers under the same seed", () => {
    expect(run([music, skating])).toEqual(run([music, skating]))
  })
})

describe("the lottery of topics", () => {
  const n = 40_000
  const music = topicOf("Arts/Music")
  // Own supports 20, 20, 5 and 15 of 60. Five standard errors each, so a false alarm for one in 400,000 seeds.
  const shares = { "Artists/Eagles": 20, "Artists/Queen": 20, "Instrument/Harmonica": 5, "Instrument/Piano": 15 }
  const isByShare = (draw: () => number) => {
    const counts = new Map<number, number>()
    for (let i = 0; i < n; i++) {
      const topic = draw()
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
    }
    const isNear = ([name, support]: [string, number]) => {
      const p = support / 60
      const found = (counts.get(topicOf(`Arts/Music/${name}`)) ?? 0) / n
      return Math.abs(found - p) < 5 * Math.sqrt((p * (1 - p)) / n)
    }
    return counts.size === 4 && Object.entries(shares).every(isNear)
  }

  test("draws a topic by its share of the support, within its subtree", () => {
    const lottery = topicLottery(taxonomy)
    const random = seededRandom(9)
    expect(isByShare(() => drawTopic(lottery, music, random))).toBe(true)
  })

  test("would fail this test if it chose children with equal chances", () => {
    const random = seededRandom(9)
    const names = Object.keys(shares)
    expect(isByShare(() => topicOf(`Arts/Music/${names[random.below(4)]}`))).toBe(false)
  })
})
