import { describe, expect, test } from "vitest"
import { type RenderOptions, renderMarkdown } from "../../site/markdown.ts"

const options: RenderOptions = {
  resolve: (link) => ({ kind: "page", href: link.replace(".md", ".html") }),
  recorded: (name) => `output of ${name} <1>\n`,
  hasDemo: (name) => name === "frontier",
  darkVersion: () => undefined,
  isMethod: false,
  inset: "",
}
const render = (markdown: string, more: Partial<RenderOptions> = {}) =>
  renderMarkdown(markdown, { ...options, ...more })

describe("a page", () => {
  test("has anchors, contents, and sections to search", () => {
    const { html, headings, sections } = render(
      "# Title\n\nOne *two*\nthree.\n\n## The `--flag`\n\n```\ncommand\n```\n",
    )
    expect(html).toContain('<h2 id="the---flag">')
    expect(headings.map(({ level, anchor }) => [level, anchor])).toEqual([
      [1, "title"],
      [2, "the---flag"],
    ])
    expect(sections.map(({ heading, text }) => [heading.text, text.trim()])).toEqual([
      ["Title", "One two three."],
      ["The --flag", "command"],
    ])
  })

  test("names the line of each link", () => {
    const { links, html } = render("# T\n\nfirst\nsecond [a](a.md#b) and\n[c](c.md)\n\n- [d](d.md)\n")
    expect(links.map(({ line, written }) => [line, written])).toEqual([
      [4, "a.md#b"],
      [5, "c.md"],
      [7, "d.md"],
    ])
    expect(html).toContain('href="a.html#b"')
  })

  test("shows the path of a folder, and does not link to it", () => {
    const { html } = render("see [the tests](../test)", { resolve: () => ({ kind: "folder", source: "test" }) })
    expect(html).toBe('<p>see <code title="In the package: test">the tests</code></p>\n')
  })

  test("shows commands with their recorded output", () => {
    const { html } = render("```run inspect\nnpx queryveil inspect log.tsv   # how exposed\n```\n")
    expect(html).toContain('npx queryveil inspect log.tsv<span class="comment">   # how exposed</span>')
    expect(html).toContain("output of inspect &lt;1&gt;")
  })

  test("has no HTML of its own, except the line of a demo that the site has", () => {
    const { html } = render('<div data-demo="frontier"></div>\n\n<div data-demo="other"></div>\n\n<script>x</script>\n')
    expect(html).toContain('<div class="demo" data-demo="frontier"></div>')
    expect(html).not.toContain("other")
    expect(html).toContain("&lt;script&gt;x&lt;/script&gt;")
    expect(render('text <div data-demo="frontier"></div>').html).toContain("&lt;div")
  })

  test("shows a table in a box of its own, so that it can scroll", () => {
    expect(render("| a |\n|---|\n| 1 |\n").html).toMatch(/^<div class="table"[^>]*><table>[\s\S]*<\/table><\/div>\n$/)
  })

  test("shows the dark version of a picture on a dark page", () => {
    const { html } = render("![Studio](studio.png)", { darkVersion: () => "studio-dark.png" })
    expect(html).toContain('<img src="studio.png" alt="Studio" loading="lazy" class="when-light">')
    expect(html).toContain('<img src="studio-dark.png" alt="Studio" loading="lazy" class="when-dark">')
  })
})

describe("the page of a method", () => {
  const markdown = `# swap

- **Released**: a log.
- **Promised**: at most 1 in k.
- **Example**: k = 10.
- **Not promised**: that a text is harmless.
- **Use it when** readers need texts.

Text.
`

  test("shows its five points as a panel, with what breaks the promise under a heading", () => {
    const { html } = render(markdown, { isMethod: true })
    expect(html).toContain('<ul class="points">')
    expect([...html.matchAll(/<li class="([^"]*)"/g)].map((found) => found[1])).toEqual([
      "released",
      "promised",
      "example",
      "not-promised",
      "use",
    ])
    expect(html).toMatch(
      /<li class="not-promised">\s*<p class="label">What it does not stop<\/p>\s*<strong>Not promised/,
    )
  })

  test("has its picture after the panel", () => {
    const { html } = render(markdown, { isMethod: true, inset: "<figure></figure>\n" })
    expect(html).toContain("</ul>\n<figure></figure>\n<p>Text.</p>")
  })

  test("another page has its picture after the first paragraph", () => {
    expect(render("# T\n\nOne.\n\nTwo.\n", { inset: "<figure></figure>\n" }).html).toContain(
      "<p>One.</p>\n<figure></figure>\n<p>Two.</p>",
    )
  })
})
