import { describe, expect, test } from "vitest"
import type { SeedTopic } from "../../web/personal/answers.ts"
import { seedRows } from "../../web/personal/seed-rows.ts"

const topic = (path: string, parent: number, more: Partial<SeedTopic> = {}): SeedTopic => ({
  path,
  name: path.split("/").at(-1) ?? "",
  parent,
  share: 1,
  exposed: false,
  sensitive: 0,
  never: false,
  relevant: false,
  ...more,
})

/** Enough leaves that the tree is no longer small. */
const leavesOf = (path: string, parent: number, count: number) =>
  Array.from({ length: count }, (_, i) => topic(`${path}/${i}`, parent, { share: 0.01 }))

describe("the lines of a query's tree", () => {
  const small = [topic("", -1), topic("a", 0), topic("a/b", 1), topic("a/b/c", 2, { share: 0.6 })]
  const chain = [...small, ...leavesOf("a/b", 2, 30)]
  const drawn = (seed: SeedTopic[]) =>
    seedRows(seed, new Map()).map(({ topic, above, level, place, siblings }) => [
      above,
      topic.path,
      level,
      place,
      siblings,
    ])

  test("draw a chain of only children as one line, named by the last", () => {
    expect(drawn(chain).slice(0, 3)).toEqual([
      [["a"], "a/b", 1, 1, 1],
      [[], "a/b/c", 2, 1, 31],
      [[], "a/b/0", 2, 2, 31],
    ])
  })

  test("give each topic of a small tree a line, so that each can be marked", () => {
    expect(drawn(small).map(([, path]) => path)).toEqual(["", "a", "a/b", "a/b/c"])
  })

  test.each([{ sensitive: 0.5 }, { relevant: true }, { exposed: true }, { share: 0.9 }])(
    "give a topic its own line if it differs from its child: %o",
    (more) => {
      const seed = chain.map((topic) => (topic.path === "a" ? { ...topic, ...more } : topic))
      expect(drawn(seed).some(([, path]) => path === "a")).toBe(true)
    },
  )

  test("in a large tree, open the paths to topics that are shown, marked or meant", () => {
    const many = leavesOf("x", 1, 80)
    const seed = [topic("", -1), topic("x", 0), ...many, topic("y", 0), topic("y/z", 82, { sensitive: 1, share: 0.1 })]
    const paths = (opened = new Map<string, boolean>()) => seedRows(seed, opened).map(({ topic }) => topic.path)
    expect(paths()).toEqual(["", "x", "y", "y/z"])
    expect(paths(new Map([["x", true]]))).toHaveLength(84)
    expect(paths(new Map([["", false]]))).toEqual([""])
  })

  test("are empty without a seed", () => {
    expect(drawn([])).toEqual([])
  })
})
