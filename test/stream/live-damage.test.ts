import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { fileOutput } from "#dist/stream/outputs/file-output.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Line, offerLines, openRun, queryPaths, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(400), "paths.tsv")
const records: Line[] = Array.from({ length: 200 }, (_, i) => ({ user: `u${(i * 7) % 15}`, query: `w${i}` }))

/** What a crash leaves: a checkpoint, and two later commits of which everything left. */
let crashed: { store: string; path: string }
const copy = (from: { store: string; path: string }) => {
  const to = { store: fresh("store"), path: fresh("out") }
  cpSync(from.store, to.store, { recursive: true, filter: (name) => !name.includes("lock") })
  cpSync(from.path, to.path)
  return to
}
const open = ({ store, path }: { store: string; path: string }, seed = 2) =>
  openRun({ store, taxonomy, classifier, output: fileOutput(path), seed })

beforeAll(async () => {
  const places = { store: fresh("store"), path: fresh("out") }
  const first = await open(places, 1)
  await offerLines(first, records.slice(0, 80))
  await first.close()
  const second = await open(places, 1)
  await offerLines(second, records.slice(80, 140))
  await offerLines(second, records.slice(140))
  await second.drain()
  crashed = copy(places)
  await second.close()
})

function flip(store: string, name: RegExp, place: (size: number) => number): void {
  const file = join(store, readdirSync(store).find((other) => name.test(other)) ?? "")
  const bytes = readFileSync(file)
  bytes[place(bytes.length)] ^= 16
  writeFileSync(file, bytes)
}

describe("after a crash", () => {
  test("an intact store continues, and its output is unchanged", async () => {
    const places = copy(crashed)
    const stream = await open(places)
    expect(stream.resumed.repeated).toBeGreaterThan(50)
    await stream.close()
    expect(readFileSync(places.path)).toEqual(readFileSync(crashed.path))
  })

  test.each<[string, RegExp, (size: number) => number, string]>([
    ["last commit", /^journal/, (size) => size - 20, "output-ahead"],
    ["snapshot", /^snapshot/, (size) => size >> 1, "store-damaged"],
    ["record of what was released", /^released/, (size) => size >> 1, "store-damaged"],
  ])("a damaged %s is refused every time, and the output is not changed", async (_what, name, place, code) => {
    const places = copy(crashed)
    flip(places.store, name, place)
    for (let tries = 0; tries < 2; tries++) await expect(open(places)).rejects.toMatchObject({ code })
    expect(readFileSync(places.path)).toEqual(readFileSync(crashed.path))
  })
})
