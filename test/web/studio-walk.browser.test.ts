import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openProject, type Project } from "#dist/project/open-project.js"
import { openStudio, type StudioServer } from "#dist/server/studio/studio-server.js"
import { runCli } from "../support/run-cli.ts"
import { openBrowser, patience, whyNot } from "./browser.ts"

const reason = whyNot("studio")
const name = reason === undefined ? "a publisher's whole job" : `a publisher's whole job (skipped: ${reason})`
const token = "a-token-of-the-test-of-the-studio"

/** A shop's log: 60 visitors who searched for the same things, each also for something of their own. */
function shopLog(): string {
  const phrases = ["red shoes", "garden hose", "cheap flights", "coffee maker", "blue kettle", "rain coat"]
  const rows = Array.from({ length: 60 }, (_, visitor) => {
    const minute = 10 + (visitor % 50)
    const shared = phrases.map((phrase, i) => `v${1000 + visitor},${phrase},2026-03-0${1 + i} 10:${minute}:00`)
    return [...shared, `v${1000 + visitor},gift number ${visitor},2026-03-07 10:${minute}:00`]
  }).flat()
  return `visitor_ref,phrase,when\n${rows.join("\n")}\nv1001,jane.doe@example.com,2026-03-02 11:00:00\n`
}

/** How a person presses, chooses and types: with a mouse, or with keys alone. */
interface Hand {
  press(target: Locator): Promise<void>
  tick(target: Locator): Promise<void>
  choose(target: Locator, option: string): Promise<void>
  fill(target: Locator, text: string): Promise<void>
}

const mouse: Hand = {
  press: (target) => target.click(),
  tick: (target) => target.check(),
  choose: async (target, option) => void (await target.selectOption({ label: option })),
  fill: (target, text) => target.fill(text),
}

/** Nothing but keys: Tab until the target has the focus, then the key for it. */
function keys(page: Page): Hand {
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
  const reach = async (target: Locator) => {
    await target.waitFor()
    for (let presses = 0; presses < 400; presses++) {
      if (await isFocused(target)) return
      await page.keyboard.press("Tab")
    }
    throw new Error(`Tab does not reach ${target}`)
  }
  return {
    async press(target) {
      await expect.poll(() => target.isEnabled(), { timeout: patience }).toBe(true)
      await reach(target)
      await page.keyboard.press("Enter")
    },
    async tick(target) {
      await target.waitFor()
      const group = await target.getAttribute("name")
      if ((await target.getAttribute("type")) !== "radio") {
        await reach(target)
        return page.keyboard.press("Space")
      }
      // Tab leads to one radio button of the group, arrows to the others.
      const all = page.locator(`input[type=radio][name="${group}"]`)
      for (let presses = 0; presses < 400; presses++) {
        const found = await Promise.all((await all.all()).map(isFocused))
        if (found.some((one) => one)) break
        await page.keyboard.press("Tab")
      }
      for (let presses = 0; presses < 50 && !(await target.isChecked()); presses++) {
        await page.keyboard.press(presses === 0 ? "Space" : "ArrowDown")
      }
    },
    async choose(target, option) {
      await reach(target)
      await page.keyboard.type(option)
    },
    async fill(target, text) {
      await reach(target)
      await page.keyboard.press("Control+A")
      await page.keyboard.type(text)
    },
  }
}

describe.skipIf(reason !== undefined)(name, () => {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-studio-walk-"))
  const logs = join(folder, "logs")
  mkdirSync(logs)
  writeFileSync(join(logs, "shop.csv"), shopLog())
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(root: string): Promise<{ page: Page; project: Project; server: StudioServer; wrong: string[] }> {
    const project = await openProject(root, { folders: [logs] })
    const server = await openStudio(project, { port: 0, token })
    const port = "port" in server.address ? server.address.port : 0
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    const wrong: string[] = []
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(String(error)))
    await page.goto(`http://127.0.0.1:${port}/#code=${server.code}`)
    return { page, project, server, wrong }
  }

  test.each(["mouse", "keyboard"] as const)(
    "leads from an unknown CSV to a signed release by %s, and back to the command line",
    async (by) => {
      const root = join(folder, by)
      const { page, project, server, wrong } = await open(root)
      const hand = by === "mouse" ? mouse : keys(page)
      const button = (name: string | RegExp) => page.getByRole("button", { name })

      await hand.tick(page.getByLabel("shop.csv"))
      await hand.press(button("Look at 1 file"))
      await hand.choose(page.getByRole("combobox", { name: "User" }), "visitor_ref")
      await hand.tick(page.getByRole("radio", { name: "A cookie" }))
      await hand.tick(page.getByRole("checkbox", { name: /^Yes/ }))
      await hand.press(button("Continue: read the log"))
      await page.getByText("421 searches of 60 cookies").waitFor()
      await hand.press(button("Continue to Exposure"))

      await hand.press(button("Inspect the log"))
      await page.getByText(/of users issued a query that nobody else did|Every user issued/).waitFor()
      expect(await page.content()).not.toContain("jane.doe")
      await hand.press(button("Continue to Purpose"))

      await hand.tick(page.getByRole("radio", { name: "Most frequent queries" }))
      await hand.fill(page.getByLabel(/A sentence for the record/), "the test of the studio")
      await hand.press(button(/continue to Explore/i))

      await hand.fill(page.getByLabel("People that one hides among"), "5")
      await hand.press(button("Compute this point"))
      await hand.press(page.locator("table.points").getByRole("button", { name: "equality, k 5", exact: true }))
      await hand.press(page.locator(".point-card").getByRole("button", { name: "Use this one" }))
      await hand.press(button("Look at a draft"))

      await hand.press(button("Make a draft"))
      await page.getByText("Rows 1 to 50 of 360").waitFor()
      await hand.fill(page.getByLabel("A whole query of the log"), "red shoes")
      await hand.press(button("Ask"))
      await page.getByText("Yes, it is in the release.").waitFor()
      await hand.press(button(/Check/))

      await hand.fill(page.locator("input[name=name]"), "march")
      await hand.press(button("Draw and check"))
      await page.locator(".verdict").nth(1).waitFor()
      await hand.press(button(/Sign/))

      await page.locator(".point input").first().waitFor()
      for (const box of await page.locator(".point input").all()) await hand.tick(box)
      await hand.fill(page.locator("input[name=signer]"), "Ada Example")
      await hand.fill(page.locator("textarea"), "Only what many people searched for.")
      await hand.press(button("Sign"))
      await page.getByText(/entry \d+ of the project's record/).waitFor()

      await page.evaluate(() => {
        window.location.hash = "register"
      })
      await hand.press(button("Hand out march"))
      const out = join(folder, `out-${by}`)
      await hand.fill(page.getByLabel(/^Folder on this machine/), out)
      await hand.press(button("Copy the release"))
      await page
        .getByText(/handed out to/)
        .first()
        .waitFor()
      expect(readdirSync(out)).toContain("release.json")
      expect(existsSync(join(out, "march.receipt.json"))).toBe(false)

      expect(wrong).toEqual([])
      await page.context().close()
      await server.close()
      await project.close()
      const reading = ["--columns", "user=visitor_ref,query=phrase,time=when"]
      const against = ["--against", join(logs, "shop.csv"), ...reading, "--audit", join(root, "audits", "march")]
      const verified = await runCli(["verify", join(root, "releases", "march"), ...against])
      expect(verified).toMatchObject({ code: 0 })
      const register = await runCli(["studio", "register", "--project", root, "--json"])
      expect(JSON.parse(register.stdout)).toMatchObject({
        releases: [{ name: "march", state: "signed", decision: { name: "Ada Example" } }],
      })
    },
    patience,
  )
})
