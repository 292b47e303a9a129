import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { openBrowser, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"

const site = fileURLToPath(new URL("../../build/site", import.meta.url))
const reason = existsSync(site) ? whyNot("stream") : "build/site is not built: npm run docs"
if (!existsSync(site) && process.env.REQUIRE_SERVERS === "1") throw new Error(reason)
const name = reason === undefined ? "the documentation site" : `the documentation site (skipped: ${reason})`
const all = existsSync(site)
  ? readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"))
  : []
const pages = all.filter((path) => !path.startsWith("api"))

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let wrong: string[] = []
  const opened: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close()
    const found = wrong
    wrong = []
    expect(found).toEqual([])
  })

  const urlOf = (path: string) => pathToFileURL(join(site, path)).href
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    opened.push(page)
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(error.message))
    page.on("request", (request) => /^(?:file|data|blob):/.test(request.url()) || wrong.push(request.url()))
    await page.goto(urlOf(path))
    return page
  }
  const telephone = { viewport: { width: 390, height: 800 } }

  test("says on one screen what queryveil does, for whom, and where to begin", async () => {
    const page = await open("index.html")
    expect(await page.title()).toBe("queryveil")
    const cards = page.locator("article > ul > li a")
    expect(await cards.allTextContents()).toHaveLength(4)
    for (const part of ["article > ul", "article img", "article pre"]) {
      const box = await page.locator(part).first().boundingBox()
      expect([part, box !== null && box.y + box.height <= 900]).toEqual([part, true])
    }
    await cards.first().click()
    await page.waitForURL(urlOf("publish.html"))
  })

  test("finds a section from the keyboard, and opens it", async () => {
    const page = await open("glossary.html")
    await page.keyboard.press("/")
    await page.keyboard.type("names that last give people away")
    await page.locator("#results a").first().waitFor()
    expect(await page.locator("#results a").first().textContent()).toContain("Methods › swap")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${urlOf("methods/swap.html")}#names-that-last-give-people-away`)
  })

  test("says that the search found nothing, and closes it with Escape", async () => {
    const page = await open("methods/swap.html", telephone)
    await page.locator("#search").fill("zzzzqqqq")
    const results = page.locator("#results")
    await results.getByText("Nothing found for “zzzzqqqq”.").waitFor()
    await page.keyboard.press("Escape")
    await results.waitFor({ state: "hidden" })
  })

  test("is dark if the reader prefers it or asks for it, and stays so on the next page", async () => {
    const page = await open("index.html", { colorScheme: "light" })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await ground()).toBe("rgb(255, 255, 255)")
    await page.emulateMedia({ colorScheme: "dark" })
    await expect.poll(ground).toBe("rgb(20, 23, 29)")
    await page.emulateMedia({ colorScheme: "light" })
    await expect.poll(ground).toBe("rgb(255, 255, 255)")
    const button = page.getByRole("button", { name: "Dark colours" })
    await button.click()
    expect(await button.getAttribute("aria-pressed")).toBe("true")
    await page.goto(urlOf("methods/swap.html"))
    expect(await ground()).toBe("rgb(20, 23, 29)")
  })

  test.each(["light", "dark"] as const)("has text that can be read on a %s page", async (colorScheme) => {
    const page = await open("methods/swap.html", { colorScheme })
    await page.locator("#search").fill("cell")
    await page.locator("#results a").first().waitFor()
    const contrasts = await page.evaluate(contrastsOf, [
      ".home",
      "#search",
      "#results small",
      "#results mark",
      ".sidebar a",
      ".sidebar a[aria-current]",
      ".contents a",
      ".points .promised",
      ".points .label",
      ".points a",
      "article > p",
      "article > p a",
      "article > p code",
      "pre code",
      "th",
      "td",
      ".neighbours small",
      "footer",
    ])
    for (const [selector, contrast] of contrasts) expect([selector, contrast >= 4.5]).toEqual([selector, true])
  })

  test("has its menu behind a button on a phone", async () => {
    const page = await open("methods/swap.html", telephone)
    const sidebar = page.getByRole("navigation", { name: "Pages" })
    expect(await sidebar.isVisible()).toBe(false)
    const button = page.getByRole("button", { name: "Menu" })
    await button.click()
    expect(await sidebar.locator("[aria-current=page]").textContent()).toBe("swap")
    await page.keyboard.press("Escape")
    expect(await sidebar.isVisible()).toBe(false)
    await button.click()
    await sidebar.getByRole("link", { name: "equality" }).click()
    await page.waitForURL(urlOf("methods/equality.html"))
  })

  test("copies a command", async () => {
    const page = await open("methods/equality.html", { permissions: ["clipboard-read", "clipboard-write"] })
    const block = page.locator(".code").first()
    await block.hover()
    await block.getByRole("button").click()
    await block.getByText("Copied").waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator("code").textContent())
  })

  test("fits every page on a phone, mounts every demo, and reports no error", async () => {
    const page = await open("index.html", telephone)
    expect(pages.length).toBeGreaterThan(60)
    for (const path of pages) {
      await page.goto(urlOf(path))
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
      for (const demo of await page.locator("[data-demo]").all())
        await expect.poll(() => demo.evaluate((element) => element.childElementCount)).toBeGreaterThan(0)
    }
  })

  test.runIf(all.length > pages.length)("has the library's interface, with its icons and its search", async () => {
    const page = await open("api/modules/index.html")
    await page.locator(".tsd-kind-icon").first().waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("anonymize")
    await page.locator("#tsd-search-results li").first().waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Documentation" }).click()
    await page.waitForURL(urlOf("index.html"))
  })
})
