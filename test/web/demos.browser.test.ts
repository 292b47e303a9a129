import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { buildDemos } from "../../site/demos/build-demos.mjs"
import { demos } from "../../site/demos/list.ts"
import { openBrowser, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"

const reason = whyNot("stream")
const name = reason === undefined ? "the demos of the site" : `the demos of the site (skipped: ${reason})`
const folder = mkdtempSync(join(tmpdir(), "queryveil-demos-"))
const places = demos.map((demo) => `<div class="demo" data-demo="${demo}"></div>`).join("\n")
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Demos</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="assets/demos.css">
<style>:root { color-scheme: light dark } body { margin: 0; padding: 12px; font-family: sans-serif }</style>
${places}<script src="assets/demos.js" defer></script></html>`

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  const pages: Page[] = []
  const wrong: string[] = []

  beforeAll(async () => {
    await buildDemos(join(folder, "assets"))
    writeFileSync(join(folder, "index.html"), html)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    // Nothing but the page, its script and its style is ever loaded, and nothing is complained about.
    expect(wrong.splice(0)).toEqual([])
  })

  const own = ["index.html", "assets/demos.css", "assets/demos.js"].map(
    (file) => pathToFileURL(join(folder, file)).href,
  )
  const open = async (options: { width?: number; colorScheme?: "light" | "dark" } = {}) => {
    const { width = 1280, colorScheme = "light" } = options
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(error.message))
    page.on("request", (request) => own.includes(request.url()) || wrong.push(request.url()))
    await page.goto(own[0] ?? "")
    await page.locator("[data-demo=counts] tbody tr").first().waitFor()
    return page
  }
  test("every control has a label of its own", async () => {
    const page = await open()
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(5)
  })

  const inDemo = (page: Page, demo: string) => page.locator(`[data-demo=${demo}]`)

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("all show at %i px, %s, fit the width, and can be read", async (width, colorScheme) => {
    const page = await open({ width, colorScheme })
    expect(await page.locator(".qv-demo").count()).toBe(demos.length)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const users = [1, 2, 3, 4, 5, 6].map((number) => `.qv-user${number}`)
    const texts = [".qv-source", ".qv-says", ".qv-note", ".qv-withheld td:nth-child(2)", ".qv-time", ".qv-warning"]
    for (const [selector, contrast] of await page.evaluate(contrastsOf, [...users, ...texts]))
      expect([selector, contrast >= 4.5]).toEqual([selector, true])
  })

  test("equality releases less with a larger k, and draws names anew", async () => {
    const demo = inDemo(await open(), "equality")
    const released = demo.getByRole("region", { name: "The release" }).locator("tbody tr")
    const slider = demo.getByRole("slider")
    await slider.fill("1")
    await expect.poll(() => released.count()).toBe(40)
    await slider.fill("9")
    await expect.poll(() => released.count()).toBe(9)
    const nameOf = () => released.first().locator("td").first().textContent()
    const before = await nameOf()
    await demo.getByRole("button", { name: "Draw names again" }).click()
    await expect.poll(nameOf).not.toBe(before)
    await slider.fill("10")
    await expect.poll(() => demo.textContent()).toContain("Nothing. No text has 10 users.")
  })

  test("swap closes a cell when k + 1 users wait, and hides from a reader who searched", async () => {
    const demo = inDemo(await open(), "swap")
    const left = demo.getByRole("region", { name: "Searches that left" })
    expect(await left.locator("tbody tr").count()).toBe(0)
    while ((await left.locator("tbody tr").count()) === 0)
      await demo.getByRole("button", { name: "Next search" }).click()
    expect(await left.locator("tbody tr").count()).toBe(4)
    for (const row of await left.locator("tbody tr").all()) {
      const [from, under] = await row.locator(".qv-user").allTextContents()
      expect(from).not.toBe(under)
    }
    expect(await demo.textContent()).toContain("1 in 3")
    await demo.getByRole("button", { name: "Run all" }).click()
    await demo.getByLabel("Show what a reader sees").check()
    expect(await demo.locator(".qv-user").count()).toBe(0)
    expect(await left.locator("tbody tr").count()).toBeGreaterThan(30)
    await demo.getByRole("slider").fill("6")
    await expect.poll(() => demo.textContent()).toContain("1 in 6")
  })

  test("counts shows fewer queries with a smaller ε, and adds up what draws cost", async () => {
    const demo = inDemo(await open(), "counts")
    const shown = async () => Number.parseInt((await demo.locator("p[role=status]").textContent()) ?? "", 10)
    const epsilon = demo.getByRole("slider").first()
    await epsilon.fill("7")
    await expect.poll(shown).toBeGreaterThan(25)
    await epsilon.fill("0")
    await expect.poll(shown).toBeLessThan(20)
    await demo.getByRole("button", { name: "Draw again" }).click()
    await demo.getByRole("button", { name: "Draw again" }).click()
    expect(await demo.textContent()).toContain("3 draws cost 3 times as much")
  })

  test.each(["affinity", "wordnet", "groups", "profiles", "personal", "stream"])(
    "%s goes through its steps by button and by key, and names its commands",
    async (which) => {
      const demo = inDemo(await open(), which)
      expect(await demo.textContent()).toContain("Recorded from a real run: queryveil ")
      const next = demo.getByRole("button", { name: "Next" })
      const heading = demo.locator(".qv-step h4")
      const titles = [await heading.textContent()]
      for (let step = 0; await next.isEnabled(); step++) {
        if (step % 2 === 0) await next.click()
        else await demo.locator(".qv-dots [aria-current]").press("ArrowRight")
        titles.push(await heading.textContent())
      }
      expect(new Set(titles).size).toBe(titles.length)
      expect(titles.length).toBe(await demo.locator(".qv-dots button").count())
      await demo.locator(".qv-dots [aria-current]").press("Home")
      expect(await heading.textContent()).toBe(titles[0])
    },
  )

  test("frontier shows a point's details by pointer and by key, and dims what is too risky", async () => {
    const demo = inDemo(await open(), "frontier")
    const card = demo.locator(".qv-card")
    await demo.locator(".qv-point", { has: demo.page().locator(".qv-raw") }).click()
    expect(await card.textContent()).toMatch(/^raw log, names replaced\. Risk 39\.5.*Searches kept: 100/)
    await demo.locator(".qv-point.qv-active").press("Home")
    expect(await card.textContent()).toMatch(/^counts/)
    await demo.getByRole("slider").fill("0")
    await expect.poll(() => demo.locator(".qv-point.qv-dim").count()).toBe(await demo.locator(".qv-point").count())
    await demo.getByLabel("Usefulness for").selectOption("language")
    expect(await demo.textContent()).toContain("lower number is better")
    await demo.getByRole("button", { name: "Searches kept" }).click()
    await demo.getByRole("button", { name: "Searches kept" }).click()
    expect(await demo.locator("tbody tr").first().textContent()).toContain("raw log")
  })
})
