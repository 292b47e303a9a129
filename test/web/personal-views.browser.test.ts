import { readFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { nameOf, searchPage } from "./search-page.ts"

const reason = whyNot("personal")
const name = reason === undefined ? "the views of the search page" : `the views of the search page (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  const at = searchPage()
  const { open, topic, panel, see, picture } = at

  test("lists what each engine was shown, exports it, and deletes a day or all after a confirmation", async () => {
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
    expect(at.proxy.history).toHaveLength(7)
    await shown.getByRole("button", { name: "Delete this day?" }).click()
    await expect.poll(() => shown.locator(".shown li").count()).toBe(3)
    await shown.getByRole("button", { name: "Delete all" }).click()
    await shown.getByRole("button", { name: "Delete all of it?" }).click()
    await see(page, "No exposure is stored.")
    expect(at.proxy.history).toEqual([])
    const learned = panel(page, "What was learned, by day")
    await learned.getByRole("button", { name: "Forget: Fri, March 13, 2026" }).click()
    await learned.getByRole("button", { name: "Forget this day?" }).click()
    await expect.poll(() => learned.getByRole("listitem").count()).toBe(1)
    expect(at.proxy.bodies("POST", "/api/forget")).toEqual([{ day: "2026-03-13" }])
    expect(at.wrong).toEqual([])
  })

  test("browses the profile, fetches topics when they are opened, and marks and forgets topics", async () => {
    const page = await open("/#profile")
    const tree = page.getByRole("tree", { name: "Topics of your profile" })
    await tree.getByRole("treeitem", { name: /^animal/ }).waitFor()
    const opened = () => at.proxy.asked.filter(({ path }) => path === "/api/topics").map(({ search }) => nameOf(search))
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
    await chosen.getByRole("button", { name: "Forget it and everything below?" }).click()
    await expect
      .poll(() => at.proxy.bodies("POST", "/api/forget"))
      .toEqual([{ path: "entity/physical entity/object/vehicle" }])
    expect(at.wrong).toEqual([])
  })

  test("switches learning, limits the session and chooses the engine", async () => {
    const page = await open("/#settings")
    await page.getByRole("switch", { name: "Learn from my searches and what I open" }).click()
    await see(page, "Nothing is learned. Your profile stays as it is.")
    await page.getByRole("slider", { name: /Maximum risk per engine and day/ }).fill("0.3")
    await page.getByRole("radio", { name: /searxng/ }).click()
    await picture(page, "settings")
    await expect
      .poll(() => at.proxy.settings)
      .toMatchObject({ engine: "searxng", delta: 0.2, sessionDelta: 0.3, learning: false })
    await page.getByRole("link", { name: "Search", exact: true }).click()
    expect(await page.getByRole("combobox", { name: "Engine" }).inputValue()).toBe("searxng")
    expect(at.wrong).toEqual([])
  })

  test("can be used entirely by keyboard", async () => {
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
    await expect.poll(() => at.proxy.sensitive.length).toBe(2)
    expect(await focused()).toMatch(/sensitive 1.00/)
    await page.getByRole("status").getByText("The engine would learn").waitFor()
    await page.keyboard.press("/")
    expect(await focused()).toBe("Search")
    expect(at.wrong).toEqual([])
  })

  test.each([
    ["light", 360],
    ["dark", 360],
    ["dark", 1280],
    ["light", 1280],
  ] as const)(
    "is legible in %s mode at %i px in every view, without scrolling sideways",
    async (colorScheme, width) => {
      at.proxy.extra = { warning: "It is about birds, which you marked." }
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
      await page.goto(`${at.origin}/#profile`)
      await page.getByRole("treeitem", { name: /^vehicle/ }).click()
      await legible([".tree .topic", ".percent", ".path", "button.danger", ".panel .note"])
      await picture(page, `profile-${colorScheme}-${width}`)
      await page.goto(`${at.origin}/#history`)
      await see(page, "jaguar speed")
      await legible([".shown .when .quiet", ".pill", ".query", ".days .quiet"])
      await picture(page, `history-${colorScheme}-${width}`)
      await page.goto(`${at.origin}/#settings`)
      await see(page, "Learn from my searches and what I open")
      await legible([".switch", ".engine small", "summary", "kbd"])
      await picture(page, `settings-${colorScheme}-${width}`)
      expect(at.wrong).toEqual([])
    },
  )

  test("prints results and what was shown, without buttons", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^cat, shown/).waitFor()
    await page.emulateMedia({ media: "print" })
    expect(await page.getByRole("button", { name: "Search" }).isVisible()).toBe(false)
    expect(await page.getByText("Jaguars of the Pantanal", { exact: true }).isVisible()).toBe(true)
    expect(await topic(page, /^cat, shown/).isVisible()).toBe(true)
    await picture(page, "print")
  })
})
