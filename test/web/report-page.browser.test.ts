import { pathToFileURL } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { reportRelease } from "#dist/app/report-release.js"
import { createContext } from "#dist/kernels/context.js"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { openBrowser, whyNot } from "./browser.ts"

const { at, write } = scratchFolder()
const reason = whyNot("stream")
const title = reason === undefined ? "the page of a report" : `the page of a report (skipped: ${reason})`

/** Thirty people with habits: swapped, and found again. Of all methods, swap says most about itself. */
const searches = Array.from({ length: 30 }, (_, person) =>
  Array.from({ length: 16 }, (_, turn) => ({
    user: `${person}`,
    query: `${["piano", "violin", "guitar"][turn % 3]} habit${person}`,
    time: timeAfter(turn * 43_200 + person * 60),
  })),
).flat()

describe.skipIf(reason !== undefined)(title, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    const log = write(aolText(searches), "log.tsv")
    await publish(log, at("release"), { method: "swap", k: 3 }, { audit: at("audit") })
    const options = { against: log, audit: at("audit"), output: at("page.html") }
    await reportRelease(at("release"), options, createContext({ workers: 1 }))
  })
  afterAll(() => browser?.close())

  test.each(["A4", "Letter"])("has everything that a signer needs on the first sheet of %s", async (format) => {
    const page = await browser.newPage()
    await page.goto(pathToFileURL(at("page.html")).href)
    await page.addStyleTag({ content: ".appendix { display: none } .first { break-after: auto !important }" })
    const sheets = (await page.pdf({ format })).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)
    expect(sheets).toHaveLength(1)
    await page.close()
  })

  test.each([1280, 390])("has two verdicts of one size and nothing cut at %i pixels", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    await page.goto(pathToFileURL(at("page.html")).href)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const cards = await page.locator(".verdict").all()
    const widths = await Promise.all(cards.map(async (card) => (await card.boundingBox())?.width))
    expect(widths).toHaveLength(2)
    expect(widths[0]).toBeCloseTo(widths[1] ?? 0, 0)
    const sizes = await page
      .locator(".verdict .word")
      .evaluateAll((words) => words.map((word) => getComputedStyle(word).fontSize))
    expect(new Set(sizes).size).toBe(1)
    await page.close()
  })
})
