import { describe, expect, test } from "vitest"
import { whyNot } from "./browser.ts"
import { searchPage } from "./search-page.ts"
import { token } from "./synthetic-proxy.ts"

const reason = whyNot("personal")
const name = reason === undefined ? "the search page" : `the search page (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  const at = searchPage()
  const { open, box, topic, see, search, ranks, titles, picture } = at

  test("shows results in the searcher's order with how far each moved, next to the engine's order", async () => {
    const page = await open()
    expect(await box(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await picture(page, "start")
    await search(page)
    expect(await ranks(page)).toEqual(["▲3", "▼1", "▲4", "▼2", "=", "▼3", "▼1"])
    expect((await titles(page))[0]).toBe("Jaguars of the Pantanal")
    await see(page, "The engine learned 7 topics; risk 0.16 of 0.20.")
    await picture(page, "light")
    await page.getByText("The engine’s", { exact: true }).click()
    expect((await titles(page)).slice(0, 2)).toEqual(["Jaguar", "<b>Bold</b> <img src=x onerror=alert(1)> cats"])
    expect((await ranks(page))[0]).toBe("→2")
    await picture(page, "engine-order")
    expect(at.wrong).toEqual([])
  })

  test("keeps the query but not the token in the address; back and forward search again", async () => {
    const page = await open("/?q=jaguar")
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(page.url()).toBe(`${at.origin}/?q=jaguar`)
    await search(page, "big cats & more")
    await page.waitForFunction(() => document.title.startsWith("big cats"))
    expect(new URL(page.url()).searchParams.get("q")).toBe("big cats & more")
    await page.goBack()
    await page.waitForFunction(() => document.title.startsWith("jaguar"))
    expect(await box(page).inputValue()).toBe("jaguar")
    await expect.poll(() => at.proxy.bodies("POST", "/api/search").map(({ query }) => query)).toHaveLength(3)
    expect(at.proxy.asked.every((asked) => asked.token === token)).toBe(true)
    // Looking at another view and coming back does not ask the engine again.
    await page.getByRole("link", { name: "History" }).click()
    await page.getByRole("link", { name: "Search", exact: true }).click()
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(at.proxy.bodies("POST", "/api/search")).toHaveLength(3)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toMatch(/jaguar|big cats/)
    expect(at.wrong).toEqual([])
  })

  test("makes links only for http(s), and no markup from an engine's text", async () => {
    const page = await open("/?q=jaguar")
    await page.getByRole("region", { name: "Results" }).waitFor()
    const item = page.locator(".results > li", { hasText: "Click me" })
    expect(await item.locator("a").count()).toBe(0)
    await item.getByText("Its address was javascript:alert(1).").waitFor()
    expect(await page.locator(".results").locator("b, img, script").count()).toBe(0)
    await see(page, "<script>alert(1)</script> & more")
    const links = await page
      .locator(".results a")
      .evaluateAll((links) => links.map((link) => [link.getAttribute("href")?.split(":")[0], link.getAttribute("rel")]))
    expect(links).toEqual(Array.from({ length: 6 }, () => ["https", "noreferrer noopener"]))
    expect(at.wrong).toEqual([])
  })

  test("shows at once what another δ would show, asks no engine, and saves δ when the slider is released", async () => {
    const page = await open("/?q=jaguar")
    await see(page, "The engine learned 7 topics; risk 0.16 of 0.20.")
    const slider = page.getByRole("slider", { name: /Maximum risk of one search/ })
    await slider.focus()
    for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowLeft")
    await see(page, "The engine would learn 4 topics; risk 0.04 of 0.05.")
    await topic(page, /^cat, stays at home/).waitFor()
    await see(page, "These results are ordered by what was shown before.")
    await page.keyboard.press("Home")
    await see(page, "The engine would learn nothing of your profile.")
    await see(page, "Showing even the broadest topic is over δ.")
    await see(page, "Below 0.02 nothing of your profile can be shown.")
    await picture(page, "nothing")
    await expect.poll(() => at.proxy.settings.delta).toBe(0)
    expect(at.proxy.bodies("POST", "/api/search")).toHaveLength(1)
    expect(at.wrong).toEqual([])
  })

  test("shows the answer for the last position of the slider, in whatever order answers arrive", async () => {
    const page = await open("/?q=jaguar")
    await see(page, "The engine learned 7 topics")
    const held: (() => void)[] = []
    await page.route("**/api/preview", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const slider = page.getByRole("slider", { name: /Maximum risk of one search/ })
    await slider.fill("0.05")
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const first = held.length
    await slider.fill("1")
    await expect.poll(() => held.length).toBeGreaterThan(first)
    const answered = () => at.proxy.bodies("POST", "/api/preview").length
    for (const release of held.splice(first)) release()
    await see(page, /would learn 12 topics/)
    const before = answered()
    for (const release of held) release()
    await expect.poll(answered).toBeGreaterThan(before)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await page.getByText(/would learn 12 topics/).count()).toBeGreaterThan(0)
  })

  test("shows what an engine would learn while a query is typed, before any engine is asked", async () => {
    const page = await open()
    await box(page).fill("jaguar")
    await see(page, "The engine would learn 7 topics; risk 0.16 of 0.20.")
    expect(at.proxy.bodies("POST", "/api/search")).toEqual([])
    await box(page).fill("")
    await see(page, /Your profile has 214 topics, of 1,230 searches on 41 days/)
    expect(at.wrong).toEqual([])
  })

  test("hides a topic after a click, as private as the slider says, until the mark is removed", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^cat, shown/).click()
    await topic(page, /^cat, stays at home, sensitive 1.00/).waitFor()
    await topic(page, /^big cat, stays at home/).waitFor()
    expect(at.proxy.bodies("PUT", "/api/sensitive").at(-1)).toMatchObject({ sensitivity: 1 })
    await picture(page, "marked")
    await page.getByRole("slider", { name: "Sensitivity of cat" }).fill("0.4")
    await topic(page, /^cat, stays at home, sensitive 0.40/).waitFor()
    await page.getByRole("button", { name: "Not sensitive: cat" }).click()
    await topic(page, /^cat, would be shown, 50/).waitFor()
    expect(at.proxy.sensitive).toHaveLength(1)
    expect(at.wrong).toEqual([])
  })

  test("says why a mark is refused, and restores the tree", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^animal, shown/).click()
    await page.getByRole("alert").getByText("bird is already marked, and is on the same path.").waitFor()
    await topic(page, /^animal, would be shown, 62/).waitFor()
    await page.getByRole("button", { name: "Close this note" }).click()
    expect(await page.getByRole("alert").textContent()).toBe("")
    expect(at.wrong.filter((text) => !text.includes("409"))).toEqual([])
  })

  test("warns if the query itself is about a sensitive topic", async () => {
    at.proxy.extra = {
      warning: "It is about birds, which you marked; the engine reads the query whatever is shown with it.",
    }
    const page = await open("/?q=jaguar")
    await see(page, "Careful.")
    await see(page, /the engine reads the query whatever is shown/)
    await picture(page, "warning")
  })

  test("reports a click if learning is on, shows what was learned, also after a return, and can undo it", async () => {
    const page = await open("/?q=jaguar")
    await page.route("https://*.example/**", (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }))
    await page.getByRole("link", { name: "Jaguars of the Pantanal" }).click()
    await see(page, "elsewhere")
    expect(at.proxy.bodies("POST", "/api/click")).toMatchObject([
      { query: "jaguar", title: "Jaguars of the Pantanal", engine: "built-in" },
    ])
    await page.goBack()
    await see(page, "Learned from your click:")
    await picture(page, "learned")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Learned from your click:").waitFor({ state: "detached" })
    expect(at.proxy.asked.some(({ path }) => path === "/api/learned/undo")).toBe(true)
  })

  test("reports no click if learning is off", async () => {
    at.proxy.settings.learning = false
    const page = await open("/?q=jaguar")
    await page.route("https://*.example/**", (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }))
    await page.getByRole("link", { name: "Jaguars of the Pantanal" }).click()
    await see(page, "elsewhere")
    expect(at.proxy.bodies("POST", "/api/click")).toEqual([])
  })

  test("reports an engine that is down, slow or not an engine, and asks another", async () => {
    const message = "built-in did not answer within 5 seconds. It may be busy; try again, or ask another engine."
    at.proxy.problem = { code: "engine-slow", message }
    const page = await open("/?q=jaguar")
    await page.getByRole("alert").getByText(message).waitFor()
    await picture(page, "engine-down")
    at.proxy.problem = undefined
    await page.getByRole("button", { name: "Ask searxng" }).click()
    await see(page, /7 results from searxng in 45 ms, 6 moved on this machine/)
    await see(page, "The engine was sent the query alone.")
    await picture(page, "query-alone")
    expect(at.wrong).toEqual([])
  })

  test("reports that the proxy is gone, and continues when it is back", async () => {
    const page = await open()
    await see(page, /Your profile has 214 topics/)
    at.proxy.reachable = false
    await box(page).fill("jaguar")
    await box(page).press("Enter")
    await page.getByRole("alert").getByText("The proxy cannot be reached.").waitFor()
    await picture(page, "unreachable")
    at.proxy.reachable = true
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("The proxy cannot be reached.").waitFor({ state: "detached" })
    await search(page)
  })

  test("asks for a missing or wrong token, and then does what was asked", async () => {
    const page = await open()
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${at.origin}/?q=jaguar&token=wrong`)
    await see(page, "The page needs its token.")
    await picture(page, "token")
    expect(page.url()).toBe(`${at.origin}/?q=jaguar`)
    await page.getByLabel("Token").fill(token)
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(await page.getByText("The page needs its token.").count()).toBe(0)
  })

  test("knows the token in a new tab only if the person chose that", async () => {
    const page = await open("/#settings")
    const another = await page.context().newPage()
    await another.goto(`${at.origin}/search?q=jaguar`)
    await see(another, "The page needs its token.")
    await page.getByRole("switch", { name: "Search from the address bar" }).click()
    // What one tab stores reaches the other a little later.
    await expect.poll(() => another.evaluate(() => localStorage.length)).toBe(1)
    await another.reload()
    await another.getByRole("region", { name: "Results" }).waitFor()
    await page.getByRole("switch", { name: "Search from the address bar" }).click()
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test("welcomes a person without a profile", async () => {
    at.proxy.isEmpty = true
    const page = await open()
    await see(page, "Your profile is empty, and that is fine")
    await picture(page, "empty")
    await box(page).fill("jaguar")
    await box(page).press("Enter")
    await see(page, "Nothing was found.")
    await see(page, "The engine learned nothing of your profile.")
    await picture(page, "empty-search")
    expect(at.wrong).toEqual([])
  })
})
