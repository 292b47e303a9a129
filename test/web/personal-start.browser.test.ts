import { describe, expect, test } from "vitest"
import { whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { searchPage } from "./search-page.ts"

const reason = whyNot("personal")
const name = "the start of the search page"
const top = "entity/physical entity/object"
const csv = "url,title,time\nhttps://a.example/,Birds,1700000000\n"
const file = (text: string) => ({ name: "history.csv", mimeType: "text/csv", buffer: Buffer.from(text) })
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (skipped: ${reason})`, () => {
  const at = searchPage()
  const { open, box, see, search, panel, picture } = at
  const heading = (name: string) => ({ name, level: 2 })

  test("has three steps, with back and skip, and opens again from the settings", async () => {
    at.proxy.settings.welcomed = false
    const page = await open()
    await page.getByRole("heading", heading("1. What stays here")).waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByRole("heading", heading("2. What is sensitive")).waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByRole("heading", heading("3. Which engine")).waitFor()
    await page.getByRole("button", { name: "Back" }).click()
    await page.getByRole("heading", heading("2. What is sensitive")).waitFor()
    await page.goBack()
    await page.getByRole("heading", heading("3. Which engine")).waitFor()
    await page.getByRole("link", { name: "What stays here" }).click()
    expect(at.proxy.settings.welcomed).toBe(false)
    await page.getByRole("button", { name: "Skip" }).click()
    await see(page, /Your profile has 214 topics/)
    expect(at.proxy.bodies("PUT", "/api/settings")).toEqual([{ welcomed: true }])
    expect(await box(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await page.reload()
    await see(page, /Your profile has 214 topics/)
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Settings" }).click()
    await page.getByRole("link", { name: "Open the start again" }).click()
    await page.getByRole("heading", heading("1. What stays here")).waitFor()
    expect(at.wrong).toEqual([])
  })

  test("does not block a search from the address bar", async () => {
    at.proxy.settings.welcomed = false
    const page = await open("/?q=jaguar")
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(at.wrong).toEqual([])
  })

  test("finds a topic by keys, shows its path, and marks it", async () => {
    const page = await open("/#start-2")
    const find = page.getByRole("combobox", { name: "Find a topic to mark" })
    await find.fill("ca")
    const options = page.getByRole("option")
    await expect.poll(() => options.count()).toBe(2)
    expect(await options.first().textContent()).toContain("entity › physical entity › object › animal")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    expect(await options.first().getAttribute("aria-selected")).toBe("true")
    await page.keyboard.press("Enter")
    expect(await options.count()).toBe(0)
    await page.getByRole("button", { name: "Mark as sensitive: cat" }).click()
    await page.getByRole("button", { name: "Remove the mark: cat" }).waitFor()
    expect(at.proxy.bodies("PUT", "/api/sensitive")).toEqual([{ path: `${top}/animal/cat`, sensitivity: 1 }])
    await find.fill("zzz")
    await see(page, "No topic has these words.")
    await page.keyboard.press("Escape")
    expect(await find.getAttribute("aria-expanded")).toBe("false")
    expect(at.wrong).toEqual([])
  })

  test("finds a topic by touch, in the profile's tree and next to a search", async () => {
    const page = await open("/#profile", phone)
    await page.getByRole("combobox", { name: /Find a topic/ }).fill("sports")
    await page.getByRole("option", { name: /sports car/ }).tap()
    const row = page.getByRole("treeitem", { name: /^sports car/ })
    await expect.poll(() => row.getAttribute("aria-selected")).toBe("true")
    await panel(page, "sports car").getByRole("button", { name: "Never show" }).tap()
    await expect.poll(() => at.proxy.never).toEqual([`${top}/vehicle/car/sports car`])
    await page.goto(`${at.origin}/?q=jaguar`)
    await page.getByRole("combobox", { name: /Find a topic/ }).fill("leopard")
    await page.getByRole("option", { name: /leopard/ }).tap()
    await page.getByRole("button", { name: "Mark as sensitive: leopard" }).tap()
    await expect.poll(() => at.proxy.sensitive.map(({ path }) => path)).toContain(`${top}/animal/cat/big cat/leopard`)
    expect(at.wrong).toEqual([])
  })

  test("adds an engine, explains a wrong address, tries it, uses it if it answers, and removes it", async () => {
    const page = await open("/#start-3")
    await page.getByText("Add an engine", { exact: true }).click()
    await page.getByLabel("Address").fill("http://search.example")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await see(page, /http:\/\/ would send queries in plain text/)
    expect(at.proxy.added).toEqual([])
    await page.getByLabel("Address").fill("https://search.example/")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await see(page, /It answered the test word “weather” with 10 results. Your searches now go to it./)
    expect(at.proxy.settings.engine).toBe("searxng search.example")
    at.proxy.trial = { query: "weather", results: 0, problem: { code: "engine-slow", message: "It took too long." } }
    await page.getByLabel("Kind").selectOption("queryveil")
    await page.getByLabel("Address").fill("https://other.example")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await see(page, /Added, but it did not answer the test. It took too long. It is not used yet./)
    expect(at.proxy.settings.engine).toBe("searxng search.example")
    expect(await page.getByLabel("Address").inputValue()).toBe("")
    await page.getByRole("button", { name: "Remove: queryveil other.example" }).click()
    await page.getByRole("button", { name: "Remove it?: queryveil other.example" }).click()
    await expect.poll(() => at.proxy.added).toEqual(["searxng search.example"])
    expect(at.wrong.filter((text) => !text.includes("400"))).toEqual([])
  })

  test("imports an uploaded history, explains a wrong file, and sends none that is too large", async () => {
    at.proxy.isEmpty = true
    const page = await open("/#settings")
    const history = panel(page, "Import a history")
    const give = async (text: string) => {
      await history.getByLabel("History file").setInputFiles(file(text))
      await history.getByRole("button", { name: "Import" }).click()
    }
    await give("something else")
    await history.getByText("Your file: no searches or pages were found.").waitFor()
    await give("x".repeat((1 << 20) + 1))
    await history.getByText(/The file is over 1 MB/).waitFor()
    expect(at.proxy.uploaded).toEqual(["something else"])
    await give(csv)
    await history.getByText("4 of 5 searches and pages have a topic. Your profile now has 214 topics.").waitFor()
    expect(at.proxy.uploaded.at(-1)).toBe(csv)
    expect(at.wrong.filter((text) => !text.includes("400"))).toEqual([])
  })

  test("says that the built-in engine is a dictionary, wherever its results are", async () => {
    const note = "Built-in dictionary: explains words, does not search the web."
    const page = await open()
    await see(page, note)
    await search(page)
    const results = page.getByRole("region", { name: "Results" })
    await results.getByText(note).waitFor()
    await results.getByText(/7 results from Built-in dictionary/).waitFor()
    at.proxy.settings.engine = "searxng"
    await page.reload()
    await results.getByText(/7 results from searxng/).waitFor()
    expect(await results.getByText(note).count()).toBe(0)
    expect(at.wrong).toEqual([])
  })

  test("says in words how clear a query is, with the numbers folded", async () => {
    const page = await open("/?q=jaguar")
    await see(page, "The engine can tell better what you mean: from unsure to fairly clear.")
    expect(await page.getByText(/Discriminating power/).isVisible()).toBe(false)
    await page.getByText("Numbers", { exact: true }).click()
    await see(page, /Discriminating power, from 0 to 1: 0.41 from the query alone, 0.57 with what is shown/)
    expect(at.wrong).toEqual([])
  })

  test("mentions keys only if there is a keyboard", async () => {
    for (const [options, isSeen] of [
      [{}, true],
      [phone, false],
    ] as const) {
      const page = await open("/", options)
      await expect.poll(() => page.locator("kbd").first().isVisible()).toBe(isSeen)
      await search(page)
      await expect.poll(() => page.getByText(/Enter marks one/).isVisible()).toBe(isSeen)
      await page.goto(`${at.origin}/#profile`)
      await page.getByRole("treeitem", { name: /^animal/ }).waitFor()
      await expect.poll(() => page.getByText(/Enter marks one as sensitive/).isVisible()).toBe(isSeen)
      await page.goto(`${at.origin}/#settings`)
      await see(page, "Learn from my searches and what I open")
      await expect.poll(() => panel(page, "Keys").isVisible()).toBe(isSeen)
    }
  })

  test.each([
    ["light", 390],
    ["dark", 390],
    ["light", 1280],
    ["dark", 1280],
  ] as const)("is legible in %s mode at %i px", async (colorScheme, width) => {
    const page = await open("/#start", { viewport: { width, height: 800 }, colorScheme })
    const legible = async (selectors: string[]) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      for (const [selector, contrast] of await page.evaluate(contrastsOf, selectors))
        expect([selector, contrast >= 4.5, contrast]).toEqual([selector, true, contrast])
    }
    await page.getByRole("heading", heading("1. What stays here")).waitFor()
    await legible([
      ".steps a",
      ".steps a[aria-current] span",
      ".plain-list li",
      ".panel .note",
      "summary",
      ".turn button",
    ])
    await picture(page, `start-1-${colorScheme}-${width}`)
    await page.goto(`${at.origin}/#start-2`)
    await page.getByRole("combobox").fill("ca")
    await page.getByRole("option").first().waitFor()
    await legible([".topic-search b", ".topic-search .path", ".topic-search .gloss", ".marked small"])
    await picture(page, `start-2-${colorScheme}-${width}`)
    await page.goto(`${at.origin}/#start-3`)
    await page.getByText("Add an engine", { exact: true }).click()
    await page.getByLabel("Address").fill("http://search.example")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await see(page, /in plain text/)
    await legible([".engine label", ".engine small", ".outcome.failed"])
    await picture(page, `start-3-${colorScheme}-${width}`)
    expect(at.wrong.filter((text) => !text.includes("400"))).toEqual([])
  })
})
