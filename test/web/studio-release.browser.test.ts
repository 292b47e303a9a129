import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openBrowser, pageFolder, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { servePage } from "./page-server.ts"
import { releaseOf, SyntheticRegister, summaryOf } from "./synthetic-register.ts"
import { studioToken } from "./synthetic-studio.ts"

const reason = whyNot("studio")
const name = reason === undefined ? "a release in the studio" : `a release in the studio (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let desk: SyntheticRegister
  let server: Awaited<ReturnType<typeof servePage>>
  let wrong: string[]
  const pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    server = await servePage(pageFolder("studio"), (asked) => desk.answer(asked))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(() => {
    desk = new SyntheticRegister()
    wrong = []
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    desk.studio.breakOff()
    expect(wrong).toEqual([])
  })

  const open = async (screen: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(String(error)))
    await page.goto(`${server.origin}/?token=${studioToken}#${screen}`)
    await page.locator(".release-screen .lead").waitFor()
    return page
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name })
  const isFocused = (page: Page, selector: string) =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)
  /** Presses Tab until an element has the focus. */
  const tabTo = async (page: Page, selector: string) => {
    for (let presses = 0; presses < 100; presses++) {
      await page.keyboard.press("Tab")
      if (await isFocused(page, selector)) return
    }
    throw new Error(`Tab does not reach ${selector}`)
  }

  test("is drawn and checked by keyboard, and has two verdicts of one size", async () => {
    const page = await open("check")
    await tabTo(page, "input[name=name]")
    await page.keyboard.press("Control+A")
    await page.keyboard.type("autumn")
    await page.keyboard.press("Enter")
    await page.getByText("Draw: running").waitFor()
    expect(desk.studio.sent("POST", "/api/jobs/release")).toEqual([{ name: "autumn" }])
    desk.finish()
    await page.getByText("Verify: running").waitFor()
    expect(desk.studio.sent("POST", "/api/jobs/report")).toEqual([{ name: "autumn" }])
    desk.finish()
    await page.locator(".verdict").first().waitFor()
    const boxes = await Promise.all((await page.locator(".verdict").all()).map((card) => card.boundingBox()))
    expect(boxes).toHaveLength(2)
    expect(boxes[0]?.width).toBeCloseTo(boxes[1]?.width ?? 0, 0)
    expect(boxes[0]?.height).toBeCloseTo(boxes[1]?.height ?? 0, 0)
    expect(await page.locator(".verdict.plain .word").textContent()).toBe("Yes")
    expect(await page.locator(".verdict.warn .word").textContent()).toBe("Above chance")
  })

  test("keeps a job in sight that started while an older state was on its way", async () => {
    const page = await open("check")
    let held = 0
    await page.route("**/api/state", async (route) => {
      const older = await route.fetch()
      if (held++ === 0) await page.getByText("Draw: running").waitFor()
      await route.fulfill({ response: older })
    })
    const older = page.waitForResponse("**/api/state")
    desk.studio.emit({ changed: "state" })
    await page.getByLabel(/^Name of the release/).press("Enter")
    await (await older).finished()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.getByText("Draw: running").waitFor()
  })

  test("asks for a budget before the first draw that costs one", async () => {
    const parameters = { epsilon: "1", delta: "1e-6" }
    desk = new SyntheticRegister({ choice: { method: "counts", parameters, name: "counts, ε = 1" } })
    const page = await open("check")
    await page.getByLabel(/^Privacy budget/).fill("0.5")
    await page.getByText("this release alone costs 1").waitFor()
    expect(await button(page, "Set the budget").isDisabled()).toBe(true)
    expect(await button(page, "Draw and check").count()).toBe(0)
    await page.getByLabel(/^Privacy budget/).fill("4")
    await button(page, "Set the budget").click()
    await button(page, "Draw and check").waitFor()
    expect(desk.studio.sent("PUT", "/api/budget")).toEqual([{ revision: 3, epsilon: "4", delta: "0.001" }])
  })

  test("is drawn again only with a written reason", async () => {
    desk.with(releaseOf("spring"))
    const page = await open("check")
    await page.getByText("Draw another release").click()
    expect(await button(page, "Draw and check").isDisabled()).toBe(true)
    await page.getByLabel(/^Why another draw/).fill("The first had too few queries.")
    await button(page, "Draw and check").click()
    await page.getByText("Draw: running").waitFor()
    const [sent] = desk.studio.sent("POST", "/api/jobs/release")
    expect(sent).toMatchObject({ reason: "The first had too few queries." })
  })

  test("is signed by keyboard, each point by itself", async () => {
    desk.with(releaseOf("spring"))
    const page = await open("sign")
    const sign = button(page, "Sign")
    await page.locator(".point input").first().waitFor()
    expect(await page.locator(".point input").count()).toBe(3)
    for (let point = 0; point < 3; point++) {
      expect(await sign.isDisabled()).toBe(true)
      await tabTo(page, ".point input")
      await page.keyboard.press("Space")
    }
    await tabTo(page, "input[name=signer]")
    await page.keyboard.type("Ada Example")
    expect(await page.locator("#sign-missing").textContent()).toContain("still missing: your reason")
    expect(await sign.isDisabled()).toBe(true)
    await tabTo(page, "textarea")
    await page.keyboard.type("Only common queries.")
    await tabTo(page, "button[type=submit]")
    await page.keyboard.press("Enter")
    await page.getByText("entry 1 of the project's record").waitFor()
    expect(await isFocused(page, "#decision")).toBe(true)
    const seen = { manifest: "a".repeat(64), report: "c".repeat(64) }
    const signed = { release: "spring", seen, name: "Ada Example", reason: "Only common queries." }
    expect(desk.studio.sent("POST", "/api/sign")).toEqual([{ ...signed, accept: releaseOf("spring").accept }])
    expect(await page.locator(".sheet").textContent()).toContain("does not prove who typed it")
  })

  test("is refused without any tick, and never signed if it failed", async () => {
    const promise = { ...summaryOf().promise, kept: "no" as const }
    desk.with(releaseOf("spring", { summary: summaryOf({ promise }) }))
    const page = await open("sign")
    for (const box of await page.locator(".point input").all()) await box.check()
    await page.getByLabel("Name").fill("Ada Example")
    await page.getByLabel("Reason for the decision").fill("Too risky.")
    expect(await button(page, "Sign").isDisabled()).toBe(true)
    expect(await page.locator("#sign-missing").textContent()).toContain("failed a check")
    await button(page, "Refuse").click()
    await page.getByText("Refused by").waitFor()
    expect(desk.studio.sent("POST", "/api/refuse")).toHaveLength(1)
  })

  test("prints as one page of A4 that has the sheet and nothing else", async () => {
    const notCovered = Array.from({ length: 10 }, (_, i) => `${i}: ${"what the promise does not cover ".repeat(3)}`)
    const long = { state: "signed", accept: notCovered, summary: summaryOf({ notCovered }) } as const
    const decision = { name: "Ada Example", date: "2026-01-02", reason: "because it is needed ".repeat(190) }
    desk.with(releaseOf("long", { ...long, decision }), releaseOf("short"))
    const page = await open("sign", { colorScheme: "dark" })
    for (const release of ["short", "long"]) {
      await page.getByRole("combobox").selectOption(release)
      await page.locator("#sheet-title", { hasText: release }).waitFor()
      const sheets = (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)
      expect(sheets).toHaveLength(1)
    }
    await page.emulateMedia({ media: "print" })
    const others = await page.evaluate(() =>
      [...document.querySelectorAll("h1, nav, button, .lead, .commands, .status-line")].filter(
        (element) => element.getClientRects().length > 0,
      ),
    )
    expect(others).toEqual([])
    expect(await page.locator(".sheet").isVisible()).toBe(true)
  })

  test("is handed out only if it is signed, and what stays here has no link", async () => {
    desk.with(releaseOf("open"), releaseOf("refused", { state: "refused" }), releaseOf("signed", { state: "signed" }))
    const page = await open("register")
    for (const name of ["open", "refused"]) expect(await button(page, `Hand out ${name}`).isDisabled()).toBe(true)
    await page.getByText("It is not signed yet.").waitFor()
    expect(await page.locator(".releases a, .releases [download]").count()).toBe(0)
    expect(await page.locator(".files li", { hasText: "receipt" }).first().textContent()).toBe("receipt stays here")
    await button(page, "Hand out signed").click()
    await page.getByLabel(/^Folder on this machine/).fill("/srv/out")
    await button(page, "Copy the release").click()
    await page.getByText("d".repeat(64)).waitFor()
    expect(desk.studio.sent("POST", "/api/hand-out")).toEqual([{ release: "signed", to: "/srv/out" }])
  })

  test("is attacked together with another release of the same people", async () => {
    desk.with(releaseOf("one"), releaseOf("two"))
    desk.register.overlaps.push({ releases: ["one", "two"], why: "same log" })
    const page = await open("register")
    await button(page, /^Attack both together/).click()
    await button(page, /^Cancel/).waitFor()
    expect(desk.studio.sent("POST", "/api/jobs/overlap")).toEqual([{ one: "one", other: "two" }])
    desk.finish({ releases: ["one", "two"], verdict: summaryOf().attacks, outcomes: [] })
    await page.locator(".overlaps .verdict.warn").waitFor()
  })

  test("goes with its project, whose id must be typed", async () => {
    desk.register.ledger.push({
      log: "a",
      budget: "4",
      spent: "2",
      deltaBudget: "1/1000",
      deltaSpent: "0",
      releases: 2,
    })
    const page = await open("register")
    await page.getByText("Privacy budget (ε): 2 of 4 spent.").waitFor()
    await page.getByText("Delete this project").click()
    await page.getByLabel(/^Type the id/).fill("wrong")
    expect(await button(page, /^Delete the project/).isDisabled()).toBe(true)
    await page.getByLabel(/^Type the id/).fill("0".repeat(32))
    await button(page, /^Delete the project/).click()
    await page.getByText("What was spent and decided is kept").waitFor()
  })

  test.each(["light", "dark"] as const)("can be read at 390 pixels, %s", async (colorScheme) => {
    desk.with(releaseOf("spring"), releaseOf("changed", { state: "changed", problem: "changed since: report" }))
    desk.register.overlaps.push({ releases: ["spring", "changed"], why: "shared files" })
    const looked = {
      check: [".verdict.warn .word", ".verdict.plain .word", ".lead"],
      sign: [".point span", ".hint", ".small"],
      register: [".pill.warn", ".pill.bad", ".files .here", ".overlaps .warning span", ".releases small"],
    }
    for (const [screen, selectors] of Object.entries(looked)) {
      const page = await open(screen, { colorScheme, viewport: { width: 390, height: 800 } })
      await page
        .locator(selectors[0] ?? "")
        .first()
        .waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      for (const [selector, contrast] of await page.evaluate(contrastsOf, selectors))
        expect([selector, contrast >= 4.5]).toEqual([selector, true])
    }
  })
})
