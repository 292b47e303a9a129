import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { FileFormat } from "#dist/release/manifest.js"
import { writeRelease } from "#dist/release/write-release.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { publish, refusal } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { folder: scratch, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))

const idOf = (folder: string): string => JSON.parse(readFileSync(join(folder, "release.json"), "utf8")).id
const leftovers = () => readdirSync(scratch).filter((name) => name.includes(".partial-"))

/** A folder with one file that somebody else made. */
function foreignFolder(name: string): string {
  const folder = fresh()
  mkdirSync(folder)
  writeFileSync(join(folder, name), "precious")
  return folder
}

describe("an existing folder", () => {
  test("is never overwritten without --force", async () => {
    const folder = fresh()
    const { manifest } = await publish(log, folder)
    const error = await refusal(publish(log, folder))
    expect(error).toMatchObject({ code: "output-exists", message: expect.stringContaining("--force") })
    expect(idOf(folder)).toBe(manifest.id)
  })

  test("that is empty is not overwritten without --force either", async () => {
    const folder = fresh()
    mkdirSync(folder)
    expect(await refusal(publish(log, folder))).toMatchObject({ code: "output-exists" })
    expect(readdirSync(folder)).toEqual([])
  })

  test("that is a release is replaced whole with --force, its receipt too", async () => {
    const folder = fresh()
    await publish(log, folder, {}, { to: "csv" })
    const { manifest } = await publish(log, folder, {}, { force: true })
    expect(readdirSync(folder).sort()).toEqual(["log.tsv", "release.json"])
    expect(idOf(folder)).toBe(manifest.id)
    expect(JSON.parse(readFileSync(`${folder}.receipt.json`, "utf8")).release).toBe(manifest.id)
    expect(leftovers()).toEqual([])
  })

  test("that is not a release is not replaced, with or without --force", async () => {
    const folder = foreignFolder("thesis.tex")
    const error = await refusal(publish(log, folder, {}, { force: true }))
    expect(error).toMatchObject({ code: "output-exists", message: expect.stringContaining("release.json") })
    expect(readdirSync(folder)).toEqual(["thesis.tex"])
  })

  test("for the audit follows the same rules", async () => {
    const [folder, audit] = [fresh(), fresh()]
    await publish(log, folder, {}, { audit })
    expect(await refusal(publish(log, fresh(), {}, { audit }))).toMatchObject({ code: "output-exists" })
    const { manifest } = await publish(log, folder, {}, { audit, force: true })
    expect(JSON.parse(readFileSync(join(audit, "audit.json"), "utf8")).release).toBe(manifest.id)
    const foreign = foreignFolder("release.json")
    const error = await refusal(publish(log, fresh(), {}, { audit: foreign, force: true }))
    expect(error).toMatchObject({ code: "output-exists", message: expect.stringContaining("audit.json") })
  })

  test("that is a file is not touched", async () => {
    const file = write("precious")
    for (const force of [false, true]) {
      expect(await refusal(publish(log, file, {}, { force }))).toMatchObject({ code: "output-exists" })
    }
    expect(readFileSync(file, "utf8")).toBe("precious")
  })
})

describe("an interruption while a release is written", () => {
  test.each<[FileFormat, string]>([
    ["tsv", "writing"],
    ["jsonl", "writing"],
    ["parquet", "writing"],
    ["parquet", "packing"],
  ])("as %s, at the stage %s, leaves only what was there before", async (to, stage) => {
    const folder = fresh()
    const before = await publish(log, folder)
    const draft = await anonymize(before.input.log, { method: "equality", k: 2 }, createContext())
    const controller = new AbortController()
    const context = createContext({
      workers: 1,
      signal: controller.signal,
      report: (progress) => {
        if (progress.stage === stage) controller.abort()
      },
    })
    const input = await readLog(log, {}, createContext({ workers: 1 }))
    const files = readdirSync(scratch)
    const error = await refusal(writeRelease(draft, folder, { to, force: true, input }, context))
    expect(error).toMatchObject({ code: "interrupted" })
    expect(readdirSync(scratch)).toEqual(files)
    expect(idOf(folder)).toBe(before.manifest.id)
  })
})
