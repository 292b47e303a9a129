import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { chromium } from "playwright-core"
import type { Job } from "#dist/app/project/studio-schema.js"
import { openProject } from "#dist/project/open-project.js"
import { openStudio } from "#dist/server/studio/studio-server.js"
import { type Bench, type Finding, secondsAtMost, type Target } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 200_000
const large = 10_000_000
const token = "the-token-of-the-bench-of-the-studio"

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>

/** Opens a studio on a log in a new project, and reads and inspects the log. */
async function withStudio<T>(rows: number, work: (ask: Ask, url: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "queryveil-bench-studio-"))
  const project = await openProject(join(root, "project"), { folders: [benchFolder] })
  const server = await openStudio(project, { port: 0, token })
  const origin = `http://127.0.0.1:${"port" in server.address ? server.address.port : 0}`
  const ask: Ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json()) as never
  }
  try {
    const chosen = { files: [logPath(rows)], columns: {}, person: "login", userConfirmed: true }
    await ask("PUT", "/api/log", { revision: 0, ...chosen })
    return await work(ask, `${origin}/#token=${token}`)
  } finally {
    await server.close()
    await project.close()
    await rm(root, { recursive: true, force: true })
  }
}

async function ended(ask: Ask): Promise<void> {
  for (;;) {
    const { jobs } = await ask<{ jobs: Job[] }>("GET", "/api/state")
    if (jobs.every(({ state }) => state !== "waiting" && state !== "running")) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** From an empty tab to the first heading of a project whose log was read and inspected. */
function firstView(): Promise<Finding> {
  return withStudio(small, async (ask, url) => {
    await ask("POST", "/api/jobs/inspect", {})
    await ended(ask)
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
    try {
      const page = await browser.newPage()
      const begun = performance.now()
      await page.goto(url)
      await page.locator("main h1").waitFor()
      return { count: 1, seconds: (performance.now() - begun) / 1000 }
    } finally {
      await browser.close()
    }
  })
}

/** How long the server takes to answer while a job reads ten million rows. */
function answersWhileReading(): Promise<Finding> {
  return withStudio(large, async (ask) => {
    const times: number[] = []
    const begun = performance.now()
    for (;;) {
      const asked = performance.now()
      const { jobs } = await ask<{ jobs: Job[] }>("GET", "/api/state")
      times.push(performance.now() - asked)
      if (jobs.every(({ state }) => state !== "waiting" && state !== "running")) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0
    const seconds = (performance.now() - begun) / 1000
    return { count: large, seconds, answers: times.length, medianMs: at(0.5), p99Ms: at(0.99), mostMs: at(1) }
  })
}

/** The bytes of the page's script and style, gzipped. */
async function pageBytes(): Promise<Finding> {
  const folder = fileURLToPath(new URL("../../dist/web/studio/assets/", import.meta.url))
  let kilobytes = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if ((await stat(path)).isFile()) kilobytes += gzipSync(await readFile(path)).length / 1000
  }
  return { count: 1, seconds: 1, kilobytes }
}

const answers = "answers while 10 million rows are read"
const view = "first view of a project of 200,000 rows"
const bytes = "bytes of the page, gzipped"

function atMost(name: string, { key, most, unit }: { key: string; most: number; unit: string }): Target {
  return {
    what: `${name}: ${key}`,
    limit: `≤ ${most} ${unit}`,
    check: (findings) => {
      const value = Number(findings.get(name)?.[key] ?? Number.NaN)
      return { value: `${value.toFixed(1)} ${unit}`, met: value <= most }
    },
  }
}

/** The studio: how soon it shows something, and whether it answers while it works. The first view needs Chromium. */
export const studioBench: Bench = {
  name: "studio",
  prepare: async () => {
    await makeLog(small)
    await makeLog(large)
  },
  cases: [
    { name: bytes, run: pageBytes },
    { name: view, run: firstView },
    { name: answers, run: answersWhileReading },
  ],
  targets: [
    atMost(bytes, { key: "kilobytes", most: 180, unit: "kB" }),
    secondsAtMost(view, 1),
    atMost(answers, { key: "p99Ms", most: 200, unit: "ms" }),
  ],
}
