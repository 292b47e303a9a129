import { once } from "node:events"
import { statSync } from "node:fs"
import { request } from "node:http"
import { afterEach, describe, expect, test } from "vitest"
import { openAdmin } from "#dist/server/admin/admin-server.js"
import { readToken, writeToken } from "#dist/server/frame/tokens.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { FakeStream } from "./fake-stream.ts"

const { at, write, folder } = scratchFolder()
const token = "the-token-of-this-run"
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

async function admin() {
  const stream = new FakeStream()
  const { address, close } = await openAdmin(stream, { host: "127.0.0.1", port: 0, token, page: at("page") })
  cleanups.push(close)
  const port = address.kind === "tcp" ? address.port : 0
  const ask = async (
    path: string,
    options: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const headers = { "content-type": "application/json", ...options.headers }
    const asked = request({ port, host: "127.0.0.1", path, method: options.method ?? "GET", headers }).end(options.body)
    const [answer] = await once(asked, "response")
    let text = ""
    for await (const chunk of answer) text += chunk
    return { status: answer.statusCode, headers: answer.headers, text }
  }
  const told = (path: string, options: Parameters<typeof ask>[1] = {}) =>
    ask(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } })
  return { stream, ask, told }
}

describe("the admin address", () => {
  test("reveals nothing without the token except whether the stream is well", async () => {
    const { ask, told, stream } = await admin()
    for (const path of ["/metrics", "/figures", "/anything"]) expect((await ask(path)).status).toBe(403)
    expect((await ask("/config", { method: "PUT", body: '{"k":5}' })).status).toBe(403)
    expect((await ask("/figures", { headers: { authorization: "Bearer another" } })).status).toBe(403)
    expect(stream.changes).toEqual([])
    expect(await ask("/health")).toMatchObject({ status: 200, text: '{"state":"running","checkpoint":"ok"}' })
    stream.state = "full"
    expect(await ask("/health")).toMatchObject({ status: 503, text: '{"state":"full","checkpoint":"ok"}' })
    stream.state = "running"
    stream.checkpoint = { age: 300, isStalled: true }
    expect(await ask("/health")).toMatchObject({ status: 503, text: '{"state":"running","checkpoint":"no room"}' })
    expect(JSON.parse((await told("/figures")).text)).toMatchObject({ k: 10 })
    expect((await told("/metrics")).headers["content-type"]).toMatch(/^text\/plain; version=0.0.4/)
  })

  test("refuses other names and other origins, with or without the token", async () => {
    const { told, ask } = await admin()
    expect((await told("/figures", { headers: { host: "rebound.example" } })).status).toBe(403)
    expect((await ask("/health", { headers: { host: "rebound.example:7777" } })).status).toBe(403)
    expect((await told("/figures", { headers: { origin: "https://shop.example" } })).status).toBe(403)
    expect((await told("/figures", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403)
    const answer = await told("/figures", { headers: { host: "localhost:7777" } })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
  })

  test("changes the settings, and refuses unknown ones", async () => {
    const { told, stream } = await admin()
    const put = (body: string) => told("/config", { method: "PUT", body })
    expect((await put('{"k":20,"withhold":["animal/dog"]}')).status).toBe(200)
    expect(stream.changes).toEqual([{ k: 20, withhold: ["animal/dog"] }])
    for (const body of ["", "{}", "[]", '{"k":1}', '{"k":"20"}', '{"key":1}', '{"depth":0}', "{"]) {
      expect((await put(body)).status).toBe(400)
    }
    expect(stream.changes).toHaveLength(1)
  })

  test("listens on this machine only", async () => {
    const opened = openAdmin(new FakeStream(), { host: "0.0.0.0", port: 0, token })
    await expect(opened).rejects.toMatchObject({ code: "option-value" })
  })

  test("serves the page without a token, under rules that let it load nothing from other origins", async () => {
    const { mkdirSync } = await import("node:fs")
    mkdirSync(at("page", "assets"), { recursive: true })
    write("<!doctype html>", "page/index.html")
    write("run()", "page/assets/a.js")
    const { ask } = await admin()
    const page = await ask("/")
    expect(page).toMatchObject({ status: 200, text: "<!doctype html>" })
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(page.headers["x-content-type-options"]).toBe("nosniff")
    expect(page.headers["cache-control"]).toBe("no-store")
    expect(await ask("/assets/a.js")).toMatchObject({ status: 200, text: "run()" })
    expect((await ask("/assets/../../package.json")).status).toBe(403)
  })
})

describe("a token", () => {
  test("can be read by its owner only, and is new for each run", async () => {
    const first = await writeToken(at("admin-token"))
    expect(statSync(at("admin-token")).mode & 0o777).toBe(0o600)
    expect(await readToken(at("admin-token"), "--token")).toBe(first)
    expect(await writeToken(at("admin-token"))).not.toBe(first)
  })

  test("given by the operator must exist and be long", async () => {
    await expect(readToken(write("short"), "--ingest-token-file")).rejects.toMatchObject({ code: "option-value" })
    await expect(readToken(`${folder}/none`, "--ingest-token-file")).rejects.toMatchObject({ code: "input-unreadable" })
  })
})
