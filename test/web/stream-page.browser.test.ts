import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { StreamFigures } from "#dist/stream/live/stream-figures.js"
import { figuresOf } from "../server/stream-figures.ts"
import { openBrowser, pageFolder, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { type Asked, servePage } from "./page-server.ts"

const reason = whyNot("stream")
const name = reason === undefined ? "the live page" : `the live page (skipped: ${reason})`
const token = "synthetic-token-of-the-test"

/** A stream with 1,000 records in and 800 out per second. Its clock advances by a second with each request. */
class SyntheticStream {
  readonly asked: Asked[] = []
  changes: Partial<StreamFigures> = {}
  reachable = true
  config = { status: 200, body: { message: "The change is journalled." } as unknown }
  #seconds = 0

  readonly answer = (asked: Asked) => {
    this.asked.push(asked)
    if (!this.reachable) return undefined
    if (asked.token !== token) return { status: 401, body: { message: "No token." } }
    if (asked.path === "/config") return this.config
    const s = this.#seconds++
    const { now, lines, released } = figuresOf()
    return {
      status: 200,
      body: figuresOf({ now: now + s * 1000, lines: lines + s * 1000, released: released + s * 800, ...this.changes }),
    }
  }
}

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let stream: SyntheticStream
  let server: Awaited<ReturnType<typeof servePage>>
  let wrong: string[]
  const pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    server = await servePage(pageFolder("stream"), (asked) => stream.answer(asked))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(() => {
    stream = new SyntheticStream()
    wrong = []
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
  })

  const open = async (options: BrowserContextOptions = {}, address = `/#token=${token}`) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    await page.clock.install()
    page.on("console", (message) => wrong.push(`console: ${message.text()}`))
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`))
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== "data:" && origin !== server.origin) wrong.push(`request to ${origin}`)
    })
    await page.goto(server.origin + address)
    return page
  }
  /** Lets the page ask once more, and waits until it has drawn the answer. */
  const ask = async (page: Page) => {
    const moments = () => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuemax"))
    const before = await page.evaluate(moments)
    await page.clock.runFor(1000)
    await page.waitForFunction(
      (before) => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuemax")) > before,
      before,
    )
  }
  const tile = (page: Page, label: string) =>
    page.locator("dl.tiles > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) })
  const panel = (page: Page, label: string) => page.getByRole("region", { name: label })
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

  test("shows the figures without an error, with no inline code, from its own origin alone", async () => {
    const page = await open()
    await tile(page, "Waiting").getByText("280K").waitFor()
    await ask(page)
    await tile(page, "In").getByText("1K/s").waitFor()
    await tile(page, "Out").getByText("800/s").waitFor()
    await tile(page, "Memory").getByText("812 MB").waitFor()
    await panel(page, "Largest categories").getByText("entity/animal/dog").waitFor()
    const largest = panel(page, "Largest categories").locator("li")
    expect(await largest.filter({ hasText: "dog" }).textContent()).toContain("4,100 records of 9 users")
    expect(await largest.filter({ hasText: "quoted" }).textContent()).toMatch(/withheld/)
    await panel(page, "What is not released").getByText("no topic was found").waitFor()
    await page.locator("header").getByText("promised: at most 1/10").waitFor()
    await page.locator("header").getByText("new names in each cell").waitFor()
    await panel(page, "Linkage risk").getByText("Promised: Every cell has new names.").waitFor()
    await panel(page, "Linkage risk").getByText("within the promise", { exact: true }).waitFor()
    await panel(page, "Linkage risk")
      .getByText(/times-and-order.* named the right user for 10\.1\s% of 49,995 records/)
      .waitFor()
    const delay = panel(page, "Delay in time").getByRole("slider")
    expect(await delay.getAttribute("aria-valuetext")).toBe("median 2.5 s, 99 % 64 s")
    expect(await panel(page, "Delay in records").getByRole("slider").getAttribute("aria-valuetext")).toBe(
      "median 4.1K, 99 % 81K",
    )
    expect(wrong).toEqual([])
  })

  test("keeps the token for the tab, sends it with every request, and removes it from the address", async () => {
    const page = await open()
    await see(page, "280K")
    expect(page.url()).toBe(`${server.origin}/`)
    await page.reload()
    await see(page, "280K")
    expect(stream.asked.map((asked) => asked.token)).toEqual(stream.asked.map(() => token))
  })

  test("asks for a missing or wrong token", async () => {
    const page = await open({}, "/?token=wrong")
    await see(page, "The stream needs a token.")
    const before = stream.asked.length
    await page.clock.runFor(5000)
    expect(stream.asked.length).toBe(before)
    await page.getByLabel("Token").fill(token)
    await page.keyboard.press("Enter")
    await see(page, "280K")
    expect(await page.getByText("The stream needs a token.").count()).toBe(0)
  })

  test("draws rates over time, and lets keys choose a moment", async () => {
    const page = await open()
    await see(page, "280K")
    // From here on the page's clock moves only on request.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    await ask(page)
    stream.changes = { lines: 2_000_000 }
    await ask(page)
    stream.changes = {}
    for (let i = 0; i < 3; i++) await ask(page)
    const throughput = panel(page, "Throughput")
    const drawn = (await throughput.locator("path.one").getAttribute("d")) ?? ""
    expect(drawn.split("L").length).toBeGreaterThan(3)
    await throughput.getByRole("slider").focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft")
    await throughput.getByText("3 s ago").waitFor()
    expect(await throughput.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/^in 7\d\dK, out 800$/)
    await page.keyboard.press("Escape")
    await throughput.locator(".when", { hasText: "now" }).waitFor()
  })

  test("explains why an estimate above the promise is within it, and does not show it as good", async () => {
    const page = await open()
    const risk = panel(page, "Linkage risk")
    await risk.getByText(/why the estimate, 10\.1\s%, is above the promised 10\.0\s%/).waitFor()
    expect(await risk.locator(".pill.good").count()).toBe(0)
    const { risk: figures } = figuresOf()
    if (figures === undefined) throw new Error("there is a risk")
    stream.changes = { risk: { ...figures, share: 0.098, lower: 0.093 } }
    await ask(page)
    await risk.locator(".pill.good").getByText("within the promise").waitFor()
    expect(await risk.getByText("is above the promised").count()).toBe(0)
  })

  test("labels its axes with numbers and times that people use", async () => {
    stream.changes = { largest: [{ path: "a", waiting: 1, users: 1, gated: false }], categories: 1 }
    const page = await open()
    await see(page, "280K")
    await ask(page)
    const ticks = (title: string) => panel(page, title).locator("g.tick text").allTextContents()
    expect((await ticks("Linkage risk")).map((text) => text.replace("\u00a0", " "))).toEqual([
      "0 %",
      "5 %",
      "10 %",
      "15 %",
    ])
    expect(await ticks("Delay in time")).toEqual(["1 s", "10 s", "1 min", "10 min"])
    expect(await panel(page, "Throughput").locator("text.time").allTextContents()).toEqual([
      "90 s ago",
      "1 min ago",
      "30 s ago",
      "now",
    ])
    await panel(page, "Largest categories").getByText("1 record of 1 user").waitFor()
    await panel(page, "Largest categories").getByText("1 category in all").waitFor()
  })

  test("shows an alarm at the top, with the categories", async () => {
    const page = await open()
    await see(page, "within the promise")
    const { risk } = figuresOf()
    if (risk === undefined) throw new Error("there is a risk")
    const alarmed = [{ path: "entity/animal/cat", named: 412, share: 0.51, lower: 0.42 }]
    stream.changes = { risk: { ...risk, share: 0.14, lower: 0.131, alarm: true, alarmed } }
    await ask(page)
    await page.getByRole("alert").getByText("an attacker names the right user more often than 1/k").waitFor()
    await panel(page, "Linkage risk").getByText("above the promise", { exact: true }).waitFor()
    const row = panel(page, "Categories above the promise").getByRole("row", { name: /entity\/animal\/cat/ })
    expect(await row.getByRole("cell").allTextContents()).toEqual(["412", "51.0\u00a0%", "42.0\u00a0%"])
    stream.changes = { risk: { ...risk, alarmed } }
    await ask(page)
    await panel(page, "Linkage risk").getByText("above it in some categories").waitFor()
    expect(await page.getByRole("alert").textContent()).toContain("more often than 1/k in one category.")
    expect(wrong).toEqual([])
  })

  test("says that nothing is promised, and all reasons why", async () => {
    const page = await open()
    await see(page, "280K")
    expect(await page.getByRole("alert").textContent()).toBe("")
    const reasons = ["One name joins all searches of a person.", "The running attack names the right user too often."]
    stream.changes = { users: "pseudonym", promised: false, reasons }
    await ask(page)
    const alert = page.getByRole("alert")
    await alert.getByText("Nothing is promised.").waitFor()
    expect(await alert.textContent()).toContain(reasons.join(" "))
    await page.locator("header").getByText("nothing promised").waitFor()
    await page.locator("header").getByText("names last for ever").waitFor()
    expect(await panel(page, "Linkage risk").getByText("Promised:").count()).toBe(0)
    expect(wrong).toEqual([])
  })

  test("says that the disk is full, and that the risk is not assessed yet", async () => {
    stream.changes = { state: "full", risk: undefined }
    const page = await open()
    await page.getByRole("alert").getByText("The disk is full.").waitFor()
    await panel(page, "Linkage risk").getByText("not assessed yet").waitFor()
    expect(wrong).toEqual([])
  })

  test("says that the stream cannot be reached and how old its figures are; continues when it is back", async () => {
    const page = await open()
    await see(page, "280K")
    stream.reachable = false
    const failed = page.waitForEvent("requestfailed")
    await page.clock.runFor(1000)
    await failed
    await page.getByRole("alert").getByText("The stream cannot be reached:").waitFor()
    expect(await page.getByRole("alert").textContent()).toMatch(/figures below are from \d\d:\d\d:\d\d/)
    await page.locator("header").getByText("unreachable").waitFor()
    stream.reachable = true
    await ask(page)
    await page.locator("header").getByText("running").waitFor()
    expect(await page.getByRole("alert").textContent()).toBe("")
  })

  test("changes k and depth of the stream, sends only changed values, and shows the answer", async () => {
    const page = await open()
    const settings = panel(page, "Settings")
    const change = settings.getByRole("button", { name: "Change" })
    await settings.getByLabel(/^k/).waitFor()
    expect(await change.isDisabled()).toBe(true)
    await settings.getByLabel(/^k/).fill("12")
    await change.click()
    await settings.getByText("The change is journalled. (k = 12)").waitFor()
    const [put] = stream.asked.filter(({ method }) => method === "PUT")
    expect(put).toMatchObject({ method: "PUT", path: "/config", token, body: '{"k":12}' })
    stream.config = { status: 400, body: { message: "The taxonomy has 9 levels only." } }
    await settings.getByLabel("Depth of topics").fill("30")
    await settings.getByLabel("Depth of topics").press("Enter")
    await settings.getByRole("status").getByText("The taxonomy has 9 levels only.").waitFor()
    expect(wrong.filter((text) => !text.includes("400"))).toEqual([])
  })

  test.each([
    ["light", 390],
    ["dark", 390],
    ["dark", 360],
    ["dark", 1280],
  ] as const)("is legible in %s mode at %i px, without scrolling sideways", async (colorScheme, width) => {
    const path = "entity/physical entity/object/whole/artifact/instrumentality/conveyance/vehicle/wheeled vehicle"
    stream.changes = { largest: [{ path, waiting: 123_456, users: 9, gated: true }] }
    const page = await open({ viewport: { width, height: 800 }, colorScheme })
    await see(page, "280K")
    await ask(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    // Contrast by WCAG 2: text on the page and on cards, including quiet text.
    const contrasts = await page.evaluate(contrastsOf, [
      "h1",
      ".tiles strong",
      ".tiles small",
      ".note",
      ".pill.good",
      ".pill.bad",
      ".bars .value",
    ])
    for (const [selector, contrast] of contrasts) expect([selector, contrast >= 4.5]).toEqual([selector, true])
    const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(dark).toBe(colorScheme === "dark" ? "rgb(18, 23, 26)" : "rgb(244, 245, 243)")
    expect(wrong).toEqual([])
  })
})
