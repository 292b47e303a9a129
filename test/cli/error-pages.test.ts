import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { errorCodes } from "#dist/kernels/error.js"

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")

/** Headings of the page, and the text under each. */
const entries = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((entry): [string, string] => {
      const [heading = "", ...text] = entry.split("\n")
      return [heading.trim(), text.join("\n").trim()]
    }),
)

describe("docs/errors.md", () => {
  test.each(errorCodes)("says what to do about `%s`", (code) => {
    expect(entries.get(`\`${code}\``)).toMatch(/\S/)
  })

  test("has no entry for a code that does not exist", () => {
    const known: readonly string[] = errorCodes.map((code) => `\`${code}\``)
    expect([...entries.keys()].filter((heading) => heading.startsWith("`") && !known.includes(heading))).toEqual([])
  })
})
