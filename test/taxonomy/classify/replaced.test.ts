import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { openClassifier } from "#dist/taxonomy/classify/open-classifier.js"
import { serviceAddress, serviceClassifier } from "#dist/taxonomy/classify/service-classifier.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { marker } from "../../support/aol-log.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const taxonomy = () => openTaxonomy(write("a\t1\t\na/b\t2\t\nc\t3\t\n", "tiny.tsv"), {}, context)

describe("a table of queries and paths", () => {
  const open = async (text: string) => openClassifier(write(text), { taxonomy: await taxonomy() }, context)

  test("replaces the classifier; queries are normalised, and unlisted queries have no topic", async () => {
    const classifier = await open("query\tpath\nBig  Dog\ta/b\nnothing\t\ncat\tc\ncat\tc\n")
    expect([...(await classifier.classify(dictionaryOf(["cat", "big dog", "nothing", "other"]), context))]).toEqual([
      3, 2, -1, -1,
    ])
  })

  test.each([
    ["a path that is not in the taxonomy", `x\ta\n${marker}\ta/z\n`, 2, /no topic/],
    ["a query with two paths", `${marker}\ta\n${marker}\tc\n`, 2, /another path/],
    ["a line without path", `x\ta\ny\ta\n${marker}\n`, 3, /separated by a tab/],
    ["a line with three columns", `${marker}\ta\tc\n`, 1, /separated by a tab/],
  ])("with %s is refused, with the line number and without its text", async (_, text, line, says) => {
    const error: unknown = await open(text).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: "classifier-broken", fields: { line }, message: expect.stringMatching(says) })
    expect(String(error)).not.toContain(marker)
  })
})

type Handler = (texts: string[], response: ServerResponse, request: IncomingMessage) => void

describe("a service", () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })
  /** A service on this machine. `asked` lists the queries of each request. */
  const serve = async (handler: Handler) => {
    const asked: string[][] = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (piece: Buffer) => {
        body += piece.toString()
      })
      request.on("end", () => {
        const { queries }: { queries: string[] } = JSON.parse(body)
        asked.push(queries)
        handler(queries, response, request)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { asked, address: new URL(`http://127.0.0.1:${port}/classify`) }
  }
  const answer = (response: ServerResponse, paths: unknown) => response.end(JSON.stringify({ paths }))
  const quick = { pause: 1, timeout: 1_800_000 }
  const queries = dictionaryOf(Array.from({ length: 10 }, (_, i) => (i % 3 === 0 ? `dog ${i}` : `${marker} ${i}`)))
  const pathOf = (text: string) => (text.startsWith("dog") ? "a/b" : null)

  test("is asked in batches, once per query, and its answers are remembered", async () => {
    const { asked, address } = await serve((texts, response) => answer(response, texts.map(pathOf)))
    const classifier = serviceClassifier(await taxonomy(), address, { ...quick, batch: 4 })
    const first = await classifier.classify(queries, context)
    expect([...first]).toEqual([2, -1, -1, 2, -1, -1, 2, -1, -1, 2])
    expect(asked.map(({ length }) => length).sort()).toEqual([2, 4, 4])
    const more = dictionaryOf(["dog 0", "dog 99", `${marker} 1`])
    expect([...(await classifier.classify(more, context))]).toEqual([2, 2, -1])
    expect(asked.slice(3)).toEqual([["dog 99"]])
  })

  test("that fails twice is asked a third time", async () => {
    let failures = 2
    const { address } = await serve((texts, response) => {
      if (failures-- > 0) response.writeHead(503).end("busy")
      else answer(response, texts.map(pathOf))
    })
    expect((await serviceClassifier(await taxonomy(), address, quick).classify(queries, context))[0]).toBe(2)
  })

  test.each<[string, Handler, RegExp]>([
    ["always fails", (_, response) => response.writeHead(500).end(), /status 500/],
    ["refuses", (texts, response) => response.writeHead(400).end(texts[1]), /status 400/],
    ["answers too few", (texts, response) => answer(response, texts.slice(1).map(pathOf)), /10 queries with 9 paths/],
    ["knows other topics", (texts, response) => answer(response, texts), /path that is not in the taxonomy/],
    ["answers without a list", (texts, response) => response.end(JSON.stringify({ texts })), /no list/],
    ["answers without JSON", (texts, response) => response.end(texts[1]), /not JSON/],
    [
      "redirects",
      (_, response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
      /cannot be reached/,
    ],
  ])("that %s ends the run, and the error contains no query", async (_, handler, says) => {
    const { address } = await serve(handler)
    const error: unknown = await serviceClassifier(await taxonomy(), address, quick)
      .classify(queries, context)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: "classifier-service", message: expect.stringMatching(says) })
    expect(String(error)).not.toContain(marker)
  })

  test("that does not answer is given up", async () => {
    const { address } = await serve(() => {})
    const classifier = serviceClassifier(await taxonomy(), address, { pause: 1, timeout: 20, tries: 2 })
    await expect(classifier.classify(queries, context)).rejects.toMatchObject({
      message: expect.stringMatching(/in time/),
    })
  })

  test("is abandoned at once when the run is interrupted", async () => {
    const controller = new AbortController()
    const { address } = await serve(() => controller.abort())
    const interrupted = createContext({ signal: controller.signal })
    const run = serviceClassifier(await taxonomy(), address).classify(queries, interrupted)
    await expect(run).rejects.toMatchObject({ code: "interrupted" })
  })

  test("on another machine must be reached by https, and its use is announced", async () => {
    expect(() => serviceAddress("http://topics.example/")).toThrow(/plain text/)
    expect(() => serviceAddress("http://127.0.0.1.example/")).toThrow(/plain text/)
    expect(() => serviceAddress("ftp://topics.example/")).toThrow(/http or https/)
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    await openClassifier("https://topics.example/x?key=1", { taxonomy: await taxonomy(), warn }, context)
    expect(warnings).toEqual([expect.stringMatching(/sent to https:\/\/topics\.example unchanged/)])
  })
})
