import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { GroupFigures } from "#dist/stream/workers/group-figures.js"
import { GroupReports, type WorkerReport } from "../../src/stream/workers/group-figures.ts"
import type { PartitionFigures } from "../../src/stream/workers/worker-figures.ts"
import { openBrowser, pageFolder, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { type Asked, servePage } from "./page-server.ts"

const reason = whyNot("workers")
const name = reason === undefined ? "the live page of workers" : `the live page of workers (skipped: ${reason})`
const token = "synthetic-token-of-the-test"
const start = Date.UTC(2026, 0, 5, 9, 30)

const partitionOf = (topic: string, partition: number, isSwapped: boolean): PartitionFigures => ({
  ...{ topic, partition, isWorking: true, lag: 12 * partition, restarts: 0, transactions: 812 },
  ...(isSwapped && { plan: 0, isMoved: false }),
  transactionSeconds: { p50: 0.012, p99: 0.048 },
  ...(isSwapped && {
    swap: {
      ...{ k: 10, promised: true, reasons: ["Every cell has new names."], released: 40_000, cells: 3636, waiting: 310 },
      ...{ withheld: { backlog: 20, topic: 4 }, delaySeconds: { p50: 4, p99: 61 } },
      restored: { waiting: 250, pairs: 90_000, seconds: 0.8 },
    },
  }),
})

const risk = {
  ...{ at: start, releases: 50_000, promise: 0.1, attacker: "words", named: 4000, share: 0.098, lower: 0.09 },
  ...{ alarm: false, alarmed: [] },
}

function reportsOf(seconds: number): WorkerReport[] {
  const about = { group: "searchlog", version: "0.1.0", now: start + 1000 * seconds, startedAt: start - 7_260_000 }
  const rest = { plan: 0, restarts: 0, memory: { rss: 412e6, heap: 120e6 }, hasEnded: false, largest: [], risk: null }
  const messages = 900 * seconds
  return [
    {
      ...{ ...about, ...rest, worker: "4f1c2d3e-1", role: "classify", partitionsOfGroup: 2 },
      partitions: [0, 1].map((partition) => partitionOf("searches", partition, false)),
      classifier: { messages, classified: messages, rejected: {}, withheld: { topic: 9 } },
    },
    {
      ...{ ...about, ...rest, worker: "77aa0b21-2", role: "swap", partitionsOfGroup: 3, risk },
      partitions: [0, 1].map((partition) => partitionOf("searchlog.classified.0", partition, true)),
      largest: [{ path: "entity/animal/dog", waiting: 120, users: 7, gated: false, partition: 0, plan: 0 }],
    },
    {
      ...{ ...about, ...rest, worker: "90be11c4-3", role: "swap", partitionsOfGroup: 3 },
      partitions: [partitionOf("searchlog.classified.0", 2, true)],
    },
  ]
}

const expected = [
  { role: "classify", topic: "searches", partitions: 2 },
  { role: "swap", topic: "searchlog.classified.0", partitions: 3, plan: 0 },
] as const

/** The figures of three workers; one of them may have been silent for some time. */
function figuresOf(silentSeconds = 0): GroupFigures {
  const reports = new GroupReports()
  for (const seconds of [0, 3])
    for (const report of reportsOf(seconds))
      reports.take(report, report.now - (report.worker === "90be11c4-3" ? 1000 * silentSeconds : 0))
  return reports.figures("searchlog", expected, start + 3000)
}

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let server: Awaited<ReturnType<typeof servePage>>
  let figures = figuresOf()
  const wrong: string[] = []
  const pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    const answer = (asked: Asked) =>
      asked.token === token ? { status: 200, body: figures } : { status: 401, body: { message: "No token." } }
    server = await servePage(pageFolder("workers"), answer)
  })
  afterEach(async () => {
    figures = figuresOf()
    for (const page of pages.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const open = async (options: { width?: number; colorScheme?: "light" | "dark"; address?: string } = {}) => {
    const { width = 1280, colorScheme = "light", address = `/#token=${token}` } = options
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(`console: ${message.text()}`))
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`))
    await page.goto(server.origin + address)
    return page
  }
  const panel = (page: Page, label: string) => page.getByRole("region", { name: label })

  test("shows every partition with its worker, and the workers with their risk", async () => {
    const page = await open()
    await page.getByText("all partitions have a worker").waitFor()
    await page.getByText("promised: at most 1/10").waitFor()
    expect(await panel(page, "Partitions").locator("tbody tr").count()).toBe(5)
    expect(await panel(page, "Workers").locator("tbody tr").count()).toBe(3)
    await panel(page, "Linkage risk").getByText("within the promise").waitFor()
    await panel(page, "Largest categories").getByText("120 records of 7 users").waitFor()
    await page.locator("dl.tiles").getByText("300/s").or(page.locator("dl.tiles").getByText("900/s")).first().waitFor()
    expect(wrong).toEqual([])
  })

  test("says which partition nobody has, and which worker is silent, in a notice", async () => {
    figures = figuresOf(40)
    const page = await open()
    await page.getByRole("alert").getByText("1 partition without a worker.").waitFor()
    await page.getByRole("alert").getByText("1 worker silent.").waitFor()
    expect(await panel(page, "Partitions").locator("tbody tr").first().textContent()).toContain("no worker")
    expect(await page.locator("header .pill.good").count()).toBe(1)
  })

  test("shows how far behind the profiles of users are, and that they wait if nobody keeps them", async () => {
    const shown = (silentSeconds: number) => {
      const reports = new GroupReports()
      const [report] = reportsOf(3)
      if (report === undefined) throw new Error("no report")
      const { classifier: _classifier, ...rest } = report
      const partitions = [1, 2].map((partition) => partitionOf("searchlog.released", partition, false))
      reports.take({ ...rest, role: "profiles", partitions }, report.now - 1000 * silentSeconds)
      return reports.figures("searchlog", [], start + 3000)
    }
    figures = shown(0)
    const page = await open()
    await page.locator("dl.tiles").getByText("36 to count").waitFor()
    await page.locator("dl.tiles").getByText("1 for profiles").waitFor()
    expect(await panel(page, "Workers").locator("tbody tr").first().textContent()).toContain("profiles")
    figures = shown(40)
    await page.getByRole("alert").getByText("Profiles wait for stream profiles follow.").waitFor()
    expect(wrong).toEqual([])
  })

  test("shows nothing as good that an attack refutes", async () => {
    const refuted = {
      promised: false,
      reasons: ["The running attack words names the right user more often than 1/10."],
    }
    figures = { ...figures, ...refuted }
    const page = await open()
    await page.getByRole("alert").getByText("Nothing is promised.").waitFor()
    await page.locator("header .pill.bad").getByText("nothing promised").waitFor()
  })

  test("asks for a missing token", async () => {
    const page = await open({ address: "/" })
    await page.getByText("The page needs a token.").waitFor()
    await page.getByLabel("Token").fill(token)
    await page.keyboard.press("Enter")
    await page.getByText("all partitions have a worker").waitFor()
    wrong.length = 0 // the browser reports the refused request
  })

  for (const colorScheme of ["light", "dark"] as const)
    test(`can be read in ${colorScheme} colours, and fits a small screen`, async () => {
      figures = figuresOf(40)
      for (const width of [1280, 390]) {
        const page = await open({ width, colorScheme })
        await panel(page, "Workers").getByText("silent for").waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        const shown = ["td", "th", ".pill.bad", ".pill.good", ".notice", ".unit"]
        for (const [selector, contrast] of await page.evaluate(contrastsOf, shown))
          expect(contrast, selector).toBeGreaterThanOrEqual(4.5)
        const { SCREENSHOTS } = process.env
        if (SCREENSHOTS !== undefined)
          await page.screenshot({ path: `${SCREENSHOTS}/workers-${width}-${colorScheme}.png`, fullPage: true })
      }
      expect(wrong).toEqual([])
    })
})
