import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { release } from "queryveil"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { isFormula } from "#dist/log/formats/formula-cells.js"
import type { FileFormat } from "#dist/release/manifest.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { dataFile, multiset, releasedRows } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const formats: FileFormat[] = ["tsv", "csv"]
/** Each begins like a formula of a spreadsheet, or with the mark. All are their own normal form. */
const formulas = ["=1+1", "+a", "-a b", "@sum(a1)", "'", "''=a", "'quoted'", '"=1+1"', '=hyperlink("http://a.example")']

/** Each query by two users, who click urls that begin like formulas too. */
const twice = (texts: readonly string[]) =>
  texts.flatMap((query, i): Search[] => [
    { user: "1", query, time: timeAfter(i), rank: 1, url: `＝${query}` },
    { user: "2", query, time: timeAfter(i), rank: 1, url: `＝${query}` },
    { user: "2", query, time: timeAfter(i + 1) },
  ])

const options = { k: 2, time: "exact", scrub: "none" } as const

async function rowsOf(folder: string) {
  const opened = await readRelease(folder)
  if (opened.kind !== "rows") throw new Error("rows are expected")
  const log = await opened.log(createContext({ workers: 1 }))
  return Array.from({ length: log.rows }, (_, row) => ({
    Query: log.queries.text(log.query[row]),
    ClickURL: log.url[row] < 0 ? "" : log.urls.text(log.url[row]),
  }))
}

const expected = (searches: readonly Search[]) =>
  multiset(searches.map(({ query, url }) => ({ Query: query, ClickURL: url ?? "" })))

describe.each(formats)("a release as %s with formulas escaped", (to) => {
  test("has no cell that a spreadsheet runs, and is read, verified and measured like any other", async () => {
    const searches = twice([...formulas, "plain words", "a=b"])
    const folder = fresh()
    const { manifest, input } = await publish(write(aolText(searches)), folder, options, { to, escapeFormulas: true })
    expect(manifest.formulas).toBe("escaped")
    const runs = Object.values(await releasedRows(folder)).flatMap((row) => Object.values(row))
    expect(runs.filter((cell) => /^[=+\-@\t\r"＝＋－＠]/.test(cell))).toEqual([])
    expect(runs).toContain("'=1+1")
    expect(runs).toContain("'''=a") // one more mark before the two that were there
    expect(runs).toContain("plain words")
    expect(multiset(await rowsOf(folder))).toEqual(expected(searches))
    const checks = await verify({ release: await readRelease(folder), log: input.log })
    expect(
      checks.filter((check) => check.state === "failed" || (check.state === "not checked" && !isOpen(check))),
    ).toEqual([])
  })

  test("gives back whatever the texts were", async () => {
    const unit = fc.constantFrom(..."=+-@'\"ab,;\\ é")
    const text = fc.string({ unit, minLength: 1, maxLength: 8 }).map((drawn) => drawn.replace(/ +/g, " ").trim())
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), async (texts) => {
        const searches = twice([...new Set(texts.filter((drawn) => drawn !== ""))])
        fc.pre(searches.length > 0)
        const folder = fresh()
        await publish(write(aolText(searches)), folder, options, { to, escapeFormulas: true })
        expect(multiset(await rowsOf(folder))).toEqual(expected(searches))
      }),
      { numRuns: to === "tsv" ? 40 : 10 },
    )
  })

  test("is refused where a cell is not escaped as the manifest says", async () => {
    const folder = fresh()
    await publish(write(aolText(twice(["=1+1", "plain"]))), folder, options, { to, escapeFormulas: true })
    const file = join(folder, `log.${to}`)
    const text = readFileSync(file, "utf8")
    for (const other of [text.replaceAll("'=1", "=1"), text.replaceAll("plain", "'plain")]) {
      writeFileSync(file, other)
      await expect(rowsOf(folder)).rejects.toMatchObject({ code: "release-broken" })
    }
  })
})

test("tables are escaped too, numbers excepted, from the library as from the command line", async () => {
  const searches = Array.from({ length: 400 }, (_, i): Search => ({ user: `${i}`, query: "=1+1", time: timeAfter(i) }))
  const log = write(aolText(searches))
  const words = ["anonymize", "counts", log, "--epsilon", "8", "--delta", "1e-6", "--to", "csv", "--escape-formulas"]
  const byCli = fresh()
  const { code, stderr } = await runCli([...words, "-o", byCli])
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
  const opened = await readRelease(byCli)
  expect(opened.manifest.formulas).toBe("escaped")
  expect(readFileSync(join(byCli, "queries.csv"), "utf8")).toMatch(/^"'=1\+1",\d+$/m)
  if (opened.kind !== "tables") throw new Error("tables are expected")
  const texts = (await opened.tables()).queries?.columns.flatMap((column) =>
    "texts" in column ? [column.texts.text(0)] : [],
  )
  expect(texts).toEqual(["=1+1"])
  const verified = await runCli(["verify", byCli, "--against", log])
  expect(verified.code).toBe(3) // nothing failed; noise is not checked
})

test("is off by default, and refused for formats without formulas", async () => {
  const log = write(aolText(twice(formulas)))
  const folder = fresh()
  const { manifest } = await publish(log, folder, options, { to: "csv" })
  expect(manifest).not.toHaveProperty("formulas")
  expect(readFileSync(dataFile(folder), "utf8")).toContain('"=1+1"')
  for (const to of ["jsonl", "parquet"]) {
    const refused = await runCli([
      "anonymize",
      "equality",
      log,
      "-k",
      "2",
      "-o",
      fresh(),
      "--to",
      to,
      "--escape-formulas",
    ])
    expectRefused(refused, { code: 2, message: /--escape-formulas is for CSV and TSV/ })
  }
  const places = { folder: fresh(), to: "jsonl", escapeFormulas: true } as const
  const never = () => Promise.reject(new Error("the log is not read"))
  await expect(release(never, { method: "equality", k: 2 }, places)).rejects.toMatchObject({ code: "usage" })
})

test("a cell is a formula by its first character, narrow or wide", () => {
  const isRun = (text: string) => isFormula(Buffer.from(`x${text}`), 1, 1 + Buffer.byteLength(text))
  for (const text of ["=", "+1", "-1", "@a", "\ta", "\ra", '"', "'", "＝1", "＋1", "－1", "＠a"])
    expect(isRun(text)).toBe(true)
  for (const text of ["", "a=1", " =1", "1-2", "！a", "Ａ", "＃"]) expect(isRun(text)).toBe(false)
})
