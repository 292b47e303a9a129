import { once } from "node:events"
import { appendFileSync, readdirSync, readFileSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { afterEach, describe, expect, test } from "vitest"
import { type HttpOptions, httpServer } from "#dist/server/http/http-server.js"
import { Subscription, type SubscriptionOptions } from "#dist/server/subscription/subscription.js"
import { anyFormat } from "../stream/lines.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function serve(
  options: Partial<SubscriptionOptions> & {
    from?: number
    newest?: number | "starting"
    http?: Partial<HttpOptions>
  } = {},
) {
  const { from = 0, newest = 0, http, ...rest } = options
  const folder = rest.folder ?? fresh("output")
  const output = new Subscription({ folder, retain: 1 << 20, ...rest })
  await output.open({ bytes: from, due: Number.POSITIVE_INFINITY })
  if (newest !== "starting") output.recovered(newest)
  const server = httpServer({
    ...anyFormat,
    host: "127.0.0.1",
    port: 0,
    takes: false,
    subscription: output,
    ...http,
  })
  const address = await server.listen()
  const port = address.kind === "tcp" ? address.port : 0
  cleanups.push(async () => {
    await server.close()
    await output.close()
  })
  return { output, folder, port }
}

async function subscribe(port: number, after?: number, headers: Record<string, string> = {}) {
  const request = get({
    port,
    host: "127.0.0.1",
    path: `/stream${after === undefined ? "" : `?after=${after}`}`,
    headers,
  })
  request.on("error", () => {})
  const [answer]: [IncomingMessage] = (await once(request, "response")) as [IncomingMessage]
  answer.on("error", () => {})
  let text = ""
  let heard = () => {}
  /** The numbers so far, once this many have come. */
  const numbers = async (count: number) => {
    if (answer.listenerCount("data") === 0) {
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        heard()
      })
    }
    while (text.split("\n").length <= count) {
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).seq)
  }
  return { answer, status: answer.statusCode, numbers, leave: () => request.destroy() }
}

const pad = "x".repeat(80)
const release = (seq: number) => Buffer.from(`${JSON.stringify({ seq, query: `"seq":${seq} ${pad}` })}\n`)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const writeAll = async (output: Subscription, from: number, to: number) => {
  for (const seq of range(from, to)) await output.write(release(seq), { last: seq })
}

describe("subscribers", () => {
  test("get every release once, and continue after a reconnect without a gap or a repeat", async () => {
    const { output, port } = await serve()
    await writeAll(output, 1, 50)
    const early = await subscribe(port)
    const live = await subscribe(port, 20)
    await writeAll(output, 51, 60)
    expect(await early.numbers(60)).toEqual(range(1, 60))
    expect(await live.numbers(40)).toEqual(range(21, 60))
    early.leave()
    const back = await subscribe(port, 60)
    await writeAll(output, 61, 61)
    expect(await back.numbers(1)).toEqual([61])
  })

  test("get 410 if what they ask for is no longer kept, with the first release that is", async () => {
    const { output, port } = await serve({ retain: 1 << 15 })
    const reader = await subscribe(port)
    const reading = reader.numbers(3000)
    await writeAll(output, 1, 3000)
    await reading
    const late = await subscribe(port, 5)
    expect(late.status).toBe(410)
    let text = ""
    for await (const chunk of late.answer) text += chunk
    const { first } = JSON.parse(text)
    expect(first).toBeGreaterThan(6)
    const kept = await subscribe(port, first - 1)
    expect(kept.status).toBe(200)
    expect((await kept.numbers(3001 - first)).at(0)).toBe(first)
  })

  test("are refused until everything of the earlier run is written again, and then get nothing twice", async () => {
    const first = await serve()
    await writeAll(first.output, 1, 30)
    const bytes = range(1, 10).reduce((sum, seq) => sum + release(seq).length, 0)
    await first.output.close()
    const { output, port } = await serve({ folder: first.folder, from: bytes, newest: "starting" })
    const early = await subscribe(port, 30)
    expect([early.status, early.answer.headers["retry-after"]]).toEqual([503, "1"])
    await writeAll(output, 11, 30)
    expect((await subscribe(port, 25)).status).toBe(503)
    output.recovered(30)
    const reader = await subscribe(port, 30)
    await writeAll(output, 31, 33)
    expect(await reader.numbers(3)).toEqual([31, 32, 33])
  })

  test("do not delay recovery while they cannot read yet", async () => {
    const first = await serve({ retain: 1 << 12 })
    first.output.release()
    await writeAll(first.output, 1, 300)
    await first.output.close()
    const bytes = range(1, 300).reduce((sum, seq) => sum + release(seq).length, 0)
    const { output, port } = await serve({ folder: first.folder, from: bytes, newest: "starting", retain: 1 << 12 })
    await writeAll(output, 301, 600)
    output.recovered(600)
    const reader = await subscribe(port, 598)
    expect(await reader.numbers(2)).toEqual([599, 600])
  })

  test("receive releases while a checkpoint makes earlier ones durable", async () => {
    const { output } = await serve({ retain: 1 << 12 })
    output.release()
    const settled: Promise<void>[] = []
    let isWriting = true
    const writing = writeAll(output, 1, 100).finally(() => {
      isWriting = false
    })
    while (isWriting) {
      settled.push(output.settle())
      await new Promise((resolve) => setImmediate(resolve))
      if (settled.length % 20 === 0) await Promise.allSettled(settled)
    }
    await writing
    expect(new Set((await Promise.allSettled(settled)).map(({ status }) => status))).toEqual(new Set(["fulfilled"]))
  })

  test("get 416 if they name a release that does not exist yet, with the newest one", async () => {
    const { output, port } = await serve()
    await writeAll(output, 1, 10)
    const { status, answer } = await subscribe(port, 11)
    expect(status).toBe(416)
    let text = ""
    for await (const chunk of answer) text += chunk
    expect(JSON.parse(text)).toMatchObject({ newest: 10 })
    expect((await subscribe(port, 10)).status).toBe(200)
  })

  test("get 410 if the folder is gone, instead of continuing with a gap", async () => {
    const { port } = await serve({ newest: 40 })
    expect((await subscribe(port, 12)).status).toBe(410)
    expect((await subscribe(port, 40)).status).toBe(200)
  })

  test("find their position among releases of any length", async () => {
    const { output, port } = await serve({ retain: 64 << 20 })
    const lengths = [10, 70_000, 3, 65_500, 200_000, 1, 40, 131_000, 5]
    for (const [i, length] of lengths.entries()) {
      await output.write(Buffer.from(`${JSON.stringify({ seq: i + 1, query: "x".repeat(length) })}\n`), { last: i + 1 })
    }
    for (let after = 0; after < lengths.length; after++) {
      const reader = await subscribe(port, after)
      expect(await reader.numbers(lengths.length - after)).toEqual(range(after + 1, lengths.length))
      reader.leave()
    }
  })

  test("that are slow make the stream wait, and so does having none", async () => {
    const { output, port } = await serve({ retain: 1 << 12 })
    let written = 0
    const writing = (async () => {
      for (const seq of range(1, 200)) {
        await output.write(release(seq), { last: seq })
        written = seq
      }
    })()
    const { answer, numbers } = await subscribe(port, 0) // the request is answered while the stream waits
    expect(written).toBeLessThan(100)
    expect(answer.statusCode).toBe(200)
    expect(await numbers(200)).toEqual(range(1, 200))
    await writing
  })

  test("that read nothing are disconnected", async () => {
    const { output, port } = await serve({ retain: 64 << 20, stall: 1 })
    const reader = await subscribe(port) // and nothing of it is ever read
    const large = Buffer.from(`{"seq":1,"query":"${"x".repeat(30 << 20)}"}\n`)
    await output.write(large, { last: 1 })
    const closed = new Promise((resolve) => reader.answer.on("close", resolve))
    await output.close() // resolves only when no reader is left
    expect(output.readers).toBe(0)
    reader.leave()
    await closed
  })

  test("see a resumed run as if it had never ended; what a crash left after the checkpoint is cut off", async () => {
    const first = await serve()
    await writeAll(first.output, 1, 30)
    const bytes = range(1, 20).reduce((sum, seq) => sum + release(seq).length, 0)
    await first.output.close()
    const second = await serve({ folder: first.folder, from: bytes, newest: 20 })
    await writeAll(second.output, 21, 35)
    const reader = await subscribe(second.port, 10)
    expect(await reader.numbers(25)).toEqual(range(11, 35))
  })

  test("get no second dealing: a folder that is ahead of the store is refused and not changed", async () => {
    const { output, folder } = await serve({ retain: 1 << 15 })
    await writeAll(output, 1, 10)
    await output.close()
    const [name = ""] = readdirSync(folder)
    const before = readFileSync(`${folder}/${name}`, "utf8")
    const bytes = release(1).length
    await expect(new Subscription({ folder, retain: 1 }).open({ bytes, due: 8 })).rejects.toMatchObject({
      code: "output-ahead",
    })
    expect(readFileSync(`${folder}/${name}`, "utf8")).toBe(before)
    await new Subscription({ folder, retain: 1 }).open({ bytes, due: 9 })
  })

  test("cannot get what is missing: a damaged folder is refused", async () => {
    const { output, folder } = await serve({ retain: 1 << 15 })
    await writeAll(output, 1, 10)
    await output.close()
    const total = range(1, 10).reduce((sum, seq) => sum + release(seq).length, 0)
    await expect(new Subscription({ folder, retain: 1 }).open({ bytes: total + 1, due: 0 })).rejects.toMatchObject({
      code: "output-changed",
    })
    expect(readdirSync(folder)).toHaveLength(1)
    appendFileSync(`${folder}/note.txt`, "not ours")
    await new Subscription({ folder, retain: 1 }).open({ bytes: 0, due: 10 })
    expect(readdirSync(folder)).toEqual(["note.txt"])
  })

  test("need a token, unless they are on this machine and use its own name", async () => {
    const local = await serve()
    expect((await subscribe(local.port, undefined, { host: "rebound.example" })).status).toBe(403)
    expect((await subscribe(local.port, undefined, { origin: "https://shop.example" })).status).toBe(403)
    const { port } = await serve({ http: { subscribeTokens: ["a-token-of-some-length"] } })
    expect((await subscribe(port)).status).toBe(403)
    const known = await subscribe(port, undefined, { authorization: "Bearer a-token-of-some-length" })
    expect(known.status).toBe(200)
    expect((await subscribe(local.port, Number.NaN)).status).toBe(400)
  })
})
