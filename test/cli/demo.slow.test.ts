import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseHTML } from "linkedom"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { outsideLinks } from "../support/markup.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const folder = at("demo")
const argsOf = (target: string) => ["demo", "-o", target, "--rows", "5000"]
const read = (name: string) => readFileSync(join(folder, name), "utf8")
const methods = ["equality", "affinity", "wordnet", "groups", "swap", "counts"]

describe("queryveil demo", () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await runCli([...argsOf(folder), "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toEqual({ schema: "queryveil/demo/1", folder, index: `${folder}/index.html` })
  })

  test("writes a page whose links all lead to a file, and pages that link to nothing outside", () => {
    const links = [...read("index.html").matchAll(/href="([^"#]+)"/g)].map(([, link = ""]) => link)
    expect(links.length).toBeGreaterThan(methods.length)
    for (const link of links) expect(read(link)).not.toBe("")
    const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"))
    expect(pages.length).toBeGreaterThan(methods.length)
    for (const name of pages) {
      expect([name, ...outsideLinks(read(name))]).toEqual([name])
      expect([name, read(name).match(/>[^<]*(?:NaN|undefined|Infinity)[^<]*</)?.[0]]).toEqual([name, undefined])
    }
  })

  test("shows the same attack on the raw log and on a release, then every method with its report", () => {
    const { document } = parseHTML(read("index.html"))
    const cards = [...document.querySelectorAll(".pair .card")].map(({ textContent }) => textContent ?? "")
    expect(cards).toEqual([expect.stringContaining("the raw log"), expect.stringContaining("a release")])
    for (const method of methods) {
      expect(read("index.html")).toContain(`href="releases/${method}.report.html"`)
      const report = parseHTML(read(`releases/${method}.report.html`)).document
      expect(report.querySelector(".verdict .word")?.textContent).toMatch(/^(Yes|In part|Empty release)$/)
      expect(report.body.textContent).toContain(`queryveil verify releases/${method} --against log.tsv`)
    }
  })

  test("does not show a release as safe if its report has an attack above chance", () => {
    const rows = [...parseHTML(read("index.html")).document.querySelectorAll("table.releases tbody tr")].slice(1)
    expect(rows).toHaveLength(methods.length)
    for (const [i, row] of rows.entries()) {
      const report = parseHTML(read(`releases/${methods[i]}.report.html`)).document
      const word = report.querySelectorAll(".verdict .word")[1]?.textContent?.toLowerCase() ?? "?"
      expect(row.querySelector('[data-label="attacks"]')?.textContent).toContain(word)
      if (word !== "nothing above chance") expect(row.querySelectorAll(".good")).toHaveLength(0)
    }
  })

  test("generates a log with an order between searches, says so, and compares how much of it releases keep", () => {
    expect(JSON.parse(read("queryveil-demo.json"))).toMatchObject({ rows: 5000, follow: 0.5 })
    const { document } = parseHTML(read("index.html"))
    expect(document.body.textContent).toContain("in 50 of 100 cases, one of the few that people usually make next")
    const heads = [...document.querySelectorAll("th")].map(({ textContent }) => textContent)
    const place = heads.indexOf("next search")
    const raw = [...document.querySelectorAll("tbody tr")].find(({ textContent }) => textContent?.includes("raw log"))
    expect(raw?.querySelectorAll("td")[place]?.textContent).toMatch(/^100\s%$/)
    expect(document.querySelector("figure svg")?.textContent).toContain("next query suggested")
    expect(read("frontier/data/suggestions.csv")).toContain("equality")
  })

  test("replaces an earlier demo, and leaves nothing when it is interrupted", async () => {
    writeFileSync(at("demo/old.txt"), "")
    const { child, ended } = startCli(argsOf("."), { cwd: folder })
    // The steps are progress, which a pipe does not get: the files say how far it is.
    await vi.waitFor(
      () =>
        expect(["old.txt", "log.tsv", "releases"].map((name) => existsSync(at(`demo/${name}`)))).toEqual([
          false,
          true,
          true,
        ]),
      { timeout: 120_000 },
    )
    child.kill("SIGINT")
    expect((await ended).code).toBe(130)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test("does not replace a folder that is not a demo", async () => {
    for (const name of ["thesis.txt", "demo.json"]) {
      mkdirSync(at(`own-${name}`))
      writeFileSync(at(`own-${name}/${name}`), "{}")
      const { code, stderr } = await runCli(argsOf(at(`own-${name}`)))
      expect([code, stderr]).toEqual([1, expect.stringContaining("Choose another folder")])
      expect(readdirSync(at(`own-${name}`))).toEqual([name])
    }
  })
})
