import { readdirSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { describe, expect, test } from "vitest"
import { openGlossIndex } from "#dist/personal/engines/gloss-cache.js"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { plainText, safeUrl } from "#dist/personal/engines/plain-text.js"
import { fakeEngine, sendJson } from "../support/fake-engine.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const { signal } = new AbortController()
const options = { signal, count: 10 }
const { fresh } = scratchFolder()
const tree = sampleTree()

describe("SearXNG", () => {
  const results = [
    {
      title: "Jaguar <b>XK</b> &amp; co",
      url: "https://cars.example/xk",
      content: "A <i>car</i>.<script>alert(1)</script>",
    },
    { title: "Bad", url: "javascript:alert(1)", content: "&lt;img onerror=alert(1)&gt;" },
    "no result",
    { url: "https://plain.example/", content: null },
  ]

  test("receives the documented request with the words as typed, and nothing else", async () => {
    const { origin, received } = await fakeEngine(sendJson({ query: "x", results }))
    const engine = parseEngine(`searxng=${origin}/searx/`)
    expect(engine.acceptsExposure).toBe(false)
    await engine.search("Jaguar & Sons?", { ...options, exposure: { paths: ["", "Arts"] } })
    expect(received).toHaveLength(1)
    const [{ method, url, body, headers } = { method: "", url: "", body: "", headers: {} }] = received
    expect([method, url, body]).toEqual(["GET", "/searx/search?q=Jaguar+%26+Sons%3F&format=json", ""])
    expect(headers["user-agent"]).toBe("queryveil")
    for (const name of ["cookie", "referer", "origin", "authorization", "x-queryveil-exposure"])
      expect(headers).not.toHaveProperty(name)
    expect(JSON.stringify(received)).not.toContain("Arts")
  })

  test("gives plain text, and links of http and https only", async () => {
    const { origin } = await fakeEngine(sendJson({ results }))
    expect(await parseEngine(`searxng=${origin}`).search("x", options)).toEqual([
      { title: "Jaguar XK & co", url: "https://cars.example/xk", snippet: "A car." },
      { title: "Bad", url: null, snippet: "<img onerror=alert(1)>" }, // text, to be shown as text
      { title: "", url: "https://plain.example/", snippet: "" },
    ])
  })
})

describe("OpenSearch and Elasticsearch", () => {
  test("receive a multi_match query over the named fields", async () => {
    const hits = [
      { _source: { name: "One", meta: { link: ["https://a.example/"] }, body: "first" } },
      { _source: { name: "Two", meta: { link: "ftp://b.example/" } } },
      { _id: "3" },
    ]
    const { origin, received } = await fakeEngine(sendJson({ took: 1, hits: { total: { value: 3 }, hits } }))
    const engine = parseEngine(`opensearch=${origin}/pages?title=name&url=meta.link&snippet=body`)
    expect(await engine.search("two words", options)).toEqual([
      { title: "One", url: "https://a.example/", snippet: "first" },
      { title: "Two", url: null, snippet: "" },
      { title: "", url: null, snippet: "" },
    ])
    expect(received[0]).toMatchObject({ method: "POST", url: "/pages/_search" })
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      size: 10,
      query: { multi_match: { query: "two words", fields: ["name^2", "body"] } },
      _source: ["name", "meta.link", "body"],
    })
  })

  test("that answer without hits are reported", async () => {
    const { origin } = await fakeEngine(sendJson({ error: "x" }))
    const asked = parseEngine(`elasticsearch=${origin}/pages`).search("x", options)
    await expect(asked).rejects.toMatchObject({ code: "engine-answer" })
  })
})

describe("an engine with a wrong answer", () => {
  const query = "qqsecretqq"
  const failing = async (answer: Parameters<typeof fakeEngine>[0], timeout = 1_800_000) => {
    const { origin, received } = await fakeEngine(answer)
    const error: unknown = await parseEngine(`searxng=${origin}`, { timeout })
      .search(query, options)
      .catch((caught: unknown) => caught)
    expect(String(error)).not.toContain(query)
    return { error, received }
  }

  test("that has JSON switched off (403) is reported, with what to do", async () => {
    const { error } = await failing((_received, response) => response.writeHead(403).end("Forbidden"))
    expect(error).toMatchObject({ code: "engine-refused", message: expect.stringMatching(/settings\.yml/) })
  })

  test("that sends a page, broken JSON or another shape is reported", async () => {
    const html = await failing((_received, response) => response.end("<!doctype html><p>qqsecretqq"))
    expect(html.error).toMatchObject({ code: "engine-answer", message: expect.stringMatching(/HTML/) })
    const broken = await failing((_received, response) => response.end('{"results":[qqsecretqq'))
    expect(broken.error).toMatchObject({ code: "engine-answer" })
    expect((await failing(sendJson([]))).error).toMatchObject({ code: "engine-answer" })
  })

  test("that is too slow is given up", async () => {
    expect((await failing(() => {}, 100)).error).toMatchObject({ code: "engine-slow" })
    const trickle = await failing((_received, response) => response.write("{"), 100)
    expect(trickle.error).toMatchObject({ code: "engine-slow" })
  })

  test("that is too large is not read to its end", async () => {
    const { error } = await failing((_received, response) => {
      const part = " ".repeat(1 << 20)
      const more = () => !response.destroyed && response.write(part, more)
      more()
    })
    expect(error).toMatchObject({ code: "engine-answer", message: expect.stringMatching(/8 MB/) })
  })

  test("that redirects to another host does not send the query there", async () => {
    const other = await fakeEngine(sendJson({ results: [] }))
    const { error } = await failing(({ url }, response) =>
      response.writeHead(302, { location: `${other.origin}${url}` }).end(),
    )
    expect(error).toMatchObject({ code: "engine-answer" })
    expect(other.received).toEqual([])
    const circle = await failing(({ url }, response) => response.writeHead(302, { location: url }).end())
    expect(circle.error).toMatchObject({ code: "engine-answer" })
    expect(circle.received.length).toBeLessThan(10)
  })

  test("that redirects within its own host is followed", async () => {
    const { origin } = await fakeEngine((received, response) => {
      if (received.url.startsWith("/in/")) sendJson({ results: [{ title: "here" }] })(received, response)
      else response.writeHead(301, { location: `/in${received.url}` }).end()
    })
    expect(await parseEngine(`searxng=${origin}`).search("x", options)).toMatchObject([{ title: "here" }])
  })

  test("that is down is reported", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    const port = typeof address === "object" && address !== null ? address.port : 0
    const asked = parseEngine(`queryveil=http://127.0.0.1:${port}`).search(query, options)
    await expect(asked).rejects.toMatchObject({
      code: "engine-unreachable",
      message: expect.stringMatching(/ECONNREFUSED/),
    })
  })
})

test("--engine accepts only addresses that are encrypted or on this machine", () => {
  for (const text of [
    "",
    "searxng",
    "bing=https://a.example",
    "searxng=ftp://a.example",
    "searxng=http://a.example",
    "searxng=https://me:word@a.example",
  ])
    expect(() => parseEngine(text)).toThrowError(expect.objectContaining({ code: "option-value" }))
  expect(parseEngine("searxng=https://a.example").observer).toBe("a.example")
  expect(parseEngine("opensearch=http://localhost:9200/x").observer).toBe("127.0.0.1:9200")
})

test("text of engines has no characters that hide or reverse it", () => {
  expect(plainText("\u061ca\u202eb\u0000c&#x41;&#65;&nosuch;<!-- x --> d<br>e < f")).toBe("ab cAA&nosuch; d e < f")
  expect(plainText("<style>p{}</style>x")).toBe("x")
  expect(plainText(7)).toBe("")
  for (const url of ["data:text/html,x", "//a.example", "java\nscript:alert(1)", "https://u:p@a.example/", 1])
    expect(safeUrl(url)).toBeNull()
})

test("text made to be slow to clean is cleaned quickly", () => {
  for (let i = 0; i < 500; i++) expect(plainText(`${i}${"<style".repeat(2600)}`)).toBe(String(i))
})

test("one server under several names is one observer", () => {
  const observerOf = (text: string) => parseEngine(text).observer
  for (const host of ["localhost", "127.0.0.1", "[::1]", "127.0.0.2"])
    expect(observerOf(`queryveil=http://${host}:7779/a`)).toBe("127.0.0.1:7779")
  expect(observerOf("queryveil=https://A.example.:443")).toBe(observerOf("searxng=https://a.example"))
  expect(observerOf("queryveil=https://a.example:444")).not.toBe(observerOf("queryveil=https://a.example"))
})

describe("the built-in index", () => {
  test("is cached, and built again if it is damaged or made from other texts", async () => {
    const taxonomy = await tree.open()
    const folder = fresh()
    const built = await openGlossIndex(taxonomy, { folder })
    const [name = ""] = readdirSync(folder)
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^glosses-[0-9a-f]{16}\.index$/)])
    const same = async () => {
      const again = await openGlossIndex(taxonomy, { folder })
      for (const key of ["termArena", "termOffsets", "postingOffsets", "topic", "weight", "length"] as const)
        expect([...again[key]]).toEqual([...built[key]])
    }
    await same()
    truncateSync(`${folder}/${name}`, 100)
    await same()
    writeFileSync(`${folder}/${name}`, "something else")
    await same()
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test("works if nothing can be cached", async () => {
    const folder = `${tree.path}/below-a-file`
    expect((await openGlossIndex(await tree.open(), { folder })).length.length).toBe(21)
  })
})
