import { describe, expect, test } from "vitest"
import { bulkAnswer, readBulk } from "#dist/server/http/bulk-body.js"
import { collectorServers } from "./collector-server.ts"

const openServer = collectorServers()

async function serve(options: Parameters<typeof openServer>[0] = {}) {
  const { stream, port } = await openServer(options)
  const send = async (path: string, body: string, init: RequestInit = {}) => {
    const headers = { "content-type": "application/x-ndjson", ...init.headers }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, ...init, headers })
    return { status: answer.status, body: await answer.json() }
  }
  return { stream, send }
}

const search = (i: number) =>
  JSON.stringify({ query_id: `q${i}`, client_id: `c${i}`, user_query: `word ${i}`, timestamp: "2026-03-01T12:00:00Z" })
const click = JSON.stringify({
  query_id: "q0",
  client_id: "c0",
  action_name: "click",
  timestamp: "2026-03-01T12:00:05Z",
  event_attributes: { object: { object_id: "p1" }, position: { ordinal: 1 } },
})
const bulk = (...lines: string[]) => `${lines.join("\n")}\n`

describe("a collector that speaks to OpenSearch can speak to the stream: it", () => {
  test("sends searches and events by _bulk, and is answered as OpenSearch answers", async () => {
    const { stream, send } = await serve()
    const body = bulk('{"index":{"_index":"ubi_queries"}}', search(0), '{"create":{"_index":"ubi_events"}}', click)
    expect(await send("/_bulk", body)).toEqual({
      status: 200,
      body: {
        took: 0,
        errors: false,
        items: [{ index: { _index: "ubi_queries", status: 201 } }, { create: { _index: "ubi_events", status: 201 } }],
      },
    })
    expect(stream.records).toContain("c0 word 0")
  })

  test("names the index in the path, and sends what official clients send", async () => {
    const { stream, send } = await serve()
    const headers = { "content-type": "application/vnd.elasticsearch+x-ndjson; compatible-with=8" }
    const answer = await send("/ubi_queries/_bulk", bulk('{"index":{}}', search(0), '{"index":{}}', search(1)), {
      method: "PUT",
      headers,
    })
    expect(answer).toMatchObject({ status: 200, body: { errors: false } })
    expect(stream.records).toEqual(["c0 word 0", "c1 word 1"])
  })

  test("sends single documents", async () => {
    const { stream, send } = await serve()
    const headers = { "content-type": "application/json" }
    expect(await send("/ubi_queries/_doc", search(0), { headers })).toEqual({
      status: 201,
      body: { _index: "ubi_queries", result: "created" },
    })
    expect(await send("/ubi_queries/_doc/7", search(1), { method: "PUT", headers })).toMatchObject({ status: 201 })
    expect(await send("/ubi_queries/_doc", '{"query_id":"q"}', { headers })).toMatchObject({ status: 400 })
    expect(stream.records).toEqual(["c0 word 0", "c1 word 1"])
  })

  test("may leave the action lines in what it sends to /ubi_queries", async () => {
    const { stream, send } = await serve()
    expect(await send("/ubi_queries", bulk('{"index":{"_index":"ubi_queries"}}', search(0)))).toMatchObject({
      status: 200,
      body: { taken: 1, rejectedTotal: 0 },
    })
    expect(stream.records).toEqual(["c0 word 0"])
  })

  test("learns which documents were not taken, and why, without their text", async () => {
    const { stream, send } = await serve()
    const broken = '{"query_id":"q","user_query":"s3cret"}'
    const body = bulk(
      '{"index":{"_index":"ubi_queries"}}',
      broken,
      '{"delete":{"_index":"ubi_queries","_id":"1"}}',
      '{"update":{"_index":"ubi_queries","_id":"1"}}',
      '{"doc":{"user_query":"s3cret"}}',
      '{"index":{"_index":"orders"}}',
      search(5),
      '{"index":{"_index":"ubi_queries"}}',
      search(0),
    )
    const answer = await send("/_bulk", body)
    expect(answer.body).toMatchObject({ errors: true })
    const { items } = answer.body as { items: Record<string, { status: number; error?: { type: string } }>[] }
    expect(items.flatMap((item) => Object.values(item).map(({ status, error }) => [status, error?.type]))).toEqual([
      [400, "queryveil_rejected"],
      [400, "queryveil_not_supported"],
      [400, "queryveil_not_supported"],
      [404, "index_not_found_exception"],
      [201, undefined],
    ])
    expect(JSON.stringify(answer)).not.toContain("s3cret")
    expect(stream.records).toEqual(["c0 word 0"])
  })

  test("is refused as a whole if actions and documents do not alternate", async () => {
    const { stream, send } = await serve()
    for (const body of [bulk(search(0)), bulk('{"index":{}}'), bulk("[]", search(0)), bulk('{"index":1}', search(0))])
      expect(await send("/ubi_queries/_bulk", body)).toMatchObject({ status: 400 })
    expect(stream.records).toEqual([])
  })

  test("needs the token of senders", async () => {
    const { send } = await serve({ ingestToken: "0123456789abcdef" })
    const body = bulk('{"index":{"_index":"ubi_queries"}}', search(0))
    expect((await send("/_bulk", body)).status).toBe(401)
    expect((await send("/_bulk", body, { headers: { authorization: "Bearer 0123456789abcdef" } })).status).toBe(200)
  })
})

test("of more than a hundred rejected documents, what became of later ones is not claimed", () => {
  const body = readBulk(Buffer.from('{"index":{}}\n{}\n'.repeat(102)), "ubi_queries")
  if (body === undefined) throw new Error("not read")
  const rejected = Array.from({ length: 100 }, (_, i) => ({ line: i + 1, reason: "syntax" }))
  const answer = bulkAnswer(body, { taken: 0, withheld: 0, rejected, rejectedTotal: 101 })
  expect(answer).toMatchObject({ errors: true })
  expect(JSON.stringify(answer).match(/"status":400/g)).toHaveLength(100)
  expect(JSON.stringify(answer).match(/"status":202/g)).toHaveLength(2)
})
