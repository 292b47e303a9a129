import { describe, expect, test } from "vitest"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { servePerson } from "../server/personal-person.ts"
import { fakeEngine } from "../support/fake-engine.ts"
import { sampleTree } from "./sample-tree.ts"

const searcher = await sampleTree().searcher()

/** Answers as SearXNG's documentation says: JSON if `formats` allows it, otherwise 403. The real one is not tested. */
async function searxng({ formats }: { formats: readonly string[] }) {
  return fakeEngine(({ url }, response) => {
    const asked = new URL(url, "http://localhost").searchParams
    if (!formats.includes(asked.get("format") ?? "html")) {
      response.writeHead(403, { "content-type": "text/html" }).end("<h1>Forbidden</h1>")
      return
    }
    const result = (number: number) => ({
      url: `https://site-${number}.example/`,
      title: `Site ${number}`,
      content: `About ${asked.get("q")}`,
      thumbnail: null,
      engine: "duckduckgo",
      parsed_url: ["https", `site-${number}.example`, "/", "", "", ""],
      template: "default.html",
      engines: ["duckduckgo", "brave"],
      positions: [number, number],
      publishedDate: null,
      score: 4 / number,
      category: "general",
    })
    const answer = {
      query: asked.get("q"),
      number_of_results: 0,
      results: [1, 2, 3].map(result),
      answers: [],
      corrections: [],
      infoboxes: [{ infobox: "Eagle", id: "https://wiki.example/eagle", content: "A bird.", urls: [] }],
      suggestions: ["eagles nest"],
      unresponsive_engines: [["google", "timeout"]],
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
}

describe("a server that answers as SearXNG documents", () => {
  test("gives its results to the page, and gets the words alone", async () => {
    const { origin, received } = await searxng({ formats: ["html", "json"] })
    const engine = parseEngine(`searxng=${origin}`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    const told = await api("/api/search", { body: { query: "eagles", engine: engine.name } })
    expect(told).toMatchObject({ sent: false, query: "eagles" })
    expect(told.original.map(({ title, url, snippet }: Record<string, string>) => [title, url, snippet])).toEqual(
      [1, 2, 3].map((number) => [`Site ${number}`, `https://site-${number}.example/`, "About eagles"]),
    )
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/search?q=eagles&format=json", ""],
    ])
  })

  test("and does not allow JSON is reported with the setting to change", async () => {
    const { origin } = await searxng({ formats: ["html"] })
    const engine = parseEngine(`searxng=${origin}`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    const told = await api("/api/search", { body: { query: "eagles", engine: engine.name } })
    expect(told.problem).toMatchObject({ code: "engine-refused", message: expect.stringContaining("search.formats") })
  })
})
