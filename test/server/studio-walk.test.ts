import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Comparison } from "#dist/app/project/jobs/compare-job.js"
import type {
  DraftView,
  Explore,
  Exposure,
  Job,
  Look,
  RegisterView,
  RowsPage,
  StudioState,
} from "#dist/app/project/studio-schema.js"
import { openProject, type Project } from "#dist/project/open-project.js"
import { openStudio, type StudioServer } from "#dist/server/studio/studio-server.js"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const logs = at("logs")
const root = at("project")
const token = "a-token-of-the-test-of-the-studio"
mkdirSync(logs)

/** A shop's log under names that no rule knows: 60 visitors, and one who typed an address. */
function shopLog(): string {
  const phrases = ["red shoes", "garden hose", "cheap flights", "coffee maker", "blue kettle"]
  const rows = Array.from({ length: 60 }, (_, visitor) =>
    phrases.map((phrase, i) => `v${1000 + visitor},${phrase},2026-03-0${1 + i} 10:${10 + (visitor % 50)}:00`),
  ).flat()
  return `visitor_ref,phrase,when\n${rows.join("\n")}\nv1001,jane.doe@example.com,2026-03-02 11:00:00\n`
}
writeFileSync(join(logs, "shop.csv"), shopLog())
writeFileSync(at("outside.csv"), shopLog())
symlinkSync(at("outside.csv"), join(logs, "link.csv"))

let project: Project
let server: StudioServer
const warnings: string[] = []

async function start(): Promise<void> {
  project = await openProject(root, { folders: [logs] })
  server = await openStudio(project, { port: 0, token, warn: (text) => warnings.push(text) })
}
async function stop(): Promise<void> {
  await server.close()
  await project.close()
}
beforeAll(start)
afterAll(stop)

const base = () => `http://127.0.0.1:${"port" in server.address ? server.address.port : 0}`
async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(base() + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, body: answer }
}
async function ok<T = object>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask(method, path, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as T
}
async function done(job: { id: string }): Promise<Job> {
  for (;;) {
    const now = await ok<Job>("GET", `/api/jobs/${job.id}`)
    if (["done", "failed", "cancelled", "interrupted"].includes(now.state)) return now
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const run = async (kind: string, body: unknown = {}) => done(await ok<Job>("POST", `/api/jobs/${kind}`, body))
const state = () => ok<StudioState>("GET", "/api/state")
const revision = async () => (await state()).project.revision

describe("the studio, asked as its page asks it", () => {
  test("lists files of the named folders, and refuses a link that leaves them", async () => {
    const { entries } = await ok<{ entries: { name: string }[] }>("POST", "/api/files", { folder: 0, path: "" })
    expect(entries.map(({ name }) => name)).toEqual(["shop.csv"])
    for (const path of [join(logs, "link.csv"), at("outside.csv"), join(logs, "..", "outside.csv"), "/etc/passwd"])
      expect((await ask("POST", "/api/look", { files: [path] })).status).toBe(400)
    expect((await ask("POST", "/api/files", { folder: 0, path: ".." })).status).toBe(400)
  })

  test("shows the first rows masked, and no text of them", async () => {
    const look = await ok<Look>("POST", "/api/look", { files: [join(logs, "shop.csv")] })
    expect(look.format).toBe("delimited")
    expect(look.columns).toHaveLength(3)
    expect(JSON.stringify(look)).not.toMatch(/shoes|hose|v1000|jane/)
  })

  test("reads the log only after the user column was confirmed", async () => {
    const body = {
      revision: await revision(),
      files: [join(logs, "shop.csv")],
      columns: { user: "1", query: "2", time: "3" },
      person: "cookie",
    }
    expect((await ask("PUT", "/api/log", body)).status).toBe(400)
    const job = await ok<Job>("PUT", "/api/log", { ...body, userConfirmed: true })
    expect(await done(job)).toMatchObject({ state: "done" })
    const { log } = await state()
    expect(log?.read).toMatchObject({ rows: 301, users: 60, stale: false })
  })

  test("refuses settings that it could not read back", async () => {
    const body = { revision: await revision(), files: [join(logs, "shop.csv")], person: "cookie", userConfirmed: true }
    for (const more of [{ columns: {}, format: "foo" }, { columns: { user: "1,query=2" } }])
      expect((await ask("PUT", "/api/log", { ...body, ...more })).status).toBe(400)
  })

  test("draws nothing if the settings changed after the draw was asked for", async () => {
    const other = join(at("frozen"), "project")
    const frozen = await openProject(other, { folders: [logs] })
    const desk = await openStudio(frozen, { port: 0, token })
    const origin = `http://127.0.0.1:${"port" in desk.address ? desk.address.port : 0}`
    const post = async <T>(method: string, path: string, body: object): Promise<T> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const response = await fetch(origin + path, { method, headers, body: JSON.stringify(body) })
      return (await response.json()) as T
    }
    const columns = { user: "1", query: "2", time: "3" }
    const chosen = { files: [join(logs, "shop.csv")], columns, person: "cookie", userConfirmed: true }
    await post("PUT", "/api/log", { revision: 0, ...chosen })
    await post("PUT", "/api/choice", { revision: 1, method: "equality", parameters: { k: 2 } })
    const job = await post<Job>("POST", "/api/jobs/release", { name: "first" }) // waits for the reading
    await post("PUT", "/api/choice", { revision: 2, method: "equality", parameters: { k: 50 } })
    for (let state = "waiting"; state !== "failed"; ) {
      const response = await fetch(`${origin}/api/jobs/${job.id}`, { headers: { authorization: `Bearer ${token}` } })
      const found = (await response.json()) as Job
      state = found.state
      expect(state).not.toBe("done")
      if (state === "failed") expect(found.error?.code).toBe("project-changed")
    }
    expect(existsSync(join(other, "releases", "first"))).toBe(false)
    await desk.close()
    await frozen.close()
  })

  test("refuses a change from a page that saw an earlier state", async () => {
    const stale = { revision: (await revision()) - 1, use: "queries", maxRisk: 0.2, recipient: "a partner" }
    expect(await ask("PUT", "/api/purpose", stale)).toMatchObject({ status: 409, body: { code: "project-changed" } })
  })

  test("shows texts of few users only after they were unmasked, and records that", async () => {
    expect(await run("inspect")).toMatchObject({ state: "done" })
    const exposure = await ok<Exposure>("GET", "/api/exposure")
    expect(exposure.kinds.map(({ kind }) => kind)).toContain("email")
    expect(JSON.stringify(exposure)).not.toContain("jane.doe")
    const [{ id }] = exposure.kinds[0].samples
    const unseen = { revision: await revision(), add: [id], remove: [] }
    expect((await ask("PUT", "/api/exempt", unseen)).status).toBe(400)
    const unmasked = await ok("POST", "/api/unmask", { samples: [id] })
    expect(unmasked).toEqual({ samples: [{ id, text: "jane.doe@example.com" }] })
    const { record } = await ok<RegisterView>("GET", "/api/register")
    expect(record[0].says).toContain("1 query texts of few users were shown")
    expect(await ok<StudioState>("PUT", "/api/exempt", unseen)).toMatchObject({ exempt: 1 })
    await ok("PUT", "/api/exempt", { revision: await revision(), add: [], remove: [id] })
  })

  test("compares methods, and takes up a point", async () => {
    await ok("PUT", "/api/purpose", {
      revision: await revision(),
      use: "queries",
      maxRisk: 0.5,
      recipient: "a partner",
    })
    const point = { method: "equality", parameters: { k: 5 } }
    expect(await run("explore", { of: "sample", point })).toMatchObject({ state: "done" })
    const explore = await ok<Explore>("GET", "/api/explore")
    expect(explore.points.map(({ name }) => name)).toEqual(["raw log, names replaced", "equality, k 5"])
    const ids = explore.points.map(({ id }) => id)
    const compared = await run("compare", { points: ids.slice(0, 2) })
    expect(compared).toMatchObject({ state: "done" })
    const { queries } = compared.result as Comparison
    expect(queries.length).toBeGreaterThan(3)
    expect(JSON.stringify(compared.result)).not.toContain("jane.doe")
    await ok("PUT", "/api/choice", { revision: await revision(), ...point })
  }, 60_000)

  test("makes a draft that is labelled as one, shows it page by page, and explains queries", async () => {
    expect(await run("draft")).toMatchObject({ state: "done" })
    const draft = await ok<DraftView>("GET", "/api/draft")
    expect(draft).toMatchObject({ seeded: true, stale: false, empty: false })
    expect(draft.withheld.length).toBeGreaterThan(0)
    const page = await ok<RowsPage>("POST", "/api/draft/rows", { page: 0, sort: "Query", search: "SHOES" })
    expect(page).toMatchObject({ matching: 60, total: 300 })
    expect(page.rows).toHaveLength(50)
    const explained = await run("explain", { query: "red shoes" })
    expect(explained.result).toMatchObject({ verdict: "released", users: 60 })
    const near = await run("explain", { query: "red shoes", method: "affinity", parameters: { theta: 0.1 } })
    expect(near.result).not.toHaveProperty("graph")
  })

  test("draws once, and asks for a reason to draw again", async () => {
    const both = await Promise.all(["march", "march-2"].map((name) => ask("POST", "/api/jobs/release", { name })))
    expect(both.map(({ status }) => status)).toEqual([200, 400])
    expect(await done(both[0].body as Job)).toMatchObject({ state: "done" })
    expect(existsSync(join(root, "releases", "march", "release.json"))).toBe(true)
    expect((await ask("POST", "/api/jobs/release", { name: "march-2" })).status).toBe(400)
    expect((await ask("POST", "/api/jobs/release", { name: "../march" })).status).toBe(400)
  })

  test("hands nothing out before it is signed", async () => {
    const early = await ask("POST", "/api/hand-out", { release: "march", to: at("early") })
    expect(early).toMatchObject({ status: 409, body: { code: "not-signed" } })
  })

  test("reports, takes a signature point by point, hands out, and the command line agrees", async () => {
    expect(await run("report", { name: "march" })).toMatchObject({ state: "done" })
    const [release] = (await ok<RegisterView>("GET", "/api/register")).releases
    expect(release.accept.length).toBeGreaterThan(2)
    const { manifest = "", report = "" } = release.fingerprints
    const signing = { release: "march", seen: { manifest, report }, name: "Ada Example", reason: "a test" }
    const unseen = { ...signing, seen: { manifest, report: "0".repeat(64) }, accept: release.accept }
    expect(await ask("POST", "/api/sign", unseen)).toMatchObject({ status: 409, body: { code: "project-changed" } })
    const stricter = { use: "queries", maxRisk: 0.001, recipient: "a partner" }
    await ok("PUT", "/api/purpose", { revision: await revision(), ...stricter })
    const [judgedBefore] = (await ok<RegisterView>("GET", "/api/register")).releases
    expect(judgedBefore.accept.at(-1)).toContain("now accepts only 0.001")
    await ok("PUT", "/api/purpose", { revision: await revision(), ...stricter, maxRisk: 0.5 })
    expect((await ask("POST", "/api/sign", { ...signing, accept: release.accept.slice(1) })).status).toBe(409)
    expect((await ask("POST", "/api/sign", { ...signing, accept: ["all"] })).status).toBe(400)
    const both = await Promise.all(
      ["Ada Example", "Eve Example"].map((name) =>
        ask("POST", "/api/sign", { ...signing, name, accept: release.accept }),
      ),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 409])
    const register = both[0].body as RegisterView
    expect(register.record.filter(({ says }) => says.includes("signed"))).toHaveLength(1)
    expect((await ask("POST", "/api/jobs/report", { name: "march" })).status).toBe(409)
    expect(register.releases[0]).toMatchObject({ state: "signed", decision: { name: "Ada Example" } })
    await ok("POST", "/api/hand-out", { release: "march", to: at("out") })
    expect(readdirSync(at("out"))).toContain("release.json")
    const against = ["--against", join(logs, "shop.csv"), "--columns", "user=1,query=2,time=3"]
    const verified = await runCli([
      "verify",
      join(root, "releases", "march"),
      ...against,
      "--audit",
      join(root, "audits", "march"),
      "--json",
    ])
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: "passed" })
  }, 60_000)

  test("continues after a restart, and marks what was made before as stale when the user column changes", async () => {
    await stop()
    await start()
    const before = await state()
    expect(before).toMatchObject({ exposure: { stale: false }, draft: { stale: false } })
    const body = { files: [join(logs, "shop.csv")], columns: { user: "1", query: "2", time: "3" }, userConfirmed: true }
    await done(await ok<Job>("PUT", "/api/log", { ...body, revision: before.project.revision, person: "session" }))
    const after = await state()
    expect(after).toMatchObject({ exposure: { stale: true }, draft: { stale: true }, log: { read: { stale: false } } })
  })

  test("says when the log changed or vanished", async () => {
    writeFileSync(join(logs, "shop.csv"), `${shopLog()}v9,new,2026-03-03 10:00:00\n`)
    const { log } = await state()
    expect(log?.files[0].state).toBe("changed")
    expect(log?.read?.stale).toBe(true)
    expect(await run("inspect")).toMatchObject({ state: "failed", error: { code: "input-changed" } })
  })

  test("keeps nothing of the log in its address, its jobs' labels or its errors", async () => {
    const jobs = JSON.stringify((await state()).jobs.map(({ result: _, ...job }) => job))
    expect(jobs).not.toMatch(/shoes|jane|v1000/)
  })

  test("describes its API, and refuses strangers", async () => {
    const described = await fetch(`${base()}/api`)
    const description = (await described.json()) as { openapi: string; paths: Record<string, object> }
    expect(description.openapi).toBe("3.1.0")
    expect(Object.keys(description.paths)).toContain("/api/sign")
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const method of Object.keys(methods)) {
        const url = base() + path.replace("{id}", "x")
        const send = (headers: Record<string, string>) =>
          fetch(url, { method: method.toUpperCase(), headers, ...(method !== "get" && { body: "{}" }) })
        const json = { "content-type": "application/json" }
        expect((await send(json)).status).toBe(403)
        expect((await send({ ...json, authorization: "Bearer another-token" })).status).toBe(403)
        const forged = { ...json, authorization: `Bearer ${token}`, origin: "https://example.com" }
        expect((await send(forged)).status).toBe(403)
        expect((await send({ ...json, authorization: `Bearer ${token}`, "sec-fetch-site": "cross-site" })).status).toBe(
          403,
        )
      }
    }
  })

  test("gives its token once for the code that opens a browser", async () => {
    const give = (code: string) =>
      fetch(`${base()}/api/token`, { method: "POST", headers: json, body: JSON.stringify({ code }) })
    const json = { "content-type": "application/json" }
    expect((await give("another code")).status).toBe(400)
    expect(await (await give(server.code)).json()).toEqual({ token })
    expect(warnings).toEqual([])
    expect((await give(server.code)).status).toBe(400)
    expect(warnings.join()).toContain("was used twice")
  })

  test("holds the project alone, and leaves its files to its owner", async () => {
    await expect(openProject(root)).rejects.toMatchObject({ code: "project-busy" })
    expect((await runCli(["studio", "register", "--project", root])).stderr).toContain("open in another process")
  })

  test("is deleted with its id only, and keeps what was spent and decided", async () => {
    expect((await ask("POST", "/api/delete", { id: "x" })).status).toBe(400)
    await ok("POST", "/api/delete", { id: (await state()).project.id })
    await server.removed
    expect(readdirSync(root).sort()).toEqual(expect.arrayContaining(["record.ndjson"]))
    expect(existsSync(join(root, "releases"))).toBe(false)
    expect(readFileSync(join(root, "record.ndjson"), "utf8")).toContain('"deleted"')
  })
})
