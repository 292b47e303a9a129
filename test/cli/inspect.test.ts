import { readFileSync, statSync } from "node:fs"
import { parseHTML } from "linkedom"
import { describe, expect, test } from "vitest"
import { aolText, marker, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { outsideLinks, readXml } from "../support/markup.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const town = write(aolText(smallTown()))

/** Three people. Ann searches twice for the same text at the same time, and clicks twice. */
const few = write(
  aolText([
    { user: "ann", query: "Paris hotel", time: timeAfter(0), rank: 1, url: "http://a.example" },
    { user: "ann", query: "paris hotel", time: timeAfter(0), rank: 2, url: "http://b.example" },
    { user: "ann", query: "paris  hotel", time: timeAfter(60) },
    { user: "ann", query: "of the", time: timeAfter(90) },
    { user: "bob", query: "paris hotel", time: timeAfter(0) },
    { user: "bob", query: "hotel paris jane.doe@example.com", time: timeAfter(43_200) },
    { user: "cat", query: "of the", time: timeAfter(86_400) },
  ]),
)

describe("inspect --json", () => {
  test("has the same counts as by hand", async () => {
    const { code, stdout } = await runCli(["inspect", few, "--json"])
    expect(code).toBe(0)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({
      tokens: "words",
      size: { rows: 7, events: 6, users: 3, queries: 3, urls: 2 },
      time: { first: "2006-03-01T12:00:00Z", last: "2006-03-02T12:00:00Z", days: 1 },
      ngrams: {
        leastUsers: 1,
        lengths: [
          // paris, hotel, of, the, the address
          { n: 1, unique: 5, total: 13, frequent: { unique: 3, total: 9 } },
          // paris hotel, of the, hotel paris, paris the-address
          { n: 2, unique: 4, total: 7, frequent: { unique: 3, total: 5 } },
          { n: 3, unique: 1, total: 1, frequent: { unique: 1, total: 1 } },
        ],
      },
      exposure: { usersWithUniqueQuery: { users: 1, share: 1 / 3 } },
    })
    expect(answer.lengths.map(({ queries, events }: Record<string, number>) => [queries, events])).toEqual([
      [0, 0],
      [2, 5],
      [1, 1],
      [0, 0],
      [0, 0],
    ])
    expect(answer.exposure.queries).toEqual([
      { fewerThan: 2, queries: 1, queryShare: 1 / 3, events: 1, eventShare: 1 / 6 },
      ...[5, 10, 100].map((fewerThan) => ({ fewerThan, queries: 3, queryShare: 1, events: 6, eventShare: 1 })),
    ])
    expect(answer.identifiers).toContainEqual({ kind: "email", queries: 1, events: 1, rows: 1 })
    expect(answer.identifiers).toContainEqual({ kind: "phone", queries: 0, events: 0, rows: 0 })
  })

  test.each(["words", "segmenter"])("splits text without spaces as --tokens %s says", async (tokens) => {
    const queries = ["東京の天気予報", "北京天气预报", "สภาพอากาศวันนี้", "東京"]
    const rows = queries.map((query, i): Search => ({ user: `u${i}`, query, time: timeAfter(i) }))
    const { code, stdout } = await runCli(["inspect", write(aolText(rows)), "--tokens", tokens, "--json"])
    const answer = JSON.parse(stdout)
    const lengths = answer.lengths.map(({ queries }: { queries: number }) => queries)
    expect([code, answer.tokens, lengths, answer.ngrams.lengths[0].unique]).toEqual(
      tokens === "words" ? [0, tokens, [4, 0, 0, 0, 0], 4] : [0, tokens, [1, 0, 1, 2, 0], 11],
    )
  })
})

describe("inspect in a terminal", () => {
  test("says that the output is private, fits 80 columns, draws bars, and shows no query and no user", async () => {
    const { code, stdout, stderr } = await runCli(["inspect", town])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^Private: this describes the log\.\n/)
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([])
    // Eight of the twelve queries, with 8 of the 34 events, belong to one person each.
    expect(stdout).toMatch(/^under 2 +8 +66\.67 % {2}█████▍ +8 +23\.53 % {2}█▉$/m)
    expect(stdout).toContain("\n\nEvery user issued a query that nobody else did.\n\n")
    expect(stdout).toContain("8 of 8 users (100.00 %) issued a query that nobody else did")
    expect(stdout).not.toContain(marker)
    expect(stdout).not.toContain("weather")
  })

  test("accepts a log with a single row", async () => {
    const { code, stdout } = await runCli([
      "inspect",
      write(aolText([{ user: "a", query: "paris", time: timeAfter(0) }])),
    ])
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 of 1 user (100.00 %) issued")])
  })
})

describe("inspect --html", () => {
  test("writes a private page with figures, and without any query, user or outside link", async () => {
    const page = fresh("page.html")
    const { code, stdout } = await runCli(["inspect", town, "--html", page, "--json"])
    expect([code, JSON.parse(stdout).html, statSync(page).mode & 0o777]).toEqual([0, page, 0o600])
    const text = readFileSync(page, "utf8")
    const { document } = parseHTML(text)
    const drawings = [...document.querySelectorAll("figure svg")].map((svg) => readXml(svg.outerHTML))
    expect([...document.querySelectorAll("figure")].map(({ id }) => id)).toEqual([
      "lengths",
      "ngrams",
      "exposure",
      "identifiers",
    ])
    // Two bars for each of five lengths, three n and four bounds; one bar for each kind.
    const bars = drawings.map(({ elements }) => elements.filter(({ name }) => name === "rect").length)
    expect(bars).toEqual([10, 6, 8, 10])
    expect(document.querySelector("h1")?.textContent).toBe("Every user issued a query that nobody else did.")
    expect(document.body.textContent).toContain("Private: this page describes the log.")
    expect(text).not.toContain(marker)
    expect(text).not.toContain("weather")
    expect(outsideLinks(text)).toEqual([])
  })

  test("shows what scrubbing would withhold, masked, by kind", async () => {
    const page = fresh("page.html")
    const rows = Array.from({ length: 6 }, (_, i): Search => {
      return { user: `u${i}`, query: `mail of jane.roe${i}@example.com`, time: timeAfter(i) }
    })
    expect((await runCli(["inspect", write(aolText(rows)), "--html", page])).code).toBe(0)
    const text = readFileSync(page, "utf8")
    const { document } = parseHTML(text)
    const cells = [...document.querySelectorAll("#shapes tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map(({ textContent }) => textContent),
    )
    expect(cells).toContainEqual(["email", "default, all", "mail of •••.•••#@•••.com", "6", "6"])
    expect(text).not.toMatch(/jane|roe|example/)
  })

  test("replaces an existing file only with --force", async () => {
    const page = write("mine", "mine.html")
    const refused = await runCli(["inspect", town, "--html", page])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--force")])
    expect(readFileSync(page, "utf8")).toBe("mine")
    expect((await runCli(["inspect", town, "--html", page, "--force"])).code).toBe(0)
    expect(readFileSync(page, "utf8")).toContain("<!doctype html>")
  })

  test("refuses to write the page into a release", async () => {
    const release = at("release")
    await publish(town, release)
    const { code, stderr } = await runCli(["inspect", town, "--html", `${release}/page.html`])
    expect([code, stderr]).toEqual([1, expect.stringContaining("inside a release")])
  })
})

test("inspect refuses an unknown --tokens", async () => {
  const { code, stderr } = await runCli(["inspect", town, "--tokens", "letters"])
  expect([code, stderr]).toEqual([2, expect.stringContaining("one of words, segmenter")])
})
