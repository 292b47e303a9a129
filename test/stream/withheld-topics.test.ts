import { expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { memoryOutput, offerLines, openRun, queryPaths, releasedOf, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(100), "paths.tsv")

// w0, w4 … have the topic pets/dogs, w1, w5 … pets/cats.
test("a withheld topic and its waiting records stay withheld under a higher cut, until it is reopened", async () => {
  const store = fresh()
  const output = memoryOutput()
  const open = (depth: number) => openRun({ store, taxonomy, classifier, output, live: { k: 2, depth } })
  const first = await open(2)
  await offerLines(first, [
    { user: "a", query: "w0" },
    { user: "b", query: "w4" },
  ])
  await first.configure({ withhold: ["pets/dogs"] })
  await first.configure({ depth: 1 })
  expect(await offerLines(first, [{ user: "c", query: "w8" }])).toMatchObject({ taken: 0, withheld: 1 })
  await offerLines(first, [{ user: "c", query: "w1" }])
  await first.close()
  const second = await open(1)
  await offerLines(second, [{ user: "d", query: "w5" }])
  await second.drain()
  expect(output.text()).toBe("")
  await second.configure({ reopen: ["pets/dogs"] })
  await offerLines(second, [{ user: "e", query: "w9" }])
  await second.drain()
  expect(releasedOf(output)).toHaveLength(3)
  await second.close()
})

test("a topic below the categories can be withheld: its searches are no longer released, others are", async () => {
  const output = memoryOutput()
  const stream = await openRun({ store: fresh(), taxonomy, classifier, output, live: { k: 2, depth: 1 } })
  await offerLines(stream, [{ user: "a", query: "w0" }])
  await stream.configure({ withhold: ["pets/dogs"] })
  const cats = ["b", "c", "d"].map((user, i) => ({ user, query: `w${1 + 4 * i}` }))
  expect(await offerLines(stream, [{ user: "e", query: "w4" }, ...cats])).toMatchObject({ taken: 3, withheld: 1 })
  await stream.drain()
  expect(
    releasedOf(output)
      .map(({ query }) => query)
      .sort(),
  ).toEqual(["w1", "w5", "w9"])
  expect(stream.figures().waiting).toBe(1)
  await stream.close()
})
