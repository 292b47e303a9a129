import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { publish, refusal } from "../support/publish.ts"
import { releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper } from "../support/tamper.ts"

const { fresh, write } = scratchFolder()

const harmless = ["weather", "windows 95 drivers", "canon 10 22 lens"]
const email = "write to jane.doe@example.com"
const phone = "call 202-555-0143"
const person = "mary johnson phone number"
const queries = [...harmless, email, phone, person]
/** Five people search for all of them, so k withholds none. */
const log = write(
  aolText(
    ["1", "2", "3", "4", "5"].flatMap((user) =>
      queries.map((query, i) => ({ user, query, time: timeAfter(i * 60), rank: 1, url: `http://${i}.example` })),
    ),
  ),
)

async function released(options: Parameters<typeof publish>[2]): Promise<string[]> {
  const folder = fresh()
  await publish(log, folder, options)
  return [...new Set((await releasedRows(folder)).map(({ Query }) => Query))].sort()
}

describe("--scrub", () => {
  test.each<[string, readonly string[]]>([
    ["default", [...harmless, person]],
    ["all", harmless],
    ["none", queries],
    ["email", [...harmless, phone, person]],
    ["phone, person", [...harmless, email]],
  ])("%s withholds the identifiers that it names, however many users they have", async (scrub, wanted) => {
    expect(await released({ scrub })).toEqual([...wanted].sort())
  })

  test("is on by default, and off with --preset paper", async () => {
    expect(await released({})).toEqual([...harmless, person].sort())
    expect(await released({ preset: "paper" })).toEqual([...queries].sort())
  })

  test("is refused with the list of kinds", async () => {
    const error = await refusal(publish(log, fresh(), { scrub: "phones" }))
    expect(error).toMatchObject({ code: "option-value", message: expect.stringContaining("phone") })
  })

  test("is counted by kind in the receipt, never by text", async () => {
    const folder = fresh()
    await publish(log, folder, { k: 2 })
    const receipt = readFileSync(`${folder}.receipt.json`, "utf8")
    expect(JSON.parse(receipt).withheld).toMatchObject({
      "queries with an identifier: email": 1,
      "queries with an identifier: phone": 1,
      "rows of queries with an identifier": 10,
    })
    expect(receipt).not.toMatch(/jane|555/)
  })

  test("leaves no url of a scrubbed query, though k users clicked it", async () => {
    const folder = fresh()
    await publish(log, folder)
    const urls = (await releasedRows(folder)).map(({ ClickURL }) => ClickURL)
    expect(urls).not.toContain(`http://${queries.indexOf(email)}.example`)
    expect(urls).toContain("http://0.example")
  })
})

describe("verify", () => {
  const states = async (folder: string) => {
    const context = createContext({ workers: 1 })
    const checks = await verify({ release: await readRelease(folder) }, context)
    return checks.find(({ name }) => name === "scrub")
  }

  test("finds an identifier in a release that claims to have none", async () => {
    const folder = fresh()
    await publish(log, folder, { scrub: "none" })
    expect(await states(folder)).toMatchObject({ state: "not promised", detail: "nothing was scrubbed" })
    const changed = tamper(folder, fresh(), ({ manifest }) => {
      manifest.parameters.scrub = "default"
    })
    expect(await states(changed)).toMatchObject({ state: "failed", row: expect.any(Number) })
  })

  test.each(["", "everything"])("refuses kinds that it does not know: %j", async (scrub) => {
    const folder = fresh()
    await publish(log, folder)
    const changed = tamper(folder, fresh(), ({ manifest }) => {
      manifest.parameters.scrub = scrub
    })
    expect(await states(changed)).toMatchObject({ state: "failed" })
  })
})
