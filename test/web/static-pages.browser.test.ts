import { pathToFileURL } from "node:url"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { frontierOf } from "../study/run-frontier.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { openBrowser, patience, whyNot } from "./browser.ts"

const reason = whyNot("stream")
const name = reason === undefined ? "pages that are written" : `pages that are written (skipped: ${reason})`
const { at, write } = scratchFolder()
const paths: Record<"frontier" | "equality" | "inspect", string> = {
  frontier: at("frontier/index.html"),
  equality: at("equality/index.html"),
  inspect: at("inspect.html"),
}
const grid = { equality: { k: [2, 4] }, groups: { k: [2], delta: [0.25] }, counts: { epsilon: [50], delta: "1e-3" } }

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let wrong: string[] = []
  const pages: Page[] = []

  beforeAll(async () => {
    const log = at("log.tsv")
    await synthLog(log, { rows: 3000, users: 100 })
    await frontierOf(log).study(at("frontier"), "--grid", write(JSON.stringify(grid)), "--discard-releases")
    for (const command of [
      ["study", "equality", log, "-k", "1,2,5,10", "-o", at("equality")],
      ["inspect", log, "--html", paths.inspect],
    ])
      expect((await runCli(command)).code).toBe(0)
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    wrong = []
  })

  const open = async (which: keyof typeof paths, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(message.text()))
    page.on("request", (request) => request.url().startsWith("http") && wrong.push(request.url()))
    await page.goto(pathToFileURL(paths[which]).href)
    return page
  }
  const telephone = { viewport: { width: 390, height: 800 }, hasTouch: true }
  const drawings = (page: Page) => page.locator("figure svg.drawing:visible")

  describe.each(["frontier", "equality", "inspect"] as const)("%s", (which) => {
    test.each([1280, 390])(
      "fits the width of the screen at %i px, and has no text that is too small",
      async (width) => {
        const page = await open(which, { viewport: { width, height: 800 } })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        const sizes = await drawings(page).evaluateAll((all) =>
          all.flatMap((svg) => {
            const scale = svg.getBoundingClientRect().width / Number(svg.getAttribute("width"))
            return [...svg.querySelectorAll("text")].map(
              (text) => scale * Number.parseFloat(getComputedStyle(text).fontSize),
            )
          }),
        )
        expect(sizes.length).toBeGreaterThan(0)
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10)
        expect(wrong).toEqual([])
      },
    )

    test("draws light charts on a light page, dark ones on a dark page, and light ones on paper", async () => {
      const page = await open(which, { colorScheme: "dark" })
      const look = () =>
        drawings(page).evaluateAll((all) =>
          all.map((svg) => {
            const marks = [
              ...svg.querySelectorAll("path[fill^='#'], circle[fill^='#'], rect[fill^='#'], text[fill^='#']"),
            ]
            return [getComputedStyle(svg).backgroundColor, ...new Set(marks.map((mark) => getComputedStyle(mark).fill))]
          }),
        )
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const dark = await look()
      for (const [background] of dark) expect(background).toBe(await ground())
      await page.emulateMedia({ colorScheme: "light" })
      const light = await look()
      for (const [background] of light) expect(background).toBe("rgb(255, 255, 255)")
      // Every colour has a counterpart.
      for (const [i, colours] of light.entries())
        for (const colour of colours) expect([which, i, dark[i]?.includes(colour)]).toEqual([which, i, false])
      await page.emulateMedia({ colorScheme: "dark", media: "print" })
      expect((await look()).flat()).not.toContain("rgb(20, 23, 29)")
    })
  })

  const details = /Searches kept: \d.*Risk: \d.*Worst attack: [a-z]/

  test("a point of the frontier shows its details when it is pointed at", async () => {
    const page = await open("frontier")
    const point = page.locator("#queries .wide .point", { hasText: "equality, k 2" }).first()
    expect(await point.locator("g").isVisible()).toBe(false)
    await point.locator("circle").hover()
    expect(await point.locator("g").isVisible()).toBe(true)
    expect(await point.textContent()).toMatch(details)
    await page.locator("h1").hover()
    expect(await point.locator("g").isVisible()).toBe(false)
  })

  test("a point of the frontier shows its details on the screen when it is tapped on a phone", async () => {
    const page = await open("frontier", telephone)
    const point = page.locator("#queries .slim .point", { hasText: "equality, k 2" }).first()
    await point.locator("circle").tap()
    expect(await point.locator("g").isVisible()).toBe(true)
    const box = await point.locator("rect").boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= 390).toBe(true)
    const overflow = await point.evaluate((one) => {
      const right = one.querySelector("rect")?.getBoundingClientRect().right ?? 0
      return [...one.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().right > right).length
    })
    expect(overflow).toBe(0)
  })

  test("the Tab key goes through the points of the main chart, each with its details", async () => {
    const page = await open("frontier")
    const points = page.locator("#queries .wide .point")
    const seen: string[] = []
    for (let i = 0; i < (await points.count()); i++) {
      await page.keyboard.press("Tab")
      const focused = page.locator(".point:focus")
      expect(await focused.locator("g").isVisible()).toBe(true)
      seen.push((await focused.getAttribute("aria-label")) ?? "")
    }
    expect(new Set(seen).size).toBe(await points.count())
    for (const label of seen) expect(label).toMatch(/searches kept .*risk|Searches kept/)
    await page.keyboard.press("Tab")
    expect(await page.locator(".point:focus").count()).toBe(0)
  })

  test.each([1280, 390])("names of points do not overlap at %i px", async (width) => {
    const page = await open("frontier", { viewport: { width, height: 800 } })
    const overlaps = await drawings(page).evaluateAll((all) =>
      all.map((svg) => {
        const names = [...svg.querySelectorAll("g[stroke-width='4'] > text")].map((text) =>
          text.getBoundingClientRect(),
        )
        const meets = (a: DOMRect, b: DOMRect) =>
          a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3
        return names.length === 0 ? -1 : names.filter((a, i) => names.some((b, j) => j > i && meets(a, b))).length
      }),
    )
    expect(overlaps.length).toBeGreaterThan(0)
    expect(new Set(overlaps)).toEqual(new Set([0]))
  })

  test("the axes of the frontier say what is better, and their scale", async () => {
    const page = await open("frontier")
    const text = await page.locator("#queries .wide svg").textContent()
    expect(text).toMatch(/lower is safer \(cube-root scale/)
    expect(text).toMatch(/further right is better.*\((linear|logarithmic) scale/)
  })
})
