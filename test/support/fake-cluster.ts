import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { afterAll } from "vitest"

/** A document of the fake cluster. Shards count their sequence numbers each for itself. */
export interface FakeDocument {
  index: string
  id: string
  sequence: number
  source: Record<string, unknown>
}

/** What was asked of the cluster. */
export interface Asked {
  method: string
  path: string
  authorization: string | undefined
  body: string
}

/** What to do instead of answering: drop the connection, or answer with a status, a body and headers. */
type Fault = "drop" | { status: number; body?: unknown; headers?: Record<string, string> } | undefined

/**
 * A small server that answers as OpenSearch does to what queryveil asks. It knows points in time, the order by
 * sequence number without a tie breaker, and `_bulk`. `fault` is asked before each answer.
 */
export class FakeCluster {
  documents: FakeDocument[] = []
  fields: Record<string, Record<string, unknown>> = { timestamp: { date: {} } }
  readonly asked: Asked[] = []
  readonly points = new Map<string, FakeDocument[]>()
  fault: (asked: Asked) => Fault = () => undefined
  /** The status of a document in `_bulk`, and what it refuses; 201 if undefined. */
  bulkStatus: (id: string, tries: number) => number | undefined = () => undefined
  readonly #tries = new Map<string, number>()
  #opened = 0
  port = 0

  static async open(): Promise<FakeCluster> {
    const cluster = new FakeCluster()
    const server = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      const { method = "", url = "", headers } = request
      const asked = { method, path: url, authorization: headers.authorization, body }
      cluster.asked.push(asked)
      const fault = cluster.fault(asked)
      if (fault === "drop") request.socket.destroy()
      else if (fault !== undefined) send(response, fault.status, fault.body ?? {}, fault.headers)
      else cluster.#answer(asked, response)
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    cluster.port = typeof address === "object" && address !== null ? address.port : 0
    return cluster
  }

  url(index: string, scheme = "opensearch"): string {
    return `${scheme}://127.0.0.1:${this.port}/${index}`
  }

  #answer(asked: Asked, response: ServerResponse): void {
    const { status = 200, ...body } = this.#answerTo(asked)
    send(response, status, body)
  }

  #answerTo({ method, path, body }: Asked): { status?: number } & Record<string, unknown> {
    if (path.includes("/_bulk")) return this.#bulk(body)
    const given = body === "" ? {} : JSON.parse(body)
    if (path.includes("/_count")) return { count: this.documents.length }
    if (path.includes("/_doc/")) return { status: 404 }
    if (method === "PUT") return { acknowledged: true }
    if (path.includes("/_field_caps"))
      return { indices: [...new Set(this.documents.map(({ index }) => index))], fields: this.fields }
    if (path.includes("/_search/point_in_time")) {
      if (method === "DELETE") for (const id of given.pit_id) this.points.delete(id)
      const id = `point-${this.#opened++}`
      if (method === "POST") this.points.set(id, [...this.documents])
      return { pit_id: id }
    }
    const point = this.points.get(given.pit?.id)
    if (point !== undefined) return { timed_out: false, _shards: { failed: 0 }, ...search(point, given) }
    return { status: 404, error: { root_cause: [{ type: "search_context_missing_exception" }] } }
  }

  #bulk(body: string): Record<string, unknown> {
    const lines = body.trimEnd().split("\n")
    const items = []
    for (let i = 0; i < lines.length; i += 2) {
      const { create } = JSON.parse(lines[i] ?? "")
      const tries = this.#tries.get(create._id) ?? 0
      this.#tries.set(create._id, tries + 1)
      const isThere = this.documents.some(({ id }) => id === create._id)
      const status = this.bulkStatus(create._id, tries) ?? (isThere ? 409 : 201)
      const source = JSON.parse(lines[i + 1] ?? "")
      if (status === 201) this.documents.push({ index: "out", id: create._id, sequence: this.documents.length, source })
      const error = { type: "some_exception", reason: `the value ${JSON.stringify(source)} is wrong` }
      items.push({ create: { _id: create._id, status, ...(status !== 201 && { error }) } })
    }
    return { errors: items.some(({ create }) => create.status !== 201), items }
  }
}

interface Search {
  size: number
  aggs?: unknown
  search_after?: number[]
  query: {
    bool: {
      filter: {
        range?: Record<string, { gte?: string | number; lt?: string | number }>
        term?: Record<string, string>
      }[]
    }
  }
}

const timeOf = ({ source }: FakeDocument) => Date.parse(String(source.timestamp))

function search(point: readonly FakeDocument[], { size, aggs, search_after: after, query }: Search): object {
  const matching = point.filter(({ source }) =>
    query.bool.filter.every(({ term = {} }) => Object.entries(term).every(([name, value]) => source[name] === value)),
  )
  if (aggs !== undefined) {
    const range = JSON.stringify(aggs)
    const bound = (name: string) => new RegExp(`"${name}":"([^"]*)"`).exec(range)?.[1]
    const read = within(matching, bound("gte"), bound("lt"))
    const numbers = read.map(({ sequence }) => sequence)
    const sum = numbers.reduce((all, sequence) => all + sequence, 0)
    const stats = { min: Math.min(...numbers), max: Math.max(...numbers), sum }
    const untimed = matching.filter((document) => Number.isNaN(timeOf(document))).length
    return {
      hits: { total: { value: matching.length } },
      aggregations: { read: { doc_count: read.length, sequence: stats }, untimed: { doc_count: untimed } },
    }
  }
  const rangeOf = (name: string) => query.bool.filter.find(({ range }) => range?.[name] !== undefined)?.range?.[name]
  const { gte, lt } = rangeOf("timestamp") ?? {}
  const numbers = rangeOf("_seq_no")
  const hits = within(matching, gte === undefined ? "" : String(gte), lt === undefined ? "9999" : String(lt))
    .filter(({ sequence }) => sequence >= Number(numbers?.gte) && sequence < Number(numbers?.lt))
    .filter(({ sequence }) => after === undefined || sequence > Number(after[0])) // ties of `after` are skipped
    .sort((a, b) => a.sequence - b.sequence)
    .slice(0, size)
    .map((document) => {
      return { _index: document.index, _id: document.id, _source: document.source, sort: [document.sequence] }
    })
  return { hits: { hits } }
}

const within = (documents: readonly FakeDocument[], gte = "", lt = "9999") =>
  documents.filter((document) => {
    const time = timeOf(document)
    return (gte === "" || time >= Date.parse(gte)) && time < Date.parse(lt)
  })

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}
