import { describe, expect, test } from "vitest"
import { whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { searchPage } from "./search-page.ts"

const reason = whyNot("personal")
const name = "marks and sensitive queries on the search page"
const top = "entity/physical entity/object"
const proposals = [
  { kind: "health", path: `${top}/substance/medicine`, name: "medicine", support: 12 },
  { kind: "religion", path: "cognition/content/belief/religion", name: "religion", support: 1 },
] as const

describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (skipped: ${reason})`, () => {
  const at = searchPage()
  const { open, topic, panel, see, search, picture } = at

  test("proposes sensitive topics at the first start, and marks those left checked", async () => {
    at.proxy.sensitive = []
    at.proxy.proposals = [...proposals]
    const page = await open()
    const asked = panel(page, "Is any of this sensitive?")
    await asked.getByText("medicine", { exact: false }).first().waitFor()
    await picture(page, "proposals")
    await asked.getByRole("checkbox", { name: /^religion/ }).click()
    await asked.getByRole("button", { name: "Mark 1 topic sensitive" }).click()
    await asked.waitFor({ state: "detached" })
    expect(at.proxy.bodies("POST", "/api/proposals")).toEqual([{ mark: [`${top}/substance/medicine`] }])
    expect(at.wrong).toEqual([])
  })

  test("says that no risk is counted until something is marked, and never a risk of 0.00", async () => {
    at.proxy.sensitive = []
    const page = await open()
    await see(page, "No risk is counted: nothing in the profile is marked sensitive.")
    await search(page)
    await see(page, /The engine learned \d+ topics; no risk is counted: nothing in the profile is marked sensitive\./)
    expect(await page.getByText(/risk 0\.00/).count()).toBe(0)
    expect(await page.locator(".meter.risk").count()).toBe(0)
    await picture(page, "uncounted")
    await page.goto(`${at.origin}/#settings`)
    await see(page, /no risk is counted/)
    expect(at.wrong).toEqual([])
  })

  test("marks a topic never show, in the tree of a query and in the profile, until the mark is removed", async () => {
    const page = await open("/?q=jaguar")
    await topic(page, /^vehicle, shown/).click()
    await page.getByRole("button", { name: "Never show: vehicle" }).click()
    await topic(page, /^vehicle, stays at home, never shown/).waitFor()
    await topic(page, /^sports car, stays at home, never shown/).waitFor()
    expect(at.proxy.bodies("PUT", "/api/never")).toEqual([{ path: `${top}/vehicle`, never: true }])
    await picture(page, "never")
    await page.getByRole("link", { name: "Profile" }).click()
    const list = panel(page, "Never shown")
    await list.getByText("vehicle").waitFor()
    await list.getByRole("button", { name: "May be shown: vehicle" }).click()
    await list.getByText("None is marked.").waitFor()
    expect(at.proxy.never).toEqual([])
    expect(at.wrong).toEqual([])
  })

  test("warns if δ allows a single topic to be shown in full", async () => {
    at.proxy.inFull = ["bird", "cat", "dog", "fish"].map((name) => ({ path: `${top}/${name}`, share: 0.1 }))
    const page = await open("/?q=jaguar")
    await see(page, "A limit of 0.20 allows one topic in full.")
    await see(page, /bird, cat, dog and 1 more are each at most 20/)
    await picture(page, "in-full")
    await page.getByRole("slider", { name: /Maximum risk of one search/ }).fill("0.05")
    await page.getByText("allows one topic in full").waitFor({ state: "detached" })
    expect(at.wrong).toEqual([])
  })

  test("holds a query about a marked topic until the person decides how to send it, or not to", async () => {
    at.proxy.held = { why: "sensitive", choices: ["without-profile", "send"] }
    const page = await open("/?q=parrots")
    const held = page.getByRole("alert").filter({ hasText: "Not sent yet." })
    await held.getByText(/bird \(31\s%/).waitFor()
    expect(await page.locator(".results").count()).toBe(0)
    await picture(page, "held")
    await held.getByRole("button", { name: "Send without my profile" }).click()
    await page.getByRole("region", { name: "Results" }).waitFor()
    expect(at.proxy.bodies("POST", "/api/search").map(({ choice }) => choice)).toEqual([undefined, "without-profile"])
    await page.getByRole("searchbox").fill("more parrots")
    await page.keyboard.press("Enter")
    await held.getByRole("button", { name: "Do not send" }).click()
    await see(page, /Your profile has 214 topics/)
    expect(at.proxy.bodies("POST", "/api/search")).toHaveLength(3)
    expect(at.wrong).toEqual([])
  })

  test("offers to mark what was just learned", async () => {
    at.proxy.learned = `${top}/substance/medicine`
    const page = await open("/?q=jaguar")
    await page.route("https://*.example/**", (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }))
    await page.getByRole("link", { name: "Jaguars of the Pantanal" }).click()
    await see(page, "elsewhere")
    await page.goBack()
    await picture(page, "learned-mark")
    await page.getByRole("button", { name: "Mark sensitive: medicine" }).click()
    await page.getByRole("button", { name: "Mark sensitive: medicine" }).waitFor({ state: "detached" })
    expect(at.proxy.bodies("PUT", "/api/sensitive")).toEqual([{ path: at.proxy.learned, sensitivity: 1 }])
  })

  test("shows how much of the lifetime bound is used, and sets that bound and the rules for queries", async () => {
    const page = await open("/#settings")
    await see(page, "so far 0.31 of 0.60; with your queries 0.74")
    await page.getByRole("slider", { name: /per engine for all time \(δ\)/ }).fill("0.4")
    await page.getByRole("radio", { name: "Ask me before sending" }).click()
    await page.getByRole("switch", { name: "Limit what my queries tell" }).click()
    await page.getByRole("slider", { name: /Maximum risk with queries/ }).fill("0.7")
    await expect
      .poll(() => at.proxy.settings)
      .toMatchObject({ lifetimeDelta: 0.4, sensitiveQueries: "ask", queryDelta: 0.7 })
    expect(at.wrong).toEqual([])
  })

  test.each([
    ["light", 390],
    ["dark", 390],
    ["light", 1280],
    ["dark", 1280],
  ] as const)("is legible in %s mode at %i px", async (colorScheme, width) => {
    at.proxy.sensitive = []
    at.proxy.proposals = [...proposals]
    const page = await open("/", { viewport: { width, height: 800 }, colorScheme })
    const legible = async (selectors: string[]) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      for (const [selector, contrast] of await page.evaluate(contrastsOf, selectors))
        expect([selector, contrast >= 4.5, contrast]).toEqual([selector, true, contrast])
    }
    await see(page, "Is any of this sensitive?")
    await legible([".proposals legend", ".proposals label", ".proposals .quiet"])
    await picture(page, `first-start-${colorScheme}-${width}`)
    await search(page)
    await legible([".uncounted", ".uncounted a"])
    await picture(page, `uncounted-${colorScheme}-${width}`)
    at.proxy.held = { why: "sensitive", choices: ["without-profile", "send"] }
    at.proxy.sensitive = [{ path: `${top}/animal/bird`, sensitivity: 1 }]
    at.proxy.never = [`${top}/vehicle`]
    at.proxy.inFull = [{ path: `${top}/animal/bird`, share: 0.1 }]
    await page.goto(`${at.origin}/?q=parrots`)
    await see(page, "Not sent yet.")
    await legible([".notice.held", ".notice.held button.plain", ".notice.held a", ".meter .value"])
    await picture(page, `held-${colorScheme}-${width}`)
    await page.goto(`${at.origin}/#settings`)
    await see(page, /so far 0.31/)
    await legible([".used dt", ".used dd", ".engines label"])
    await picture(page, `bounds-${colorScheme}-${width}`)
    expect(at.wrong).toEqual([])
  })
})
