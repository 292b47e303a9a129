import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { type MeasureName, measure } from "#dist/measures/registry.js"
import type { MethodOptions } from "#dist/release/method-options.js"
import { readRelease } from "#dist/release/read-release.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

// animal / dog / poodle, animal / cat, plant
const taxonomy = () =>
  write(
    "path\tsupport\ttext\nanimal\t1\t\nanimal/dog\t1\t\nanimal/dog/poodle\t1\t\nanimal/cat\t1\t\nplant\t1\t\n",
    "t.tsv",
  )
const classifier = () => write("query\tpath\npoodle\tanimal/dog/poodle\nkitten\tanimal/cat\nfern\tplant\n", "c.tsv")

const search = (user: string, query: string, i: number): Search => ({ user, query, time: timeAfter(i) })
const searches = [search("1", "poodle", 0), search("1", "kitten", 1), search("2", "poodle", 2), search("2", "fern", 3)]

async function outcomesOf(options: MethodOptions["equality"], only: readonly MeasureName[], searched = searches) {
  const folder = fresh()
  const { input } = await publish(write(aolText(searched)), folder, { method: "equality", ...options })
  const subject = { release: await readRelease(folder), log: input.log }
  const values = { taxonomy: taxonomy(), classifier: classifier() }
  return measure(subject, { only, values }, context)
}

const scores = async (options: MethodOptions["equality"], only: readonly MeasureName[]) =>
  (await outcomesOf(options, only)).flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))

const rowsOf = (series: { rows: number; columns: readonly string[]; cell(row: number, column: number): unknown }) =>
  Array.from({ length: series.rows }, (_, row) => series.columns.map((_, column) => series.cell(row, column)))

describe("how far the topics of a release are from those of its log", () => {
  test("is 0 if everything is released", async () => {
    const [score] = await scores({ k: 1 }, ["topic-distance"])
    expect(score).toMatchObject({ name: "topic-distance", value: 0, n: 4 })
  })

  test("is the edges that topics would have to move, for topics cut at each depth", async () => {
    // Only the poodles are left: a quarter moves from the cat (3 edges), a quarter from the plant (4 edges).
    const [score] = await scores({ k: 2 }, ["topic-distance"])
    expect(score?.value).toBeCloseTo(7 / 4, 12)
    expect(score?.series && rowsOf(score.series)).toEqual([
      [1, 0.5], // a quarter from plant to animal
      [2, expect.closeTo(5 / 4, 12)],
      [3, expect.closeTo(7 / 4, 12)],
    ])
  })

  test("is given for each user if the release shows them", async () => {
    const [profile] = await scores({ k: 2, users: "keep" }, ["profile-distance"])
    // Half of user 1 moves from the cat, half of user 2 from the plant.
    expect(profile).toMatchObject({ name: "profile-distance", n: 2 })
    expect(profile?.value).toBeCloseTo((3 / 2 + 4 / 2) / 2, 12)
  })

  test("is not given if there are no topics to compare", async () => {
    const skipped = "there was nothing to score"
    const topics = ["topic-distance", "profile-distance"] as const
    expect(await outcomesOf({ k: 100, users: "keep" }, topics)).toEqual(topics.map((probe) => ({ probe, skipped })))
    const unknown = [search("1", "xyzzy", 0), search("2", "xyzzy", 1)]
    expect(await outcomesOf({ k: 1 }, ["topic-loss"], unknown)).toEqual([{ probe: "topic-loss", skipped }])
  })

  test("says what swapping within topics of a depth would lose", async () => {
    const [score] = await scores({ k: 1 }, ["topic-loss"])
    // Below animal there are two poodles and a cat. A search and another of the three are 3 edges apart in 4 of 9
    // pairs.
    const longest = 2 * ((3 + 3 + 2 + 1) / 4)
    expect(score?.series && rowsOf(score.series)[1]).toEqual([
      1,
      expect.closeTo(((4 / 9) * 3 * 3) / 4, 12),
      expect.closeTo(((4 / 9) * 3 * 3) / 4 / longest, 12),
    ])
    expect(score?.series && rowsOf(score.series)[3]).toEqual([3, 0, 0])
  })
})
