import { Client } from "@opensearch-project/opensearch"
import { parseClusterAddress } from "#dist/cluster/cluster-address.js"
import { indexInput } from "#dist/log/opensearch/index-input.js"
import { readLog } from "#dist/log/read-log.js"
import { indexOutput } from "#dist/stream/outputs/index-output.js"
import { type Bench, type Finding, timed } from "./case.ts"
import { SearchServer } from "./search-server.ts"

const documents = 200_000
const rounds = 3
const pageSize = 5000

/** Searches as UBI logs them, with the whole request of each. */
function searchOf(i: number) {
  const text = `word${i % 997} thing ${i % 31}`
  const request = { query: { multi_match: { query: text, fields: ["title^2", "body"] } }, size: 10, from: 0 }
  return {
    timestamp: new Date(1_700_000_000_000 + i * 977).toISOString(),
    application: "shop",
    query_id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    client_id: `client-${(i * 7919) % 20_000}`,
    user_query: text,
    query: JSON.stringify(request),
    query_attributes: {},
    query_response_id: `response-${i}`,
    query_response_hit_ids: Array.from({ length: 10 }, (_, rank) => `product-${(i * 31 + rank) % 5000}`),
  }
}

async function fill(server: SearchServer, index: string, shards: number): Promise<void> {
  const keyword = { type: "keyword" }
  const properties = { timestamp: { type: "date" }, query_id: keyword, client_id: keyword, user_query: keyword }
  await server.createIndex(index, { shards, properties: { ...properties, query: { type: "text", index: false } } })
  for (let at = 0; at < documents; at += 20_000)
    await server.addDocuments(
      index,
      Array.from({ length: 20_000 }, (_, i) => searchOf(at + i)),
    )
}

/** A scroll as the client's documentation shows it, in the order that is fastest. */
async function scroll(server: SearchServer, index: string): Promise<number> {
  const client = new Client({ node: server.url })
  let count = 0
  let { body } = await client.search({ index, scroll: "1m", size: pageSize, body: { sort: ["_doc"] } })
  while (body.hits.hits.length > 0) {
    count += body.hits.hits.length
    body = (await client.scroll({ scroll_id: String(body._scroll_id), scroll: "1m" })).body
  }
  await client.clearScroll({ scroll_id: String(body._scroll_id) })
  await client.close()
  return count
}

/** The lines of an index: whole documents, as a scroll gives them, or the fields of UBI that are read. */
const readLines = (format: "jsonl" | "ubi") => async (server: SearchServer, index: string) => {
  const options = { range: {}, now: Date.now(), columns: undefined, format }
  const { remote } = indexInput(server.place(index), options)
  let lines = 0
  for await (const chunk of remote?.read(undefined) ?? [])
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}

async function parse(server: SearchServer, index: string): Promise<number> {
  return (await readLog(server.place(index))).log.rows
}

/** Writes releases as a stream does: one commit after another. */
async function writeAll(server: SearchServer, index: string): Promise<number> {
  const output = indexOutput(parseClusterAddress(server.place(index)), { force: false, warn: () => {} })
  await output.open({ releases: 0, bytes: 0, isNew: true, due: 0, store: "0123456789abcdef", time: "hour" })
  const perCommit = 1000
  for (let first = 0; first < documents / 4; first += perCommit) {
    const lines = Array.from({ length: perCommit }, (_, i) => {
      const { user_query: query, client_id: user } = searchOf(first + i)
      return `${JSON.stringify({ seq: first + i, user, query, time: "2026-03-01 10:00:00" })}\n`
    })
    let end = 0
    const ends = Uint32Array.from(lines, ({ length }) => {
      end += length
      return end
    })
    await output.write(Buffer.from(lines.join("")), { ends, last: first + perCommit - 1, positions: {} })
  }
  await output.close()
  return server.count(index)
}

/** The middle of several rates, in documents per second. */
const middle = (rates: readonly number[]) => [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)]

/** Everything in one process, with one server: rounds take turns, so that what warms up warms up for all. */
async function measure(): Promise<Finding> {
  const server = await SearchServer.start("opensearch")
  try {
    const finding: Finding = { count: 0, seconds: 0 }
    for (const shards of [1, 4]) {
      const index = `searches-${shards}`
      await fill(server, index, shards)
      const ways = { scroll, read: readLines("jsonl"), "read UBI fields": readLines("ubi"), parsed: parse }
      const rates: Record<string, number[]> = {}
      for (let round = 0; round <= rounds; round++) {
        for (const [name, way] of Object.entries(ways)) {
          const { seconds, value } = await timed(() => way(server, index))
          if (value !== documents) throw new Error(`${name}: ${value} documents`)
          if (round > 0) rates[name] = [...(rates[name] ?? []), value / seconds] // the first round warms up
          finding.count += value
          finding.seconds += seconds
        }
      }
      for (const [name, list] of Object.entries(rates)) finding[`${name}, ${shards} shards`] = middle(list)
    }
    const { seconds, value } = await timed(() => writeAll(server, "released"))
    finding.written = value / seconds
    return finding
  } finally {
    await server.stop()
  }
}

const name = "read and written"
const ratio = (shards: number) => ({
  what: `${shards} shards: read over a bare scroll`,
  limit: "≥ 1×",
  check: (findings: ReadonlyMap<string, Finding>) => {
    const found = findings.get(name)
    const value = Number(found?.[`read, ${shards} shards`]) / Number(found?.[`scroll, ${shards} shards`])
    return { value: `${value.toFixed(2)}×`, met: value >= 1 }
  },
})

/** Documents per second from and to a real index, beside a bare scroll with the official client. */
export const opensearchBench: Bench = {
  name: "opensearch",
  prepare: async () => {},
  cases: [{ name, run: measure }],
  targets: [ratio(1), ratio(4)],
  print: (findings) => {
    const rates = Object.entries(findings.get(name) ?? {}).filter(([way]) => /shards$|^written$/.test(way))
    const rows = rates.map(([way, rate]) => {
      return `${way.padEnd(24)}${Math.round(Number(rate)).toLocaleString("en").padStart(12)} documents/s`
    })
    return rows.join("\n")
  },
}
