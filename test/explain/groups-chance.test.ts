import { expect, test } from "vitest"
import { type Search, timeAfter } from "../support/aol-log.ts"
import { explain, readRows, shownTexts } from "./explained.ts"

/** Twelve people who click: one on a page about dogs, the others on one about cats, all on the weather. */
const rows = Array.from({ length: 12 }, (_, person): Search[] => {
  const click = (query: string, url: string, minute: number) => {
    return { user: `${person}`, query, time: timeAfter(person * 3600 + minute * 60), rank: 1, url: `http://${url}` }
  }
  return [...(person === 0 ? [click("dog", "dogs", 1)] : [click("cat", "cats", 1)]), click("weather", "weather", 2)]
}).flat()

const draws = 400
/** Number of standard deviations. A correct bound is rejected in less than one of a million runs. */
const allowed = 4.9

test("groups show a query at least as often as explain says, and one that everybody has in every draw", async () => {
  const log = await readRows(rows)
  const choice = { method: "groups", k: 2, minQueryUsers: 1, urls: "keep" }
  const dog = await explain(log, choice, "dog")
  expect(dog).toMatchObject({ verdict: "depends on chance", chance: { low: 1 / 12, high: 1 } })
  expect(await explain(log, choice, "weather")).toMatchObject({ verdict: "released" })
  let shown = 0
  for (let seed = 1; seed <= draws; seed++) {
    const texts = await shownTexts(log, choice, seed)
    if (texts.has("dog")) shown++
    expect(texts.has("weather")).toBe(true)
  }
  const { low } = dog.chance
  expect(shown / draws).toBeGreaterThanOrEqual(low - allowed * Math.sqrt((low * (1 - low)) / draws))
  expect(shown).toBeLessThan(draws)
})
