import { spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { Job, StudioState } from "#dist/app/project/studio-schema.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const program = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))
const { at } = scratchFolder()

/** A studio in a process of its own. */
async function startStudio(root: string, logs: string) {
  const args = [program, "studio", "--project", root, logs, "--port", "0", "--no-open", "--json"]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes("}\n")) break
  }
  const { url } = JSON.parse(text) as { url: string }
  const { origin, hash } = new URL(url)
  const token = new URLSearchParams(hash.slice(1)).get("token") ?? ""
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return { child, exited, origin, token, ask, state: () => ask<StudioState>("GET", "/api/state") }
}

type Studio = Awaited<ReturnType<typeof startStudio>>

async function until<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look()
    if (isDone(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
const jobOf = (studio: Studio, kind: Job["kind"]) => async () =>
  (await studio.state()).jobs.filter((job) => job.kind === kind).at(-1)
const ended = (job: Job | undefined) => job !== undefined && !["waiting", "running"].includes(job.state)

async function chooseLog(studio: Studio, log: string): Promise<void> {
  const { project } = await studio.state()
  const body = { revision: project.revision, files: [log], columns: {}, person: "login", userConfirmed: true }
  await studio.ask("PUT", "/api/log", body)
  await until(jobOf(studio, "read"), ended)
}

const leftovers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".partial-"))

describe("a studio that is killed", () => {
  const logs = at("logs")
  mkdirSync(logs)
  const log = join(logs, "log.tsv")
  writeFileSync(log, aolText(smallTown()))

  test.each(["read", "inspect", "explore", "draft", "report"] as const)(
    "in the middle of %s opens again where it was, and finishes the work",
    async (kind) => {
      const root = at(`killed-${kind}`)
      let studio = await startStudio(root, logs)
      await chooseLog(studio, log)
      const revision = async () => (await studio.state()).project.revision
      const choice = { method: "equality", parameters: { k: 2 } }
      await studio.ask("PUT", "/api/choice", { revision: await revision(), ...choice })
      if (kind === "report") {
        await studio.ask("POST", "/api/jobs/release", { name: "first" })
        await until(jobOf(studio, "release"), ended)
      }
      const body = { explore: { of: "sample", point: choice }, report: { name: "first" } }
      if (kind === "read") await chooseAgain(studio, log)
      else await studio.ask("POST", `/api/jobs/${kind}`, kind in body ? body[kind as "explore"] : {})
      await until(jobOf(studio, kind), (job) => job?.state === "running")
      studio.child.kill("SIGKILL")
      await studio.exited
      studio = await startStudio(root, logs)
      expect(await until(jobOf(studio, kind), ended)).toMatchObject({ state: "done" })
      studio.child.kill("SIGTERM")
      expect(await studio.exited).toBe(0)
      expect(leftovers(root)).toEqual([])
    },
  )

  test("in the middle of a draw does not draw again by itself, and says so in the record", async () => {
    const root = at("killed-draw")
    const large = join(logs, "large.tsv") // so that its draw has not ended when the studio is killed
    await writeSynth(large, { rows: 200_000, seed: 3 })
    let studio = await startStudio(root, logs)
    await chooseLog(studio, large)
    const { project } = await studio.state()
    const choice = { method: "swap", parameters: { k: 2, depth: "1" } }
    await studio.ask("PUT", "/api/choice", { revision: project.revision, ...choice })
    await studio.ask("POST", "/api/jobs/release", { name: "first" })
    await until(jobOf(studio, "release"), (job) => job?.state === "running")
    studio.child.kill("SIGKILL")
    await studio.exited
    studio = await startStudio(root, logs)
    expect(await jobOf(studio, "release")()).toMatchObject({ state: "interrupted" })
    expect(readFileSync(join(root, "record.ndjson"), "utf8")).toContain("draw interrupted")
    expect(await studio.ask("POST", "/api/jobs/release", { name: "second" })).toMatchObject({ code: "usage" })
    studio.child.kill("SIGTERM")
    await studio.exited
  })

  test("is not opened by a second process, and answers to its own name only", async () => {
    const root = at("second")
    const studio = await startStudio(root, logs)
    expect((await runCli(["studio", "register", "--project", root])).stderr).toContain("another process")
    const { hostname, port } = new URL(studio.origin)
    const status = await new Promise<number | undefined>((resolve) => {
      const headers = { host: "evil.example", authorization: `Bearer ${studio.token}` }
      request({ hostname, port, path: "/api/state", headers }, ({ statusCode }) => resolve(statusCode)).end()
    })
    expect(status).toBe(403)
    studio.child.kill("SIGTERM")
    expect(await studio.exited).toBe(0)
  })
})

async function chooseAgain(studio: Studio, log: string): Promise<void> {
  const { project } = await studio.state()
  const body = { revision: project.revision, files: [log], columns: {}, person: "session", userConfirmed: true }
  await studio.ask("PUT", "/api/log", { ...body, person: "cookie" })
}
