import { connect, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { RecordPlans } from "#dist/stream/inputs/record-plans.js"
import { anyFormat } from "../stream/lines.ts"
import { collectorServers } from "./collector-server.ts"

const serve = collectorServers()

const record = '{"user":"u","query":"q","time":"2006-03-01T00:00:00Z"}'
const headOf = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-ndjson\r\n${more}\r\n\r\n`

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  await new Promise((resolve) => socket.once("connect", resolve))
  return socket
}

const answerOf = (socket: Socket) => new Promise<string>((resolve) => socket.once("data", (data) => resolve(`${data}`)))
const post = (port: number, body: string, headers = {}) =>
  fetch(`http://127.0.0.1:${port}/records`, {
    method: "POST",
    body,
    headers: { "content-type": "application/x-ndjson", ...headers },
  })

/** Most bytes of a body here. Four of them are in memory at once at most, or 128 MiB. */
const most = 32 << 20

describe("a sender", () => {
  test("who leaves before the answer gives its room back", async () => {
    const { port, stream } = await serve({ maxBody: most })
    const body = `${record}\n`.padEnd(30 << 20, " ")
    stream.hold()
    for (let i = 0; i < 6; i++) {
      const socket = await open(port)
      socket.write(headOf("/records", `content-length: ${body.length}`))
      await new Promise((resolve) => socket.write(body, resolve))
      await wait(20)
      socket.destroy()
    }
    stream.release()
    await expect.poll(async () => (await post(port, body)).status).toBe(200)
  })

  test("without the token, or of an unknown path, is refused before anything of its body is read", async () => {
    const { port } = await serve({ ingestToken: "the-token", maxBody: most })
    for (const path of ["/records", "/nothing", "/stream"]) {
      const socket = await open(port)
      const answer = answerOf(socket)
      socket.write(headOf(path, `content-length: ${most}`)) // and nothing of it
      expect(await answer).toMatch(path === "/records" ? /^HTTP\/1.1 401/ : /^HTTP\/1.1 404/)
      socket.destroy()
    }
    expect((await post(port, record, { authorization: "Bearer the-token" })).status).toBe(200)
  })

  test("of a body in chunks of one byte costs no more memory than the body", async () => {
    const { port } = await serve()
    const socket = await open(port)
    const answer = answerOf(socket)
    const before = process.memoryUsage().rss
    socket.write(headOf("/records", "transfer-encoding: chunked"))
    const line = `${record}\n`
    socket.write([...line].map((byte) => `1\r\n${byte}\r\n`).join(""))
    const chunks = "1\r\n\n\r\n".repeat(20_000)
    for (let i = 0; i < 30; i++)
      if (!socket.write(chunks)) await new Promise((resolve) => socket.once("drain", resolve))
    socket.write("0\r\n\r\n")
    expect(await answer).toMatch(/^HTTP\/1.1 200/)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20) // 340 bytes for each were 200 MB
    socket.destroy()
  })

  test("of many actions in one _bulk is refused with what to do", async () => {
    const { port } = await serve()
    const bulk = (body: string) =>
      fetch(`http://127.0.0.1:${port}/_bulk`, {
        method: "POST",
        body,
        headers: { "content-type": "application/x-ndjson" },
      })
    const answer = await bulk('{"delete":{"_index":"ubi_queries"}}\n'.repeat(100_001))
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain("over 100000 actions. Send them in several requests.")
    expect((await bulk('{"delete":{"_index":"ubi_queries"}}\n'.repeat(100_000))).status).toBe(200)
  })

  test("does not decide how other people's records are read", () => {
    const plans = new RecordPlans(anyFormat)
    const planOf = (value: object) => plans.planOf(Buffer.from(`${JSON.stringify(value)}\n`))
    const own = { query: "q", time: "2006-03-01T00:00:00Z" }
    const hostile = planOf({ device_id: "x", "user_id\nlocale": "y", ...own })
    const honest = planOf({ device_id: "x", user_id: "u", locale: "y", ...own })
    expect(hostile.reading?.columns.user).toBe("device_id")
    expect(honest.reading?.columns.user).toBe("user_id")
  })
})

describe("a page of another site", () => {
  test("reads no releases, and takes no place of a subscriber", async () => {
    const { port } = await serve({ profiles: "/nonexistent" })
    for (const site of ["cross-site", "same-site"]) {
      const answer = await fetch(`http://127.0.0.1:${port}/profiles`, { headers: { "sec-fetch-site": site } })
      expect(answer.status).toBe(403)
    }
    expect((await fetch(`http://127.0.0.1:${port}/profiles`)).status).toBe(404) // none were published
  })
})
