import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { settingsFrom } from "#dist/stream/live/settings.js"
import { openProfiles } from "#dist/stream/store/profiles.js"
import { releasedReader } from "#dist/stream/workers/released-message.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { memoryOutput, offerLines, openRun, queryPaths, type RunOptions, topicsFile } from "./live-run.ts"
import { readProfiles } from "./store-model.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(40), "queries.tsv")
const searches = Array.from({ length: 120 }, (_, i) => ({
  user: ["ann", 'bob "the" \\ hat', "zoë", "dan,", "{eve}"][(i * 3) % 5] ?? "",
  query: `w${i % 40}`,
}))

/** What a stream releases, line by line, and its settings. */
async function release(live: RunOptions, to: "jsonl" | "tsv") {
  const store = fresh("store")
  const output = memoryOutput()
  const stream = await openRun({ store, taxonomy, classifier, output, live: { repeats: "keep", ...live }, to })
  await offerLines(stream, searches)
  await stream.drain()
  await stream.close()
  const profiles = await openProfiles(store)
  const settings = settingsFrom(profiles.settings)
  await profiles.close()
  if (settings === undefined) throw new Error("nothing was released")
  const lines = output
    .text()
    .split("\n")
    .slice(to === "tsv" ? 1 : 0, -1)
  return { store, settings, lines }
}

describe("releases that workers made", () => {
  test.each<[string, "jsonl" | "tsv", RunOptions]>([
    ["objects", "jsonl", {}],
    ["rows", "tsv", {}],
    ["objects with urls and without times", "jsonl", { urls: "keep", time: "drop" }],
    ["rows with urls and without times", "tsv", { urls: "keep", time: "drop" }],
  ])("say what the store of a stream counts: %s", async (_what, to, more) => {
    const { store, settings, lines } = await release({ category: true, ...more }, to)
    const read = releasedReader(settings)
    const tree = await openTaxonomy(taxonomy, {}, createContext({}))
    const users = new Map<string, Map<number, number>>()
    for (const line of lines) {
      const { user = "", category = "" } = read(Buffer.from(line)) ?? {}
      const own = users.get(user) ?? new Map<number, number>()
      const node = tree.find(category)
      users.set(user, own.set(node, (own.get(node) ?? 0) + 1))
    }
    const sorted = [...users].map(([user, own]) => [user, new Map([...own].sort(([a], [b]) => a - b))] as const)
    expect(lines.length).toBeGreaterThan(80)
    expect((await readProfiles(store)).users).toEqual(new Map(sorted))
  })

  test.each<"jsonl" | "tsv">(["jsonl", "tsv"])("are distinguished from anything else (%s)", async (to) => {
    const { settings, lines } = await release({ category: true }, to)
    const read = releasedReader(settings)
    expect(read(Buffer.from(lines[0] ?? ""))).toBeDefined()
    for (const other of ["", "hello", "{}", "[]", "1", '{"user":7,"category":"pets"}', '{"user":"ann"}', "a\tb", "\0"])
      expect(read(Buffer.from(other))).toBeUndefined()
    expect(read(null)).toBeUndefined()
    // A row of another group has other columns.
    const hidden = await release({ category: false }, to)
    expect(read(Buffer.from(hidden.lines[0] ?? ""))).toBeUndefined()
  })
})
