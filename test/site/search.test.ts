import { describe, expect, test } from "vitest"
import { renderMarkdown } from "../../site/markdown.ts"
import { searchScript } from "../../site/search-data.ts"

describe("the texts for the search", () => {
  test("are a script with one entry for each section, with its place in the sidebar", () => {
    const page = { source: "docs/a.md", path: "a.html", markdown: "# A\n\nOne.\n\n## B\n\nTwo.\n" }
    const rendered = renderMarkdown(page.markdown, {
      resolve: () => ({ kind: "missing" }),
      recorded: () => "",
      hasDemo: () => false,
      darkVersion: () => undefined,
      isMethod: false,
      inset: "",
    })
    const script = searchScript([{ page, ...rendered }], [{ name: "Logs", entries: [{ path: "a.html", label: "A" }] }])
    const [name, json = ""] = script.split(" = ")
    expect(name).toBe("globalThis.queryveilSections")
    expect(JSON.parse(json)).toEqual([
      ["a.html", "A", "Logs › A", "One."],
      ["a.html#b", "B", "Logs › A", "Two."],
    ])
  })
})
