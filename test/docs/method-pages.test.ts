import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"

const folder = new URL("../../docs/methods/", import.meta.url)
const points = ["**Released**: ", "**Promised**: ", "**Example**: ", "**Not promised**: ", "**Use it when** "]

describe("a page of docs/methods", () => {
  test.each(readdirSync(folder))("says first what is released and promised, and when to use it: %s", (name) => {
    const [heading, opening = ""] = readFileSync(new URL(name, folder), "utf8").split("\n\n")
    expect(heading).toMatch(/^# \S/)
    const items = opening.split(/^- /m).slice(1)
    expect(items.map((item) => points.find((point) => item.startsWith(point)))).toEqual(points)
  })
})
