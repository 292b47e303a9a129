import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openBrowser, pageFolder, patience, whyNot } from "./browser.ts"
import { contrastsOf } from "./contrast.ts"
import { servePage } from "./page-server.ts"
import { readState } from "./studio-state.ts"
import { maskedTexts, SyntheticStudio, studioToken } from "./synthetic-studio.ts"

const reason = whyNot("studio")
const name = reason === undefined ? "the studio's page" : `the studio's page (skipped: ${reason})`

describe.skipIf(reason !== undefined)(name, () => {
  let browser: Browser
  let studio: SyntheticStudio
  let server: Awaited<ReturnType<typeof servePage>>
  let wrong: string[]
  const pages: Page[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    server = await servePage(pageFolder("studio"), (asked) => studio.answer(asked))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(() => {
    studio = new SyntheticStudio()
    wrong = []
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    studio.breakOff()
  })

  const open = async (options: BrowserContextOptions = {}, address = `/#token=${studioToken}`) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    pages.push(page)
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(String(error)))
    await page.goto(server.origin + address)
    return page
  }
  const turn = async (page: Page, screen: string) => {
    await page.locator("nav a").first().waitFor()
    await page.evaluate((hash) => {
      window.location.hash = hash
    }, screen)
    await page.locator("h1", { hasText: new RegExp(screen, "i") }).waitFor()
  }
  const fresh = { stale: false, at: "2026-01-01T00:00:00Z" }
  /** Everything that the browser keeps of the page, except what is on the page itself. */
  const kept = async (page: Page) =>
    [
      page.url(),
      await page.title(),
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
    ].join("\n")
  const steps = (page: Page) => page.locator("nav li").allTextContents()
  const go = (page: Page) => page.getByRole("button", { name: "Continue: read the log" })
  const confirmation = (page: Page) => page.getByRole("checkbox", { name: /^Yes/ })

  const chooseFile = async (page: Page) => {
    await page.getByLabel("visits.csv").check()
    await page.getByRole("button", { name: "Look at 1 file" }).click()
    await page.getByRole("combobox", { name: "User" }).selectOption("visitor_ref")
    await page.getByRole("radio", { name: "A cookie" }).check()
  }

  test("asks for its token, and takes it out of the address", async () => {
    const page = await open({}, "/")
    await page.getByRole("alert").getByText("The page needs its token").waitFor()
    await page.getByLabel("Token").fill(studioToken)
    await page.getByRole("button", { name: "Open the project" }).click()
    await page.locator("h1", { hasText: "1. Log" }).waitFor()
    const other = await open()
    await other.locator("h1").waitFor()
    expect(other.url()).not.toContain(studioToken)
  })

  test("shows which steps are done, which are stale, and which must wait", async () => {
    studio.state = { ...readState(), exposure: { ...fresh, stale: true } }
    const page = await open()
    await page.locator("h1", { hasText: "2. Exposure" }).waitFor()
    expect(await steps(page)).toEqual([
      "✓Log, done",
      "!Exposure, made from earlier settings",
      "3Purpose, to do",
      ...["4Explore", "5Preview", "6Check", "7Sign"].map((step) => `${step}, not reachable yet`),
      "8Register",
    ])
    expect(await page.locator("[aria-current=step]").textContent()).toContain("Exposure")
    await turn(page, "preview")
    await page.locator("main").getByRole("link", { name: "Purpose" }).click()
    await page.locator("h1:focus", { hasText: "3. Purpose" }).waitFor()
  })

  test("reads a log only after its user column was confirmed, and confirmed again after a change", async () => {
    const page = await open()
    await page.getByText("⟨U+202E⟩vsc.<img src=x>").waitFor()
    await chooseFile(page)
    expect(await go(page).isDisabled()).toBe(true)
    await confirmation(page).check()
    expect(await go(page).isEnabled()).toBe(true)
    await page.getByRole("combobox", { name: "User" }).selectOption("session_id")
    expect(await confirmation(page).isChecked()).toBe(false)
    expect(await go(page).isDisabled()).toBe(true)
    await page.getByText("Its name means a session").waitFor()
    await page.getByRole("combobox", { name: "User" }).selectOption("visitor_ref")
    await page.getByRole("radio", { name: "A login" }).check()
    await page.getByText("Its name means a browser or a device").waitFor()
    expect(await confirmation(page).isChecked()).toBe(false)
    await confirmation(page).check()
    await go(page).click()
    await page.getByRole("progressbar", { name: "Reading the log" }).waitFor()
    expect(studio.sent("PUT", "/api/log")).toEqual([
      {
        revision: 3,
        files: ["/srv/logs/visits.csv"],
        columns: { user: "visitor_ref", query: "phrase", time: "when" },
        person: "login",
        userConfirmed: true,
      },
    ])
    expect(wrong).toEqual([])
  })

  test("can be worked by keyboard alone, from the files to the reading", async () => {
    const page = await open()
    const press = async (text: RegExp, key: string) => {
      const isThere = () =>
        page.evaluate(() => {
          const { activeElement: one } = document
          const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : undefined
          return (
            label ?? one?.getAttribute("aria-label") ?? one?.closest("label")?.textContent ?? one?.textContent ?? ""
          )
        })
      for (let i = 0; i < 60 && !text.test(await isThere()); i++) await page.keyboard.press("Tab")
      expect(await isThere()).toMatch(text)
      await page.keyboard.press(key)
    }
    await page.getByLabel("visits.csv").waitFor()
    await press(/^visits\.csv/, "Space")
    await press(/^Look at 1 file/, "Enter")
    await page.getByRole("combobox", { name: "User" }).waitFor()
    await press(/^User/, "v")
    await press(/^A login/, "ArrowDown")
    await press(/^Yes: the column visitor_ref/, "Space")
    await press(/^Continue: read the log/, "Enter")
    await press(/^Cancel: Reading the log/, "Enter")
    await page.getByText("This was cancelled. Nothing of it was kept.").first().waitFor()
    expect(studio.sent("PUT", "/api/log")).toMatchObject([{ person: "cookie", columns: { user: "visitor_ref" } }])
  })

  test("follows a job by events, and finds it again after the connection broke", async () => {
    const page = await open()
    await chooseFile(page)
    await confirmation(page).check()
    await go(page).click()
    await page.getByText("812,345 rows per second, 65 s left").waitFor()
    const [job] = studio.state.jobs
    if (job === undefined) throw new Error("no job")
    studio.setJob({ ...job, progress: { says: "sorting rows", share: 0.9 } })
    await page.getByText("sorting rows").waitFor()
    const before = studio.sent("GET", "/api/events").length
    studio.breakOff()
    studio.state = { ...readState(), jobs: [{ ...job, state: "done" }] }
    await page.getByText("180,000 searches of 5,432 cookies in 92 days.").waitFor()
    expect(studio.sent("GET", "/api/events").length).toBeGreaterThan(before)
    studio.state = readState({ doubts: ["All searches have one and the same user."] })
    studio.emit({ changed: "state" })
    await page.getByText("All searches have one and the same user.").waitFor()
    expect(await page.getByRole("button", { name: "Continue to Exposure" }).isDisabled()).toBe(true)
  })

  test("says that the studio is gone, and goes on by itself when it is back", async () => {
    const page = await open()
    await page.getByLabel("visits.csv").waitFor()
    studio.reachable = false
    studio.breakOff()
    await page.getByRole("alert").getByText("The studio cannot be reached.").waitFor()
    await page.getByText("Not connected").waitFor()
    studio.reachable = true
    await page.getByText("Connected", { exact: true }).waitFor()
    await expect.poll(() => page.getByRole("alert").textContent()).toBe("")
  })

  test("warns that a change of the log makes stale what was made from it", async () => {
    studio.state = { ...readState(), exposure: fresh, explore: { sample: fresh, whole: null, points: 9 } }
    const page = await open()
    await turn(page, "log")
    await page.getByRole("button", { name: "Choose other files or columns" }).click()
    await page.getByText("This would have to be made again: what the log exposes, the compared releases.").waitFor()
    await page.getByRole("button", { name: "Keep the present log" }).click()
    await page.getByText("180,000 searches").waitFor()
  })

  test("shows a masked text only after a second press, and then lets a person decide", async () => {
    studio.state = { ...readState(), exposure: fresh }
    const page = await open()
    await turn(page, "exposure")
    await page.getByText("97.9 % of users issued a query that nobody else did.").waitFor()
    await page.getByText("E-mail addresses 120 queries").click()
    expect(await page.getByRole("button", { name: /^Exempt/ }).count()).toBe(1)
    const show = page.getByRole("button", { name: "Show the text of sample 2" })
    await show.click()
    await page.getByText("The project records that you saw it.").waitFor()
    await page.keyboard.press("Escape")
    await page.locator("button:focus", { hasText: "Show this text" }).waitFor()
    expect(studio.sent("POST", "/api/unmask")).toEqual([])
    await page.keyboard.press("Enter")
    await page.locator("button:focus", { hasText: "Show and record" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText(maskedTexts[1] ?? "", { exact: true }).waitFor()
    expect(studio.sent("POST", "/api/unmask")).toEqual([{ samples: [1] }])
    expect(await page.content()).not.toContain(maskedTexts[2])
    await page.locator("button:focus", { hasText: "Exempt" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("1 query is exempt").waitFor()
    expect(studio.sent("PUT", "/api/exempt")).toEqual([{ revision: 3, add: [1], remove: [] }])
    expect(await page.locator("[aria-pressed=true]").count()).toBe(1)
    const all = await kept(page)
    for (const text of ["jane.roe", "support@", "visits.csv", "visitor_ref"]) expect(all).not.toContain(text)
    expect(wrong).toEqual([])
  })

  test("saves a purpose in words, with the slider moved by keys", async () => {
    studio.state = readState()
    const page = await open()
    await turn(page, "purpose")
    await page.getByRole("radio", { name: "Most frequent queries" }).check()
    const slider = page.getByRole("slider", { name: "Accepted risk" })
    expect(await slider.getAttribute("aria-valuetext")).toBe("at most 1 person in 20 found again")
    await slider.press("ArrowLeft")
    await page.getByText("at most 1 person in 50 found again").waitFor()
    await page.getByLabel(/A sentence for the record/).fill("the university's search group ")
    await page.getByRole("button", { name: "Save and continue to Explore" }).click()
    await page.locator("h1", { hasText: "4. Explore" }).waitFor()
    expect(studio.sent("PUT", "/api/purpose")).toEqual([
      { revision: 3, use: "queries", maxRisk: 0.02, recipient: "the university's search group" },
    ])
  })

  test("keeps what was entered when the project was changed elsewhere", async () => {
    studio.state = readState()
    const page = await open()
    await turn(page, "purpose")
    await page.getByRole("radio", { name: "Topics" }).check()
    await page.getByLabel(/A sentence for the record/).fill("readers")
    studio.refusal = { status: 409, code: "project-changed", message: "The project was changed elsewhere meanwhile." }
    studio.state = { ...studio.state, project: { ...studio.state.project, revision: 8 } }
    const save = page.getByRole("button", { name: "Save and continue to Explore" })
    await save.click()
    await page.getByRole("alert").getByText("Your change was not saved.").waitFor()
    await page.getByRole("button", { name: "Show the present state" }).click()
    await expect.poll(() => page.getByRole("alert").textContent()).toBe("")
    await expect.poll(() => studio.sent("GET", "/api/state").length).toBeGreaterThan(1)
    await save.click()
    await page.locator("h1", { hasText: "4. Explore" }).waitFor()
    expect(studio.sent("PUT", "/api/purpose").at(-1)).toMatchObject({ revision: 8, use: "topics" })
  })

  describe.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("at %i px, %s", (width, colorScheme) => {
    test("fits the screen, and all text can be read", async () => {
      const page = await open({ viewport: { width, height: 800 }, colorScheme })
      const fits = async () =>
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await chooseFile(page)
      await page.getByRole("combobox", { name: "User" }).selectOption("session_id")
      await page.getByText("Its name means a session").waitFor()
      await fits()
      const contrasts = await page.evaluate(contrastsOf, [
        ".step[aria-current]",
        ".steps .closed .step",
        ".notice.warn",
        ".card .quiet",
        ".first-rows .used .pill",
        ".commands code",
        "button.plain",
        ".status-line",
      ])
      studio.state = { ...readState(), exposure: { ...fresh, stale: true } }
      studio.emit({ changed: "state" })
      await turn(page, "exposure")
      await page.getByText("E-mail addresses 120 queries").click()
      await fits()
      contrasts.push(
        ...(await page.evaluate(contrastsOf, [
          ".steps .done .number",
          ".steps .stale .number",
          ".samples .shape",
          ".samples .clear",
          ".stale-banner button",
        ])),
      )
      await turn(page, "purpose")
      await fits()
      for (const [selector, contrast] of contrasts) expect([selector, contrast >= 4.5]).toEqual([selector, true])
      expect(wrong).toEqual([])
    })
  })
})
