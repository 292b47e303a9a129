import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import { openBrowser, pageFolder, patience } from "./browser.ts"
import { servePage } from "./page-server.ts"
import { SyntheticProxy, token } from "./synthetic-proxy.ts"

/**
 * The search page in a browser, with a fake proxy: what the tests of one file do with it. Call it within `describe`.
 */
export function searchPage() {
  let browser: Browser
  let proxy: SyntheticProxy
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
    proxy = new SyntheticProxy()
    wrong = []
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
  })

  const open = async (address = "/", options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", ...options })
    context.setDefaultTimeout(patience)
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
  /**
   * For a person who wants to look at the pages:
   *   PICTURES=folder npx vitest run test/web/personal-page.browser.test.ts test/web/personal-views.browser.test.ts
   */
  const picture = async (page: Page, name: string) => {
    const folder = process.env.PICTURES
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  return {
    /** The proxy of the current test. */
    get proxy() {
      return proxy
    },
    get origin() {
      return server.origin
    },
    /** What must not have happened: console messages, errors, dialogs, requests elsewhere. */
    get wrong() {
      return wrong
    },
    open,
    box,
    topic,
    panel,
    see,
    search,
    ranks,
    titles,
    picture,
  }
}

export const nameOf = (search: URLSearchParams) => search.get("path")?.split("/").at(-1) ?? ""
