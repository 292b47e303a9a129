import { once } from "node:events"
import { request as rawRequest } from "node:http"
import { connect } from "node:net"
import { describe, expect, test } from "vitest"
import { collectorServers } from "./collector-server.ts"

const openServer = collectorServers()

async function serve(options: Parameters<typeof openServer>[0] = {}) {
  const { stream, port, stop } = await openServer(options)
  const post = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const type = typeof body === "string" && body.startsWith("[") ? "application/json" : "application/x-ndjson"
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body,
      headers: { "content-type": type, ...headers },
    })
    const told = (await answer.json()) as { rejected?: object[]; rejectedTotal?: number }
    return { status: answer.status, headers: answer.headers, body: told }
  }
  return { stream, port, post, stop }
}

const record = (i: number, query = `query ${i}`) =>
  JSON.stringify({ user: `u${i}`, query, time: "2006-03-01T00:00:00Z" })
const error = { code: expect.any(Number), message: expect.any(String) }

describe("POST /records", () => {
  test("accepts NDJSON, and answers what became of it", async () => {
    const { stream, post } = await serve()
    const answer = await post("/records", `${record(0)}\n${record(1, "withhold")}\n${record(2)}`)
    expect(answer).toMatchObject({ status: 200, body: { taken: 2, withheld: 1, rejected: [], rejectedTotal: 0 } })
    expect(stream.records).toEqual(["u0 query 0", "u1 withhold", "u2 query 2"])
  })

  test("rejects broken JSON with its line number, and accepts the rest", async () => {
    const { stream, post } = await serve()
    const lines = ['{"user":', record(1), '{"user":"u2","query":', record(3), '{"user":"u4","time":1}', ""]
    const { status, body } = await post("/records", lines.join("\n"))
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        taken: 2,
        withheld: 0,
        rejected: [
          { line: 1, reason: "syntax" },
          { line: 3, reason: "syntax" },
          { line: 5, reason: "query" },
        ],
        rejectedTotal: 3,
      },
    })
    expect(stream.records).toEqual(["u1 query 1", "u3 query 3"])
  })

  test("lists a hundred of many rejected lines, and counts all", async () => {
    const { post } = await serve()
    const { body } = await post("/records", `${record(0)}\n${"broken\n".repeat(250)}`)
    expect(body.rejected).toHaveLength(100)
    expect(body.rejectedTotal).toBe(250)
  })

  test("finds columns under their usual or given names, and a click that arrives later", async () => {
    const { stream, post } = await serve()
    await post("/records", '{"uid":"a","q":"one","ts":1141171200}')
    expect(stream.records).toEqual(["a one"])
    const { columns } = stream.batches[0].plan.conversion ?? {}
    expect(columns).toMatchObject({ rank: '["rank"]', url: '["url"]' })
    const said = await serve({ columns: { user: "client.id", query: "q", time: "at" }, format: "jsonl" })
    await said.post("/records", '{"client":{"id":"b"},"q":"two","at":"2006-03-01T00:00:00Z"}')
    expect(said.stream.records).toEqual(["b two"])
  })

  test("reads a body that begins with a byte-order mark, lines and arrays", async () => {
    const { stream, post } = await serve()
    expect(await post("/records", `\ufeff${record(0)}\n${record(1)}`)).toMatchObject({
      status: 200,
      body: { taken: 2 },
    })
    const array = { "content-type": "application/json" }
    expect(await post("/records", `\ufeff[${record(2)}]`, array)).toMatchObject({ status: 200, body: { taken: 1 } })
    expect(stream.records).toEqual(["u0 query 0", "u1 query 1", "u2 query 2"])
  })

  test("says which lines are not UTF-8, and that a whole body is not", async () => {
    const { stream, post } = await serve()
    const latin = Buffer.from(record(1, "caf\u00e9"), "latin1")
    const mixed = Buffer.concat([Buffer.from(`${record(0)}\n`), latin])
    expect(await post("/records", mixed)).toMatchObject({
      status: 200,
      body: { taken: 1, rejected: [{ line: 2, reason: "encoding" }] },
    })
    const { status, body } = await post("/records", Buffer.from(record(2), "utf16le"))
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("UTF-8") } },
    })
    expect(stream.records).toEqual(["u0 query 0"])
  })

  test("refuses a body that cannot be read at all: 400", async () => {
    const { stream, post } = await serve()
    for (const body of ["", "nothing", '{"user":"u1"}', "1\n2\n"]) {
      expect(await post("/records", body)).toMatchObject({ status: 400, body: { error } })
    }
    expect(await post("/records", '[{"user":"u1"')).toMatchObject({ status: 400 })
    expect(stream.batches).toEqual([])
  })

  test("accepts a request with an Idempotency-Key once, even while it is in progress", async () => {
    const { stream, post } = await serve()
    const key = { "idempotency-key": "b1-2026" }
    const body = `${record(0)}\n{"user":`
    const [first, meanwhile] = await Promise.all([post("/records", body, key), post("/records", body, key)])
    const later = await post("/records", body, key)
    expect(first).toMatchObject({ status: 200, body: { taken: 1, rejected: [{ line: 2 }], rejectedTotal: 1 } })
    expect([meanwhile.body, later.body]).toEqual([first.body, first.body])
    expect(stream.records).toEqual(["u0 query 0"])
    expect(await post("/records", record(1), key)).toMatchObject({ status: 422, body: { error } })
    expect(await post("/records", body, { "idempotency-key": "b2-2026" })).toMatchObject({ status: 200 })
    expect(await post("/records", record(1), { "idempotency-key": "has space" })).toMatchObject({ status: 400 })
    expect(stream.records).toEqual(["u0 query 0", "u0 query 0"])
  })

  test("distinguishes the keys of two senders, and of two addresses", async () => {
    const { stream, post } = await serve()
    const key = { "idempotency-key": "1" }
    for (const authorization of ["Bearer one", "Bearer two"])
      await post("/records", record(0), { ...key, authorization })
    await post("/ubi_queries", "[]", key)
    expect(stream.records).toEqual(["u0 query 0", "u0 query 0"])
  })

  test("forgets a request that was not accepted, so it may be sent again", async () => {
    const { stream, post } = await serve({ patience: 0 })
    stream.state = "full"
    stream.hold()
    const held = post("/records", record(9))
    await stream.until(1)
    const refused = await post("/records", record(0), { "idempotency-key": "x" })
    expect(refused.status).toBe(503)
    stream.state = "running"
    stream.release()
    await held
    await expect.poll(async () => (await post("/records", record(0), { "idempotency-key": "x" })).status).toBe(200)
    expect(stream.records).toEqual(["u9 query 9", "u0 query 0"])
  })

  test("refuses a body over the limit (413), and other types and compressed ones (415)", async () => {
    const { stream, post } = await serve({ maxBody: 1000 })
    expect(await post("/records", `${record(0)}\n`.repeat(100))).toMatchObject({ status: 413, body: { error } })
    expect(await post("/records", record(0), { "content-type": "text/plain" })).toMatchObject({ status: 415 })
    expect(await post("/records", record(0), { "content-encoding": "gzip" })).toMatchObject({ status: 415 })
    expect(stream.batches).toEqual([])
  })

  test("answers 503 while the stream has no room, and accepts nothing of the body", async () => {
    const { stream, post } = await serve({ patience: 0 })
    stream.hold()
    const first = post("/records", record(0))
    await stream.until(1)
    const second = await post("/records", record(1))
    expect(second).toMatchObject({ status: 503, body: { error } })
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0)
    stream.release()
    expect(await first).toMatchObject({ status: 200 })
    expect(stream.records).toEqual(["u0 query 0"])
  })

  test("answers 503 while the disk is full, however patient it is otherwise", async () => {
    const { stream, post } = await serve({ patience: 1e9 })
    stream.hold()
    const first = post("/records", record(0))
    await stream.until(1)
    stream.state = "full"
    expect(await post("/records", record(1))).toMatchObject({ status: 503 })
    expect(await post("/records", record(2))).toMatchObject({ status: 503 })
    stream.release()
    expect(await first).toMatchObject({ status: 200 })
    expect(stream.records).toEqual(["u0 query 0"])
  })

  test("answers 503 while the output accepts nothing, also for batches that can be withdrawn", async () => {
    const { stream, post } = await serve({ patience: 60_000 })
    stream.hold()
    stream.mayWithdraw = true
    const handed = post("/records", record(0))
    await stream.until(1)
    stream.state = "blocked"
    expect(await handed).toMatchObject({ status: 503, body: { error } })
    expect(await post("/records", record(1))).toMatchObject({ status: 503, body: { error } })
    stream.release()
    expect(stream.records).toEqual(["u0 query 0"])
  })

  test("limits the bodies of all requests together (503), and has room again when they are gone", async () => {
    const { port, post } = await serve({ maxBody: 40 << 20 })
    const half = Buffer.alloc(35 << 20, 0x20)
    const open = Array.from({ length: 4 }, () => {
      const headers = { "content-type": "application/x-ndjson", "content-length": half.length + 1 }
      const request = rawRequest({ host: "127.0.0.1", port, path: "/records", method: "POST", headers })
      request.on("error", () => {})
      return new Promise<typeof request>((resolve) => request.write(half, () => resolve(request)))
    })
    const requests = await Promise.all(open)
    const large = () => post("/records", Buffer.concat([half, Buffer.from(`\n${record(1)}`)]))
    await expect.poll(async () => (await large().catch(() => ({ status: 0 }))).status).not.toBe(200)
    for (const request of requests) request.destroy()
    await expect.poll(async () => (await large().catch(() => ({ status: 0 }))).status).toBe(200)
  })

  test("puts concurrent requests into one batch, and answers each with its own receipt", async () => {
    const { stream, post } = await serve()
    stream.hold()
    const first = post("/records", record(0))
    await stream.until(1)
    const waiting = [
      post("/records", `${record(1)}\n${record(2)}\n`),
      post("/records", `broken\n${record(3, "withhold")}`),
      post("/records", record(4)),
    ]
    await arrived(waiting.length)
    stream.release()
    await first
    const answers = await Promise.all(waiting)
    expect(answers.map(({ body }) => body)).toEqual([
      { taken: 2, withheld: 0, rejected: [], rejectedTotal: 0 },
      { taken: 0, withheld: 1, rejected: [{ line: 1, reason: "syntax" }], rejectedTotal: 1 },
      { taken: 1, withheld: 0, rejected: [], rejectedTotal: 0 },
    ])
    expect(stream.batches).toHaveLength(2)
  })

  test("answers requests from before the stream was stopped, and refuses later ones", async () => {
    const { stream, post, stop } = await serve()
    stream.hold()
    const before = post("/records", record(0))
    await stream.until(1)
    const stopped = stop()
    expect(await post("/records", record(1))).toMatchObject({ status: 503 })
    stream.release()
    expect(await before).toMatchObject({ status: 200, body: { taken: 1 } })
    await stopped
    expect(stream.records).toEqual(["u0 query 0"])
  })

  test("accepts nothing from a client that disconnects before its body is complete", async () => {
    const { stream, port, post } = await serve()
    const client = connect(port, "127.0.0.1")
    client.write(
      "POST /records HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nContent-Length: 500\r\n\r\n",
    )
    client.write(`${record(0)}\n`)
    await once(client, "ready")
    client.destroy()
    expect(await post("/records", record(1))).toMatchObject({ status: 200 })
    expect(stream.records).toEqual(["u1 query 1"])
  })
})

/** Resolves when the server must have seen all earlier requests: later ones on new connections are answered. */
async function arrived(_count: number): Promise<void> {
  const probe = await serve()
  for (let i = 0; i < 20; i++) await probe.post("/records", record(0))
}

describe("POST /ubi_queries and /ubi_events", () => {
  const query = (i: number) => ({
    application: "shop",
    query_id: `q${i}`,
    client_id: `u${i}`,
    user_query: `query ${i}`,
    timestamp: "2024-11-15T12:00:00Z",
  })
  const click = {
    action_name: "item_click",
    query_id: "q0",
    client_id: "u0",
    timestamp: "2024-11-15T12:00:01Z",
    event_attributes: { object: { object_id: "p1" }, position: { ordinal: 3 } },
  }

  test("accept the arrays that ubi.js sends, and single documents", async () => {
    const { stream, post } = await serve()
    expect(await post("/ubi_queries", JSON.stringify([query(0), query(1)], null, 2))).toMatchObject({
      body: { taken: 2, rejectedTotal: 0 },
    })
    const json = { "content-type": "application/json; charset=utf-8" }
    expect(await post("/ubi_events", JSON.stringify(click), json)).toMatchObject({ status: 200, body: { taken: 1 } })
    expect(await post("/ubi_queries", "[]")).toMatchObject({ status: 200, body: { taken: 0 } })
    expect(stream.records).toEqual(["u0 query 0", "u1 query 1", " "])
    expect(stream.batches.every(({ plan }) => plan.format === "ubi")).toBe(true)
  })

  test("count elements as lines", async () => {
    const { post } = await serve()
    const { body } = await post("/ubi_queries", `[${JSON.stringify(query(0))}, {"broken": }, 7]`)
    expect(body).toMatchObject({
      taken: 1,
      rejected: [
        { line: 2, reason: "syntax" },
        { line: 3, reason: "syntax" },
      ],
    })
  })
})

describe("senders", () => {
  const origin = "https://shop.example"

  test("may be pages of allowed origins, and none by default", async () => {
    const closed = await serve()
    expect(await closed.post("/records", record(0), { origin })).toMatchObject({ status: 403 })
    expect(closed.stream.batches).toEqual([])
    const { port, post } = await serve({ origins: [origin] })
    const sent = await post("/records", record(0), { origin })
    expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([200, origin])
    expect(await post("/records", record(0), { origin: "https://other.example" })).toMatchObject({ status: 403 })
    const preflight = await fetch(`http://127.0.0.1:${port}/ubi_events`, { method: "OPTIONS", headers: { origin } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type")
  })

  test("must know the token, if there is one", async () => {
    const { post, stream } = await serve({ ingestToken: "a-token-of-some-length" })
    expect(await post("/records", record(0))).toMatchObject({ status: 401 })
    expect(await post("/records", record(0), { authorization: "Bearer a-token-of-some-lengtH" })).toMatchObject({
      status: 401,
    })
    expect(stream.batches).toEqual([])
    expect(await post("/records", record(0), { authorization: "Bearer a-token-of-some-length" })).toMatchObject({
      status: 200,
    })
  })

  test("get errors that repeat nothing of what they sent", async () => {
    const { port } = await serve()
    for (const [path, status] of [
      ["/secret-path?secret=1", 404],
      ["/secret%zz", 400],
    ] as const) {
      const asked = rawRequest({ port, host: "127.0.0.1", path, method: "POST" }).end()
      const [answer] = await once(asked, "response")
      let text = ""
      for await (const chunk of answer) text += chunk
      expect(answer.statusCode).toBe(status)
      expect(text).not.toContain("secret")
    }
  })
})
