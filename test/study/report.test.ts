import { readdirSync, readFileSync, statSync } from "node:fs"
import { parseHTML } from "linkedom"
import { attack } from "queryveil/attacks"
import { createContext } from "queryveil/kernels"
import { readLog } from "queryveil/log"
import { measure } from "queryveil/measures"
import { readRelease } from "queryveil/release"
import { reportPage } from "queryveil/study"
import { verify } from "queryveil/verify"
import { beforeAll, describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { outsideLinks } from "../support/markup.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper, withCell } from "../support/tamper.ts"

const { at, write } = scratchFolder()
const log = write(aolText(smallTown()))
const truth = { secrets: [{ line: 5, kind: "rare" }] }

beforeAll(async () => {
  await publish(log, at("release"))
  tamper(at("release"), at("tampered"), ({ lines }) => {
    lines.push(withCell(lines[1], 1, `${marker} of 1`))
  })
})

/** The report on a release as a page, with or without the original. */
async function pageOf(name: string, options: { against: boolean }) {
  const context = createContext({ workers: 1 })
  const release = await readRelease(at(name))
  const subject = { release, log: (await readLog(log, {}, context)).log, truth }
  const { against } = options
  return reportPage({
    folder: name,
    manifest: release.manifest,
    checks: await verify(against ? subject : { release }, context),
    attacks: against ? await attack(subject, {}, context) : [],
    measures: against ? await measure(subject, {}, context) : [],
    against,
    created: new Date(0),
  })
}

const textOf = (page: string) => parseHTML(page).document.body.textContent ?? ""
const states = (page: string) => [...parseHTML(page).document.querySelectorAll("td")].map(({ className }) => className)

describe("a report", () => {
  test("says what is promised, what is not protected, and what each check found", async () => {
    const page = await pageOf("release", { against: true })
    const { manifest } = await readRelease(at("release"))
    const { document } = parseHTML(page)
    const text = textOf(page)
    expect(text).toContain(manifest.guarantee.statement)
    expect([...document.querySelectorAll("ul:first-of-type li")].map(({ textContent }) => textContent)).toEqual(
      manifest.guarantee.notCovered,
    )
    expect(manifest.guarantee.notCovered.length).toBeGreaterThan(0)
    expect(states(page).filter((state) => state === "holds")).toHaveLength(14)
    expect(text).toContain("Every check holds.")
    for (const part of [manifest.id, manifest.files[0].sha256, "events-kept", "secrets/rare", "Signature"]) {
      expect(text).toContain(part)
    }
  })

  test("shows a failure, and says not to publish", async () => {
    const page = await pageOf("tampered", { against: true })
    expect(states(page)).toContain("fails")
    expect(textOf(page)).toContain("do not publish this release")
    expect(textOf(page)).not.toContain("Every check holds.")
  })

  test("without the original says what could not be checked", async () => {
    const page = await pageOf("release", { against: false })
    expect(states(page).filter((state) => state === "unchecked")).toHaveLength(5)
    expect(states(page)).not.toContain("fails")
    expect(textOf(page)).toContain("some checks could not be made")
    expect(textOf(page)).toContain("this needs the original log")
  })

  test("needs nothing from elsewhere, and names no query and no user", async () => {
    for (const name of ["release", "tampered"]) {
      const page = await pageOf(name, { against: true })
      expect(outsideLinks(page)).toEqual([])
      expect(page).not.toContain(marker)
    }
  })

  test("escapes what it takes from the manifest", async () => {
    const nasty = `<img src="http://elsewhere.example" onerror='alert(1)'>&`
    const folder = tamper(at("release"), at("nasty"), ({ manifest }) => {
      manifest.method = nasty
      manifest.created = nasty
      manifest.guarantee.statement = nasty
      manifest.guarantee.notCovered = [nasty]
      manifest.parameters = { ...manifest.parameters, [nasty]: nasty, users: nasty }
    })
    const page = await pageOf(folder.slice(at("").length), { against: true })
    expect(parseHTML(page).document.querySelectorAll("img, script, [onerror]")).toHaveLength(0)
    expect(outsideLinks(page)).toEqual([])
    expect(textOf(page)).toContain(nasty)
  })
})

describe("queryveil report", () => {
  test("ends with 0, 1 or 3 as verify does, and writes a page beside the release for its owner only", async () => {
    const codes = []
    for (const args of [[at("release"), "--against", log], [at("tampered"), "--against", log], [`${at("release")}/`]]) {
      const { code, stdout, stderr } = await runCli(["report", ...args])
      expect(stdout + stderr).not.toContain(marker)
      codes.push(code)
    }
    expect(codes).toEqual([0, 1, 3])
    for (const name of ["release", "tampered"]) {
      expect(statSync(at(`${name}.report.html`)).mode & 0o777).toBe(0o600)
    }
    expect(textOf(readFileSync(at("tampered.report.html"), "utf8"))).toContain("do not publish")
    expect(textOf(readFileSync(at("release.report.html"), "utf8"))).toContain("could not be made") // the last of the two
  })

  test("is not written into the release, where it would be published with it", async () => {
    const { code } = await runCli(["report", at("release"), "--against", log, "-o", at("release/report.html")])
    expect(code).not.toBe(0)
    expect(readdirSync(at("release")).sort()).toEqual(["log.tsv", "release.json"])
  })
})
