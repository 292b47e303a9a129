import { escapeHtml } from "./html.ts"
import { icons } from "./icons.ts"
import { relativeTo } from "./links.ts"
import type { Heading } from "./markdown.ts"
import type { Entry, Group } from "./navigation.ts"

export interface LayoutOptions {
  path: string
  title: string
  description: string
  content: string
  headings: readonly Heading[]
  navigation: readonly Group[]
  version: string
  hasDemo: boolean
  /** The start page and the pages of whole files have a layout of their own. */
  look?: "start" | "file" | undefined
}

/**
 * The policy of a page: it may load files next to it, and nothing else. Styles may be in the page, for pictures and
 * charts. A page that is opened from a folder has no origin of its own, so `file:` is named as well.
 */
export function contentPolicy(scriptHashes: readonly string[] = []): string {
  const policy = [
    "default-src 'none'",
    ["script-src 'self' file:", ...scriptHashes].join(" "),
    "style-src 'self' file: 'unsafe-inline'",
    "img-src 'self' file: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">`
}

/** A whole page: header with search, sidebar, content, contents of the page, previous and next. */
export function layoutPage(options: LayoutOptions): string {
  const { path, title, description, content, navigation, version, hasDemo, look } = options
  const to = (target: string) => relativeTo(path, target)
  const isStart = look === "start"
  const assets = hasDemo ? [`<link rel="stylesheet" href="${to("assets/demos.css")}">`] : []
  const scripts = ["assets/page.js", ...(hasDemo ? ["assets/demos.js"] : [])]
  return `<!doctype html>
<html lang="en" data-base="${to("index.html").replace("index.html", "")}">
<head>
<meta charset="utf-8">
${contentPolicy()}
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(isStart ? "queryveil" : `${title} · queryveil`)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${to("assets/icon.svg")}" type="image/svg+xml">
<script src="${to("assets/theme.js")}"></script>
<link rel="stylesheet" href="${to("assets/site.css")}">
${assets.join("\n")}
</head>
<body${look === undefined ? "" : ` class="${look}"`}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="icon menu" aria-expanded="false" aria-controls="sidebar" aria-label="Menu">
${icons.menu}</button>
<a class="home" href="${to("index.html")}">${icons.mark}<span>queryveil</span></a>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"
 spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<div id="results" class="results" role="listbox" aria-label="Results" hidden></div>
<p class="said" role="status"></p>
</div>
<button type="button" class="icon theme" aria-pressed="false" aria-label="Dark colours">
${icons.moon}${icons.sun}</button>
</header>
<div class="columns">
<nav class="sidebar" id="sidebar" aria-label="Pages">
${navigation.map((group) => sidebarGroup(group, options)).join("\n")}
</nav>
<main id="content" tabindex="-1">
<article>
${content}</article>
${isStart ? "" : neighbours(options)}
<footer>queryveil ${escapeHtml(version)}. Apache-2.0. This site makes no request to anywhere else.</footer>
</main>
${pageContents(options.headings)}
</div>
${scripts.map((script) => `<script src="${to(script)}" defer></script>`).join("\n")}
</body>
</html>
`
}

function sidebarGroup({ name, entries }: Group, { path }: LayoutOptions): string {
  const isOpen = name !== "Decisions" || entries.some((entry) => entry.path === path)
  const items = entries.map((entry) => {
    const current = entry.path === path ? ' aria-current="page"' : ""
    return `<li><a href="${relativeTo(path, entry.path)}"${current}>${escapeHtml(entry.label)}</a></li>`
  })
  const heading = `<summary>${escapeHtml(name)}</summary>`
  return `<details${isOpen ? " open" : ""}>${heading}<ul>${items.join("\n")}</ul></details>`
}

function pageContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 2) return ""
  const items = listed.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join("\n")}</ul></nav>`
}

function neighbours({ path, navigation }: LayoutOptions): string {
  const entries = navigation.flatMap((group) => group.entries).filter((entry) => !entry.path.startsWith("api/"))
  const at = entries.findIndex((entry) => entry.path === path)
  if (at < 0) return ""
  const link = (entry: Entry | undefined, { rel, name }: { rel: string; name: string }) => {
    if (entry === undefined) return "<span></span>"
    const content = `<small>${name}</small>${escapeHtml(entry.label)}`
    return `<a rel="${rel}" href="${relativeTo(path, entry.path)}">${content}</a>`
  }
  return [
    '<nav class="neighbours" aria-label="Previous and next">',
    link(entries[at - 1], { rel: "prev", name: "Previous" }),
    link(entries[at + 1], { rel: "next", name: "Next" }),
    "</nav>",
  ].join("")
}
