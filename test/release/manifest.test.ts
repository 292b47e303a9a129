import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText, marker, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { dataFile } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))

const readJson = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, "release.json"), "utf8"))

describe("release.json", () => {
  test("has the documented keys and no others", async () => {
    const folder = fresh()
    await publish(log, folder)
    const manifest = readJson(folder)
    expect(Object.keys(manifest)).toEqual([
      "queryveil",
      "id",
      "method",
      "parameters",
      "guarantee",
      "columns",
      "seeded",
      "created",
      "files",
    ])
    expect(manifest).toMatchObject({
      queryveil: 1,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      method: "equality",
      parameters: { k: 3, users: "session", urls: "threshold", time: "hour" },
      columns: ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"],
      seeded: false,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const { guarantee, parameters } = manifest
    expect(Object.keys(Object(parameters))).toEqual(["k", "scrub", "users", "urls", "time"])
    expect(Object.keys(Object(guarantee))).toEqual(["model", "unit", "counted", "k", "statement", "notCovered"])
    expect(guarantee).toMatchObject({ model: "equality", unit: "query", k: 3 })
  })

  test("says how many rows each file has and what its SHA-256 is", async () => {
    const folder = fresh()
    await publish(log, folder)
    const bytes = readFileSync(dataFile(folder))
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const rows = bytes.toString().split("\n").length - 2
    expect(readJson(folder).files).toEqual([{ path: "log.tsv", rows, sha256 }])
  })

  test("has an id of its own for each release", async () => {
    const [first, second] = [fresh(), fresh()]
    await publish(log, first)
    await publish(log, second)
    expect(readJson(first).id).not.toBe(readJson(second).id)
  })

  test("says when a release was drawn from a seed", async () => {
    const folder = fresh()
    await publish(log, folder, {}, { context: { seed: 1 } })
    expect(readJson(folder).seeded).toBe(true)
  })
})

describe("a release folder", () => {
  test("has release.json and one data file, readable by everyone", async () => {
    const folder = fresh()
    await publish(log, folder, {}, { audit: fresh() })
    expect(readdirSync(folder).sort()).toEqual(["log.tsv", "release.json"])
  })

  test("says nothing about what was withheld: byte for byte the same with and without it", async () => {
    const alone = Array.from({ length: 50 }, (_, i): Search => {
      return {
        user: `stranger ${i}`,
        query: `${marker} ${i}`,
        time: timeAfter(i),
        rank: 1,
        url: "http://weather.example",
      }
    })
    const ofTheTown = smallTown().map(
      (search): Search => ({ ...search, query: `${marker} ${search.query} ${search.user}` }),
    )
    const now = () => 0
    const bytesOf = async (searches: readonly Search[]) => {
      const folder = fresh()
      await publish(write(aolText(searches)), folder, {}, { context: { seed: 7, now } })
      const { id: _, ...manifest } = readJson(folder)
      return { manifest, data: readFileSync(dataFile(folder), "utf8") }
    }
    const without = await bytesOf(smallTown())
    const withMore = await bytesOf([...smallTown(), ...alone, ...ofTheTown])
    expect(withMore).toEqual(without)
    expect(without.data).not.toContain(marker)
  })
})
