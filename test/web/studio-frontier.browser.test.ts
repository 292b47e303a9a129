import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openBrowser, pageFolder, patience, whyNot } from "./browser.ts"
import { servePage } from "./page-server.ts"
import { SyntheticProject } from "./studio-project.ts"

const reason = whyNot("studio")
const name = reason === undefined ? "the studio's choice of a release" : `the studio (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let project: SyntheticProject
  let server: Awaited<ReturnType<typeof servePage>>
  let page: Page
  let wrong: string[]

  beforeAll(async () => {
    browser = await openBrowser()
    server = await servePage(pageFolder("studio"), (asked) => project.answer(asked))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(async () => {
    project = new SyntheticProject()
    wrong = []
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(patience)
    page = await context.newPage()
    page.on("console", (message) => wrong.push(`console: ${message.text()}`))
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`))
    await page.goto(`${server.origin}/#token=t`)
    await page.waitForSelector("h1")
  })
  afterEach(async () => {
    expect(wrong).toEqual([])
    await page.context().close()
  })

  const show = async (screen: string) => {
    await page.evaluate((screen) => {
      window.location.hash = `#${screen}`
    }, screen)
    await page.locator(`.${screen}`).waitFor()
  }
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "")
  const press = async (key: string) => {
    const before = await focused()
    await page.keyboard.press(key)
    await page.waitForFunction((before) => document.activeElement?.getAttribute("aria-label") !== before, before)
    return focused()
  }

  test("every point is reached by keyboard, and its details follow", async () => {
    await show("explore")
    await page.locator("[role=option]").first().waitFor()
    await page.getByLabel("Usefulness for").focus()
    await page.keyboard.press("Tab")
    expect(await focused()).toMatch(/^equality, k 50; computed on the whole log; recommended; in use;/)
    const heard = [await press("ArrowRight"), await press("ArrowRight"), await press("ArrowRight")]
    expect(heard.map((label) => label.split(";")[0])).toEqual(["equality, k 5", "equality, k 2", "raw log"])
    await page.locator(".point-card h3", { hasText: "raw log" }).waitFor()
    expect(await page.locator(".point-card").getByRole("button", { name: "Use this one" }).count()).toBe(0)
    expect(await page.locator("[role=option][tabindex='0']").count()).toBe(1)
  })

  test("two points marked by keyboard are compared, and rare queries are masked", async () => {
    await show("explore")
    await page.locator("[role=option][tabindex='0']").focus()
    await page.keyboard.press("Enter")
    await press("ArrowRight")
    await page.keyboard.press("Space")
    await page.getByRole("button", { name: "Show the same twenty queries in both" }).click()
    const table = page.locator("table", { hasText: "People in the log" })
    await table.waitFor()
    const cells = await table
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)))
    expect(cells).toEqual([
      ["masked: ••• ###", "2", "3", "not shown", "not shown"],
      ["train times", "90", "120", "110", "shows no texts"],
    ])
    expect(project.bodiesOf("/api/jobs/compare")).toEqual([{ points: ["sample-equalityk50", "sample-equalityk5"] }])
  })

  test("a chosen point is stored, and another can be computed for other options", async () => {
    await show("explore")
    await page.locator("table.points").getByRole("button", { name: "equality, k 5", exact: true }).click()
    await page.locator(".point-card").getByRole("button", { name: "Use this one" }).click()
    await page.getByText("equality with k 5", { exact: true }).waitFor()
    expect(project.bodiesOf("/api/choice")).toEqual([{ revision: 1, method: "equality", parameters: { k: 5 } }])
    await page.getByRole("button", { name: "Change its settings" }).click()
    await page.getByLabel("People that one hides among").fill("7")
    await page.getByRole("button", { name: "Compute this point" }).click()
    await expect
      .poll(() => project.bodiesOf("/api/jobs/explore"))
      .toEqual([{ of: "sample", point: { method: "equality", parameters: { k: 7 } } }])
  })

  test("a draft says that it is one, and is searched without a text in any address", async () => {
    await show("preview")
    await page.locator(".draft-label", { hasText: "Draft: not for publication" }).waitFor()
    await page.getByText("Rows 1 to 50 of 120").waitFor()
    expect(await page.locator(".released b").count()).toBe(0)
    await page.getByLabel("Search in the rows").fill("radar")
    await page.getByText("Rows 1 to 40 of 40 that match, of 120 in all").waitFor()
    expect(await page.locator(".released td").nth(1).textContent()).toBe("rain ⟨U+202E⟩radar")
    await page.getByText("Too few people searched for it.").waitFor()
    await page.getByLabel("A whole query of the log").fill("radar")
    await page.getByRole("button", { name: "Ask" }).click()
    await page.getByText("No, it is not in the release.").waitFor()
    await page.getByText("The promise becomes weaker.").waitFor()
    expect(project.bodiesOf("/api/jobs/explain")).toEqual([{ query: "radar" }])
    expect(project.asked.filter(({ path, search }) => `${path}${search}`.includes("radar"))).toEqual([])
    const kept = await page.evaluate(() =>
      JSON.stringify([document.title, window.location.href, { ...sessionStorage }]),
    )
    expect(kept).not.toContain("radar")
  })
})
