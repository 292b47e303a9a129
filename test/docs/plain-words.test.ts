import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const widest = 120

/**
 * Phrases that have to be read twice, as patterns without regard to case. The name says what to write instead. A space
 * in a pattern also matches the end of a line.
 */
const phrases: Readonly<Record<string, readonly string[]>> = {
  "default …": ["unless said"],
  synthetic: ["made[- ]up(?! (?:of|by)\\b)", "makes? (?:it|them) up"],
  "an empty release": ["release of nothing"],
  "earlier names": ["names of before"],
  unknown: ["none that there is"],
  "is reported, is known, is distinguished": ["(?:is|are|was|were|can be|cannot be) told"],
  "is below": ["stands? below"],
  "is next to": ["lies? beside"],
  distinguishes: ["tells(?: \\w+){0,2} apart", "told(?: \\w+)? apart"],
  available: ["to be had"],
  "is simulated": ["is had"],
  "who the person is": ["who it is"],
  "they, the attacker, the user": ["he(?! &| and [A-Z])", "his", "him", "himself", "to whom"],
  "split into": ["parted into"],
  "verified, passed, failed": ["(?:it holds|does not hold)(?=[.,;:!?\"'`])"],
}

/** Files in which a phrase is data, or a name that an earlier version had. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "CHANGELOG.md": ["made-up"], // `--people made-up` of 0.1
  "docs/methods/groups.md": ["He"], // an author
  "docs/papers.md": ["He"],
  "src/methods/query-guarantees.ts": ["his"], // in releases of 0.1
  "src/synth/secrets.ts": ["his"], // words of synthetic queries
  "test/measures/shown/left-out.test.ts": ["made up"], // a query
  "test/verify/swap.test.ts": ["To whom"], // in releases of 0.1
  "test/wordnet/lemmatise.test.ts": ["his"], // words
}

const texts = findFiles().map((path) => {
  const text = readFileSync(join(root, path), "utf8")
  return { path, text: path.startsWith("data/") ? commentsOf(text) : text }
})

describe("what people read here", () => {
  test("has no line over 120 columns, except a URL that cannot be broken", () => {
    expect(texts.length).toBeGreaterThan(1000)
    expect(texts.flatMap(({ path, text }) => findWide(path, text))).toEqual([])
  })

  test("has none of the phrases that have to be read twice", () => {
    expect(texts.filter(({ path }) => !path.endsWith("plain-words.test.ts")).flatMap(findPhrases)).toEqual([])
  })
})

describe("the check of words and widths", () => {
  test.each([
    ["the column is\n * told twice", ["told"]],
    ["a Made-up log, k (1 unless said)", ["unless said", "Made-up"]],
    ["an attacker says what he knows. He is right.", ["he", "He"]],
    ["Hong, He and Vaidya; He & Naughton; the rest, which is made up of words", []],
    ["tells the two apart", ["tells the two apart"]],
    ["the file holds rows, and the bound holds the promise", []],
  ])("finds the phrases in %j", (text, expected) => {
    const found = findPhrases({ path: "page.md", text })
    expect(found).toHaveLength(expected.length)
    for (const [i, phrase] of expected.entries()) expect(found[i]).toContain(phrase)
  })

  test("finds a wide line by its characters, and lets a URL alone be wide", () => {
    const url = `https://example.org/${"x".repeat(widest)}`
    expect(findWide("page.md", `${"é".repeat(widest)}\n${"é".repeat(widest + 1)}`)).toEqual(["page.md:2: 121 columns"])
    expect(findWide("page.md", `- <${url}>\n// ${url}`)).toEqual([])
    expect(findWide("page.md", `see ${url} for more`)).toHaveLength(1)
  })
})

/** The comments of a word list, on their lines. */
function commentsOf(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.startsWith("#") ? line : ""))
    .join("\n")
}

function findWide(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, i) => {
    const { length } = [...line]
    const isUrl = /^\W*https?:\/\/\S+$/.test(line)
    return length <= widest || isUrl ? [] : [`${path}:${i + 1}: ${length} columns`]
  })
}

function findPhrases({ path, text }: { path: string; text: string }): string[] {
  return Object.entries(phrases).flatMap(([instead, patterns]) =>
    patterns.flatMap((pattern) => {
      const gap = "(?:\\s+(?:\\*|//|#)?\\s*)"
      const words = new RegExp(`(?<![\\w-])(?:${pattern.replaceAll(" ", gap)})(?![\\w-])`, "gi")
      return [...text.matchAll(words)].flatMap(({ 0: found, index }) => {
        if (exceptions[path]?.includes(found)) return []
        const line = text.slice(0, index).split("\n").length
        return [`${path}:${line}: “${found.replace(/\s+/g, " ")}”: write ${instead}`]
      })
    }),
  )
}

/** Paths of the files that people read, relative to the repository. What git ignores is left out. */
function findFiles(): string[] {
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter(Boolean).map(toPattern)
  const isIgnored = (path: string) => ignored.some((pattern) => pattern.test(path))
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (path === ".git" || path === "test/fixtures" || path === "fuzz/corpus" || isIgnored(path)) return []
      return entry.isDirectory() ? walk(path) : [path]
    })
  const isRead = /\.(?:ts|tsx|mjs|js|css|html|md|yml)$|^\.ci\/|^data\/[^/]+\.txt$|^package\.json$/
  return walk("").filter((path) => isRead.test(path))
}

/** A line of .gitignore: a path from the root if a slash is inside or before it, a name in any folder otherwise. */
function toPattern(line: string): RegExp {
  const path = line.replace(/^\/|\/$/g, "")
  const start = line.replace(/\/$/, "").includes("/") ? "^" : "(?:^|/)"
  return new RegExp(`${start}${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`)
}
