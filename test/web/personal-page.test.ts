import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openBrowser, pageFolder, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { MadeUpProxy, token } from "./made-up-proxy.ts"
import { servePage } from "./page-server.ts"

const reason = whyNot("personal")
const name = reason === undefined ? "the search page" : `the search page (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let proxy: MadeUpProxy
  let server: Awaited<ReturnType<typeof servePage>>
  let wrong: string[]
  const pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    server = await servePage(pageFolder("personal"), (asked) => proxy.answer(asked))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(() => {
    proxy = new MadeUpProxy()
    wrong = []
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
  })

  const open = async (address = "/", options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", ...options })
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(`console: ${message.text()}`))
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`))
    page.on("dialog", (dialog) => wrong.push(`dialog: ${dialog.message()}`))
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== "data:" && protocol !== "blob:" && origin !== server.origin) wrong.push(`request to ${origin}`)
    })
    const [path, hash = ""] = address.split("#")
    const joined = path?.includes("?") ? `${path}&token=${token}` : `${path}?token=${token}`
    await page.goto(server.origin + joined + (hash && `#${hash}`))
    return page
  }
  const box = (page: Page) => page.getByRole("searchbox", { name: "Search" })
  const topic = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name })
  const panel = (page: Page, label: string) => page.getByRole("region", { name: label })
  const see = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const search = async (page: Page, query = "jaguar") => {
    await box(page).fill(query)
    await box(page).press("Enter")
    await page.getByRole("region", { name: "Results" }).waitFor()
  }
  const ranks = (page: Page) => page.locator(".results .moved > [aria-hidden]").allTextContents()
  const titles = (page: Page) => page.locator(".results h3").allTextContents()
  /** For a person who wants to look: PICTURES=folder npx vitest run test/web/personal-page.test.ts */
  const picture = async (page: Page, name: string) => {
    const folder = process.env.PICTURES
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }

  test("shows results in the searcher's order with how far each moved, and the engine's order beside it", async () => {
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
    expect(wrong).toEqual([])
  })

  test("keeps the query in the address and the token out of it; back and forward search again", async () => {
    const page = await open("/?q=jaguar")
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(page.url()).toBe(`${server.origin}/?q=jaguar`)
    await search(page, "big cats & more")
    await page.waitForFunction(() => document.title.startsWith("big cats"))
    expect(new URL(page.url()).searchParams.get("q")).toBe("big cats & more")
    await page.goBack()
    await page.waitForFunction(() => document.title.startsWith("jaguar"))
    expect(await box(page).inputValue()).toBe("jaguar")
    await expect.poll(() => proxy.bodies("POST", "/api/search").map(({ query }) => query)).toHaveLength(3)
    expect(proxy.asked.every((asked) => asked.token === token)).toBe(true)
    // Looking at another view and coming back asks no engine again.
    await page.getByRole("link", { name: "History" }).click()
    await page.getByRole("link", { name: "Search", exact: true }).click()
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(proxy.bodies("POST", "/api/search")).toHaveLength(3)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toMatch(/jaguar|big cats/)
    expect(wrong).toEqual([])
  })

  test("makes no link of what is not http(s), and no markup of what an engine says", async () => {
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
    expect(wrong).toEqual([])
  })

  test("shows at once what another δ would show, asks no engine for it, and saves δ when it is let go", async () => {
    const page = await open("/?q=jaguar")
    await see(page, "The engine learned 7 topics; risk 0.16 of 0.20.")
    const slider = page.getByRole("slider", { name: /Most risk of one search/ })
    await slider.focus()
    for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowLeft")
    await see(page, "The engine would learn 4 topics; risk 0.04 of 0.05.")
    await topic(page, /^cat, stays at home/).waitFor()
    await see(page, "These results are in the order of what was shown before.")
    await page.keyboard.press("Home")
    await see(page, "The engine would learn nothing of your profile.")
    await see(page, "Showing even the broadest topic is over δ.")
    await see(page, "Below 0.02 nothing of your profile can be shown.")
    await picture(page, "nothing")
    await expect.poll(() => proxy.settings.delta).toBe(0)
    expect(proxy.bodies("POST", "/api/search")).toHaveLength(1)
    expect(wrong).toEqual([])
  })

  test("draws the answer to the last position of the slider, in whatever order answers come", async () => {
    const page = await open("/?q=jaguar")
    await see(page, "The engine learned 7 topics")
    const held: (() => void)[] = []
    await page.route("**/api/preview", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const slider = page.getByRole("slider", { name: /Most risk of one search/ })
    await slider.fill("0.05")
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const first = held.length
    await slider.fill("1")
    await expect.poll(() => held.length).toBeGreaterThan(first)
    const answered = () => proxy.bodies("POST", "/api/preview").length
    for (const release of held.splice(first)) release()
    await see(page, /would learn 12 topics/)
    const before = answered()
    for (const release of held) release()
    await expect.poll(answered).toBeGreaterThan(before)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await page.getByText(/would learn 12 topics/).count()).toBeGreaterThan(0)
  })

  test("shows what would be told of the searcher while a query is typed, before any engine is asked", async () => {
    const page = await open()
    await box(page).fill("jaguar")
    await see(page, "The engine would learn 7 topics; risk 0.16 of 0.20.")
    expect(proxy.bodies("POST", "/api/search")).toEqual([])
    await box(page).fill("")
    await see(page, /Your profile has 214 topics, of 1,230 searches on 41 days/)
    expect(wrong).toEqual([])
  })

  test("keeps a topic at home once it is clicked, as private as the slider says, until the mark is cleared", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^cat, shown/).click()
    await topic(page, /^cat, stays at home, sensitive 1.00/).waitFor()
    await topic(page, /^big cat, stays at home/).waitFor()
    expect(proxy.bodies("PUT", "/api/sensitive").at(-1)).toMatchObject({ sensitivity: 1 })
    await picture(page, "marked")
    await page.getByRole("slider", { name: "Sensitivity of cat" }).fill("0.4")
    await topic(page, /^cat, stays at home, sensitive 0.40/).waitFor()
    await page.getByRole("button", { name: "Not sensitive: cat" }).click()
    await topic(page, /^cat, would be shown, 50/).waitFor()
    expect(proxy.sensitive).toHaveLength(1)
    expect(wrong).toEqual([])
  })

  test("says why a mark is refused, and draws the tree as it was", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^animal, shown/).click()
    await page.getByRole("alert").getByText("bird is marked already, and lies on the same path.").waitFor()
    await topic(page, /^animal, would be shown, 62/).waitFor()
    await page.getByRole("button", { name: "Close this note" }).click()
    expect(await page.getByRole("alert").textContent()).toBe("")
    expect(wrong.filter((text) => !text.includes("409"))).toEqual([])
  })

  test("warns where the query itself meets a sensitive topic", async () => {
    proxy.extra = {
      warning: "It is about birds, which you marked; the engine reads the query whatever is shown with it.",
    }
    const page = await open("/?q=jaguar")
    await see(page, "Careful.")
    await see(page, /the engine reads the query whatever is shown/)
    await picture(page, "warning")
  })

  test("reports a click where learning is on, says what was learned, also to who comes back, and undoes it", async () => {
    const page = await open("/?q=jaguar")
    await page.route("https://*.example/**", (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }))
    await page.getByRole("link", { name: "Jaguars of the Pantanal" }).click()
    await see(page, "elsewhere")
    expect(proxy.bodies("POST", "/api/click")).toMatchObject([
      { query: "jaguar", title: "Jaguars of the Pantanal", engine: "built-in" },
    ])
    await page.goBack()
    await see(page, "Learned from your click:")
    await picture(page, "learned")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Learned from your click:").waitFor({ state: "detached" })
    expect(proxy.asked.some(({ path }) => path === "/api/learned/undo")).toBe(true)
  })

  test("reports no click where learning is off", async () => {
    proxy.settings.learning = false
    const page = await open("/?q=jaguar")
    await page.route("https://*.example/**", (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }))
    await page.getByRole("link", { name: "Jaguars of the Pantanal" }).click()
    await see(page, "elsewhere")
    expect(proxy.bodies("POST", "/api/click")).toEqual([])
  })

  test("says that an engine is down, slow or no engine, and asks another", async () => {
    const message = "built-in did not answer within 5 seconds. It may be busy; try again, or ask another engine."
    proxy.problem = { code: "engine-slow", message }
    const page = await open("/?q=jaguar")
    await page.getByRole("alert").getByText(message).waitFor()
    await picture(page, "engine-down")
    proxy.problem = undefined
    await page.getByRole("button", { name: "Ask searxng" }).click()
    await see(page, /7 results from searxng in 45 ms, 6 moved here, on this machine/)
    await see(page, "The engine was sent the query alone.")
    await picture(page, "query-alone")
    expect(wrong).toEqual([])
  })

  test("says that the proxy is gone, and goes on when it is back", async () => {
    const page = await open()
    await see(page, /Your profile has 214 topics/)
    proxy.reachable = false
    await box(page).fill("jaguar")
    await box(page).press("Enter")
    await page.getByRole("alert").getByText("The proxy cannot be reached.").waitFor()
    await picture(page, "unreachable")
    proxy.reachable = true
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("The proxy cannot be reached.").waitFor({ state: "detached" })
    await search(page)
  })

  test("asks for the token where it has none, or a wrong one, and then does what was asked", async () => {
    const page = await open()
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${server.origin}/?q=jaguar&token=wrong`)
    await see(page, "The proxy wants a token.")
    await picture(page, "token")
    expect(page.url()).toBe(`${server.origin}/?q=jaguar`)
    await page.getByLabel("Token").fill(token)
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(await page.getByText("The proxy wants a token.").count()).toBe(0)
  })

  test("knows the token in a new tab where its person wants that, and only then", async () => {
    const page = await open("/#settings")
    const another = await page.context().newPage()
    await another.goto(`${server.origin}/search?q=jaguar`)
    await see(another, "The proxy wants a token.")
    await page.getByRole("switch", { name: "Search from the address bar" }).click()
    await another.reload()
    await another.getByRole("region", { name: "Results" }).waitFor()
    await page.getByRole("switch", { name: "Search from the address bar" }).click()
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test("welcomes who has no profile yet", async () => {
    proxy.isEmpty = true
    const page = await open()
    await see(page, "Your profile is empty, and that is fine")
    await picture(page, "empty")
    await box(page).fill("jaguar")
    await box(page).press("Enter")
    await see(page, "Nothing was found.")
    await see(page, "The engine learned nothing of your profile.")
    await picture(page, "empty-search")
    expect(wrong).toEqual([])
  })

  test("lists what was shown to whom, by day, exports it, and deletes a day or all of it when told twice", async () => {
    const page = await open("/#history")
    const shown = panel(page, "What engines were shown")
    await shown.getByText("jaguar speed").first().waitFor()
    expect(await shown.locator(".shown li").count()).toBe(5)
    await shown.getByRole("button", { name: "Show older ones" }).click()
    await expect.poll(() => shown.locator(".shown li").count()).toBe(7)
    await picture(page, "history")
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      shown.getByRole("button", { name: "Export" }).click(),
    ])
    expect(download.suggestedFilename()).toBe("queryveil-exposures.json")
    expect(JSON.parse(await readFile(await download.path(), "utf8"))).toHaveLength(7)
    await shown.getByRole("button", { name: "Delete: Sat, March 14, 2026" }).click()
    expect(proxy.history).toHaveLength(7)
    await shown.getByRole("button", { name: "Delete this day?" }).click()
    await expect.poll(() => shown.locator(".shown li").count()).toBe(3)
    await shown.getByRole("button", { name: "Delete all" }).click()
    await shown.getByRole("button", { name: "Delete all of it?" }).click()
    await see(page, "No engine was shown anything.")
    expect(proxy.history).toEqual([])
    const learned = panel(page, "What was learned, by day")
    await learned.getByRole("button", { name: "Forget: Fri, March 13, 2026" }).click()
    await learned.getByRole("button", { name: "Forget this day?" }).click()
    await expect.poll(() => learned.getByRole("listitem").count()).toBe(1)
    expect(proxy.bodies("POST", "/api/forget")).toEqual([{ day: "2026-03-13" }])
    expect(wrong).toEqual([])
  })

  test("browses the profile topic by topic, fetching what is opened, and marks and forgets topics", async () => {
    const page = await open("/#profile")
    const tree = page.getByRole("tree", { name: "Topics of your profile" })
    await tree.getByRole("treeitem", { name: /^animal/ }).waitFor()
    const opened = () => proxy.asked.filter(({ path }) => path === "/api/topics").map(({ search }) => nameOf(search))
    expect(opened()).toEqual(["", "entity", "physical entity", "object"].slice(0, opened().length))
    await tree
      .getByRole("treeitem", { name: /^animal/ })
      .locator(".twisty")
      .click()
    await tree.getByRole("treeitem", { name: /^bird, seen 148 times, sensitive 0.60/ }).waitFor()
    expect(opened().at(-1)).toBe("animal")
    await tree.getByRole("treeitem", { name: /^vehicle/ }).click()
    const chosen = panel(page, "vehicle")
    await chosen.getByRole("button", { name: "Mark as sensitive" }).click()
    await tree.getByRole("treeitem", { name: /^vehicle.*sensitive 1.00/ }).waitFor()
    await picture(page, "profile")
    await chosen.getByRole("button", { name: "Forget this topic" }).click()
    await chosen.getByRole("button", { name: "Forget it, with all below?" }).click()
    await expect
      .poll(() => proxy.bodies("POST", "/api/forget"))
      .toEqual([{ path: "entity/physical entity/object/vehicle" }])
    expect(wrong).toEqual([])
  })

  test("switches learning, bounds the session and chooses the engine", async () => {
    const page = await open("/#settings")
    await page.getByRole("switch", { name: "Learn from my searches and what I open" }).click()
    await see(page, "Nothing is learned; your profile stays as it is.")
    await page.getByRole("slider", { name: /Most risk of one engine and day/ }).fill("0.3")
    await page.getByRole("radio", { name: /searxng/ }).click()
    await picture(page, "settings")
    await expect
      .poll(() => proxy.settings)
      .toEqual({ engine: "searxng", delta: 0.2, sessionDelta: 0.3, learning: false })
    await page.getByRole("link", { name: "Search", exact: true }).click()
    expect(await page.getByRole("combobox", { name: "Engine" }).inputValue()).toBe("searxng")
    expect(wrong).toEqual([])
  })

  test("is used from the first key to the last without a mouse", async () => {
    const page = await open()
    await see(page, /Your profile has 214 topics/)
    await page.keyboard.type("jaguar")
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Results" }).waitFor()
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent)
    const tabTo = async (pattern: RegExp) => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press("Tab")
        const outline = await page.evaluate(() => {
          const element = document.activeElement
          const drawn = element?.matches(".order input") ? element.nextElementSibling : element
          return drawn ? getComputedStyle(drawn).outlineStyle : "none"
        })
        expect([await focused(), outline]).toEqual([await focused(), "solid"])
        if (pattern.test((await focused()) ?? "")) return
      }
      throw new Error(`Tab does not reach ${pattern}`)
    }
    await tabTo(/^Jaguars of the Pantanal$/)
    await tabTo(/^All topics|^object/)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.type("v")
    expect(await focused()).toMatch(/^vehicle, shown/)
    expect(await topic(page, /^vehicle/).getAttribute("aria-expanded")).toBe("true")
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => topic(page, /^vehicle/).getAttribute("aria-expanded")).toBe("false")
    expect(await topic(page, /^car,/).count()).toBe(0)
    await page.keyboard.press("ArrowRight")
    await topic(page, /^car,/).waitFor()
    await page.keyboard.press("ArrowRight")
    expect(await focused()).toMatch(/^car/)
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await expect.poll(() => proxy.sensitive.length).toBe(2)
    expect(await focused()).toMatch(/sensitive 1.00/)
    await page.getByRole("status").getByText("The engine would learn").waitFor()
    await page.keyboard.press("/")
    expect(await focused()).toBe("Search")
    expect(wrong).toEqual([])
  })

  test.each([
    ["light", 360],
    ["dark", 360],
    ["dark", 1280],
    ["light", 1280],
  ] as const)(
    "is legible in %s mode at %i px in every view, without scrolling sideways",
    async (colorScheme, width) => {
      proxy.extra = { warning: "It is about birds, which you marked." }
      const page = await open("/?q=jaguar", { viewport: { width, height: 800 }, colorScheme })
      await page.getByRole("region", { name: "Results" }).waitFor()
      await topic(page, /^cat, shown/).click()
      await topic(page, /^cat, stays at home/).waitFor()
      const legible = async (selectors: string[]) => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        for (const [selector, contrast] of await page.evaluate(contrastsOf, selectors))
          expect([selector, contrast >= 4.5, contrast]).toEqual([selector, true, contrast])
      }
      await legible(["h1 a", "nav a", ".results a", ".address", ".snippet", ".moved.up", ".moved.down", ".what .pill"])
      await legible([
        ".notice.warn",
        ".tree .exposed .topic",
        ".tree > :not(.exposed) .topic",
        ".percent",
        ".meter .name",
        ".ends",
      ])
      await picture(page, `${colorScheme}-${width}`)
      await page.goto(`${server.origin}/#profile`)
      await page.getByRole("treeitem", { name: /^vehicle/ }).click()
      await legible([".tree .topic", ".percent", ".path", "button.danger", ".panel .note"])
      await picture(page, `profile-${colorScheme}-${width}`)
      await page.goto(`${server.origin}/#history`)
      await see(page, "jaguar speed")
      await legible([".shown .when .quiet", ".pill", ".query", ".days .quiet"])
      await picture(page, `history-${colorScheme}-${width}`)
      await page.goto(`${server.origin}/#settings`)
      await see(page, "Learn from my searches and what I open")
      await legible([".switch", "code", "kbd"])
      await picture(page, `settings-${colorScheme}-${width}`)
      expect(wrong).toEqual([])
    },
  )

  test("prints what was found and what was shown, without what can be pressed", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^cat, shown/).waitFor()
    await page.emulateMedia({ media: "print" })
    expect(await page.getByRole("button", { name: "Search" }).isVisible()).toBe(false)
    expect(await page.getByText("Jaguars of the Pantanal", { exact: true }).isVisible()).toBe(true)
    expect(await topic(page, /^cat, shown/).isVisible()).toBe(true)
    await picture(page, "print")
  })
})

const nameOf = (search: URLSearchParams) => search.get("path")?.split("/").at(-1) ?? ""
