import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sampleTree } from "../personal/sample-tree.ts"
import { startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { openBrowser, patience, whyNot } from "./browser.ts"

const reason = whyNot("personal")
const name = "queryveil personal serve, in a browser"

describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (skipped: ${reason})`, () => {
  const tree = sampleTree()
  const { at, write } = scratchFolder()
  let browser: Browser
  let served: ReturnType<typeof startCli>
  let url: string

  beforeAll(async () => {
    browser = await openBrowser()
    const visits = "https://e.example/league,Eagles quarterback touchdown,1700000000\n".repeat(3)
    const history = write(`url,title,time\n${visits}https://a.example/,Adults,1700000000\n`)
    const flags = ["--port", "0", "--passphrase-file", write("a few words\n"), "--taxonomy", tree.path]
    served = startCli(
      [
        "personal",
        "serve",
        at("profile.qvp"),
        ...flags,
        "--cache",
        at("cache"),
        "--import",
        history,
        "--delta",
        "0.4",
        "--json",
      ],
      {},
    )
    url = await new Promise((resolve, reject) => {
      let text = ""
      served.child.stdout.on("data", (part: string) => {
        text += part
        if (text.includes("\n}")) resolve(JSON.parse(text).url)
      })
      served.ended.then(({ stderr }) => reject(new Error(stderr)), reject)
    })
  })
  afterAll(async () => {
    await browser?.close()
    served?.child.kill("SIGTERM")
    await served?.ended
  })

  test("starts, searches, shows part of the profile, hides a marked topic, and lists what was shown", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(patience)
    const wrong: string[] = []
    page.on("console", (message) => wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(error.message))
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== "data:" && !url.startsWith(origin)) wrong.push(`request to ${origin}`)
    })
    await page.goto(url)
    await page.getByRole("heading", { name: "1. What stays here" }).waitFor()
    const more = "url,title,time\nhttps://m.example/,Piano keys,1700000000\n"
    await page
      .getByLabel("History file")
      .setInputFiles({ name: "more.csv", mimeType: "text/csv", buffer: Buffer.from(more) })
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("1 of 1 searches and pages have a topic.").waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByRole("combobox", { name: "Find a topic to mark" }).fill("harmon")
    await page.getByRole("option", { name: /Harmonica.*Arts › Music › Instrument/ }).click()
    await page.getByRole("button", { name: "Never show: Harmonica" }).click()
    await page.getByRole("button", { name: "Remove the mark: Harmonica" }).click()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("Nothing leaves this machine.").waitFor()
    await page.getByRole("button", { name: "Start searching" }).click()
    await page.getByText(/Your profile has \d+ topics, of 5 searches on 1 day/).waitFor()
    await page.getByRole("searchbox").fill("eagles")
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Results" }).waitFor()
    await page.getByText("Built-in dictionary: explains words, does not search the web.").last().waitFor()
    expect(await page.locator(".results > li").count()).toBeGreaterThan(1)
    await page
      .getByText(/^The engine learned \d topics?; no risk is counted: nothing in the profile is marked sensitive\.$/)
      .locator("visible=true")
      .waitFor()
    const football = page.getByRole("treeitem", { name: /^Football/ })
    expect(await football.getAttribute("aria-label")).toMatch(/^Football, shown/)
    await football.click()
    await page.getByRole("treeitem", { name: /^Football, .*sensitive 1\.00/ }).waitFor()
    await page.getByRole("link", { name: "History" }).click()
    const shown = page.getByRole("region", { name: "What engines were shown" })
    await shown.getByText("Built-in dictionary").waitFor()
    await shown.getByRole("button", { name: "Delete all" }).click()
    await shown.getByRole("button", { name: "Delete all of it?" }).click()
    await page.getByText("No exposure is stored.").waitFor()
    await page.getByRole("link", { name: "Profile" }).click()
    await page.getByRole("button", { name: "Not sensitive: Football" }).click()
    await page.getByText("None is marked").waitFor()
    expect(wrong).toEqual([])
  })
})
