import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { dataFile } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
const random = seededRandom(7)
const k = 4
const people = 240

/** Everyone clicks twelve times, each at an hour of their own within a month, on one of six pages. */
const searches = Array.from({ length: people }, (_, person): Search[] =>
  Array.from({ length: 12 }, (): Search => {
    const page = (person + random.below(2)) % 6
    const time = timeAfter(random.below(30 * 24) * 3600)
    return { user: `person-${person}`, query: `page ${page}`, time, rank: 1, url: `http://page-${page}` }
  }),
).flat()
const original = write(aolText(searches), "people.tsv")
const hourOf = (time: string) => time.slice(0, 13)

interface Released {
  rows: string[]
  hours: Set<string>
}

const byName = new Map<string, Released>()
/** The person behind each name, and the names of those who are the centroid of their group. */
const personOf = new Map<string, string>()
const centroids = new Set<string>()

const readTable = (path: string) => {
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n")
  return lines.map((line) => line.split("\t"))
}

beforeAll(async () => {
  await publish(original, at("release"), { method: "groups", k }, { audit: at("audit"), context: { seed: 3 } })
  const lines = readFileSync(original, "utf8").split("\n")
  const trail = readTable(`${at("audit")}/trail.tsv`)
  for (const [i, [name = "", query, time = "", , url]] of readTable(dataFile(at("release"))).entries()) {
    const held = byName.get(name) ?? { rows: [], hours: new Set() }
    byName.set(name, held)
    held.rows.push([query, url, time].join())
    held.hours.add(hourOf(time))
    const line = Number(trail[i]?.at(-1))
    personOf.set(name, lines[line - 1]?.split("\t")[0] ?? "")
  }
  for (const [person = "", , centroid] of readTable(`${at("audit")}/groups.tsv`))
    if (centroid === "1") centroids.add(person)
})

describe("the times of a release of groups", () => {
  test("are hours in which at least k people clicked", () => {
    const clickers = new Map<string, Set<string>>()
    for (const { user, time } of searches)
      clickers.set(hourOf(time), (clickers.get(hourOf(time)) ?? new Set()).add(user))
    for (const { hours } of byName.values())
      for (const hour of hours) expect(clickers.get(hour)?.size).toBeGreaterThanOrEqual(k)
  })

  test("are the same for all names of a group, row by row", () => {
    const alike = new Map<string, number>()
    for (const { rows } of byName.values()) {
      const key = [...rows].sort().join("\n")
      alike.set(key, (alike.get(key) ?? 0) + 1)
    }
    expect(byName.size).toBe(people)
    expect(Math.min(...alike.values())).toBeGreaterThanOrEqual(k)
  })

  // A guess finds the group of one person in 60: 3 of 180. More than 12 by chance: less than 1 in 10,000.
  test("do not lead an attacker who knows ten click hours of a member to the member's group", () => {
    const groupOf = ({ rows }: Released) => [...rows].sort().join("\n")
    const groups = [...new Map([...byName.values()].map((held) => [groupOf(held), held])).values()]
    let right = 0
    for (const [name, held] of byName) {
      const person = personOf.get(name) ?? ""
      if (centroids.has(person)) continue
      const own = searches.filter(({ user }) => user === person).map(({ time }) => hourOf(time))
      const known = [...new Set(own)].slice(0, 10)
      const score = ({ hours }: Released) => known.filter((hour) => hours.has(hour)).length / hours.size
      const best = Math.max(...groups.map(score))
      const candidates = groups.filter((group) => score(group) === best)
      const named = candidates[random.below(candidates.length)]
      if (named !== undefined && groupOf(named) === groupOf(held)) right++
    }
    expect(personOf.size - centroids.size).toBe(180)
    expect(right).toBeLessThanOrEqual(12)
  })
})
