import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { checkPages } from "../../site/check-links.ts"
import { resolveLink } from "../../site/links.ts"
import { makeNavigation } from "../../site/navigation.ts"
import { findPages, type Page, sitePath } from "../../site/pages.ts"
import { adaptPage } from "../../site/write-api.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const pageOf = (source: string): Page => ({ source, path: sitePath(source), markdown: "" })
const sources = new Set(["docs/methods/swap.md", "docs/glossary.md", "docs/adr/README.md", "site/pages/index.md"])
const resolve = (source: string, link: string) => resolveLink(link, { from: pageOf(source), root, sources })

describe("a link leads", () => {
  test.each([
    ["docs/methods/swap.md", "../glossary.md#checks", "../glossary.html#checks"],
    ["docs/methods/swap.md", "#guarantee", "#guarantee"],
    ["docs/glossary.md", "adr/README.md", "adr/index.html"],
    ["docs/glossary.md", "adr", "adr/index.html"],
    ["CONTRIBUTING.md", "docs/glossary.md", "glossary.html"],
    ["docs/glossary.md", "https://example.org/a.md", "https://example.org/a.md"],
    ["site/pages/index.md", "methods/swap.md#guarantee", "methods/swap.html#guarantee"],
    ["site/pages/index.md", "api/index.html", "api/index.html"],
  ])("from %s, %s to another page", (from, link, href) => {
    expect(resolve(from, link)).toEqual({ kind: "page", href })
  })

  test("to a picture, which is copied", () => {
    const copied = { kind: "copy", source: "docs/frontier.svg" }
    expect(resolve("site/pages/index.md", "frontier.svg")).toEqual({ ...copied, href: "frontier.svg" })
    expect(resolve("docs/methods/swap.md", "../frontier.svg")).toEqual({ ...copied, href: "../frontier.svg" })
  })

  test("to a text file of the package, which gets a page", () => {
    const source = "examples/extend-method.mjs"
    const href = "files/examples/extend-method.mjs.html"
    expect(resolve("docs/glossary.md", `../${source}`)).toEqual({ kind: "text", source, href })
  })

  test("to a folder, which is named, or to nothing", () => {
    expect(resolve("docs/glossary.md", "../test")).toEqual({ kind: "folder", source: "test" })
    expect(resolve("docs/glossary.md", "absent.md")).toEqual({ kind: "missing" })
    expect(resolve("docs/glossary.md", "../../outside.md")).toEqual({ kind: "missing" })
  })
})

describe("the check of built pages", () => {
  const check = (pages: Record<string, string>) => {
    const map = new Map(Object.entries(pages))
    return checkPages(map, (path) => map.has(path) || path === "a.svg").map(({ path, what }) => `${path}: ${what}`)
  }

  test("passes files and anchors that exist, and plain links to other origins", () => {
    const html = '<h2 id="ε-1">x</h2><a href="#%CE%B5-1">y</a><a href="https://example.org">z</a><img src="../a.svg">'
    expect(check({ "b/c.html": html, "d.html": '<a href="b/c.html#ε-1">e</a>' })).toEqual([])
  })

  test("finds files and anchors that do not exist", () => {
    expect(check({ "b/c.html": '<a href="../d.html">x</a><a href="#e">y</a><img src="f.png">' })).toEqual([
      "b/c.html: no file d.html",
      "b/c.html: no anchor #e in b/c.html",
      "b/c.html: no file b/f.png",
    ])
  })

  test.each([
    '<script src="https://example.org/x.js"></script>',
    '<link rel="stylesheet" href="//example.org/x.css">',
    '<img src="http://example.org/x.png">',
    "<style>a{background:url(https://example.org/x.png)}</style>",
  ])("finds what is loaded from another origin: %s", (html) => {
    expect(check({ "a.html": html })).toContain("a.html: loaded from another origin")
  })

  test("does not take code that a page shows for links", () => {
    expect(check({ "a.html": "<code>&lt;a href=&quot;b.html&quot;&gt;</code>" })).toEqual([])
  })
})

describe("the sidebar", () => {
  test("has every page of the repository", () => {
    const pages = findPages(root)
    const listed = makeNavigation(pages, { withApi: false }).flatMap(({ entries }) => entries.map(({ path }) => path))
    expect(listed.sort()).toEqual(pages.map(({ path }) => path).sort())
  })

  test("refuses a page that is in no group", () => {
    expect(() => makeNavigation([pageOf("docs/new.md")], { withApi: false })).toThrow(/docs\/new\.md.*navigation\.ts/)
  })
})

describe("a page of the library's interface", () => {
  test("leads back to the site, and may run its own script only", () => {
    const html =
      '<head></head><script>a()</script><use href="../assets/icons.svg#icon-1"></use><div id="tsd-toolbar-links">'
    const adapted = adaptPage(html, "../../")
    expect(adapted).toMatch(/script-src 'self' file: 'sha256-[^']+'/)
    expect(adapted).toContain('<use href="#icon-1">')
    expect(adapted).toContain('<a href="../../index.html">Documentation</a>')
  })
})
