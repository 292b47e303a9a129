import { cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type MethodPromise, registerMethod, Type } from "queryveil/extend"
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest"
import { release } from "#dist/app/release.js"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import type { ReadResult } from "#dist/log/parse-sources.js"
import { readLog } from "#dist/log/read-log.js"
import { measure } from "#dist/measures/registry.js"
import type { Method } from "#dist/methods/method.js"
import { scoresOf } from "#dist/probes/run-probes.js"
import { makeDraft } from "#dist/release/anonymize.js"
import type { MethodName } from "#dist/release/method-options.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { frontierFigures } from "#dist/study/frontier/frontier-figures.js"
import { listSettings } from "#dist/study/frontier/grid.js"
import { computeFrontierPoint } from "#dist/study/frontier/point.js"
import { readFrontier } from "#dist/study/frontier/rows.js"
import { composeReport } from "#dist/study/report/compose-report.js"
import { reportPage } from "#dist/study/report/report-page.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

declare module "queryveil/extend" {
  interface ExtensionMethods {
    top: { k?: number; most?: number }
  }
}

const { at, fresh } = scratchFolder()
const root = fileURLToPath(new URL("../..", import.meta.url))
const extension = join(root, "examples/extensions/top-method.mjs")
const program = join(root, "examples/extend-method.mjs")

/** The method of the page, registered by the example; a release of it, and its input. */
let input: ReadResult
const [folder, audit] = [at("release"), at("audit")]
const open = async () => ({ release: await readRelease(folder), log: input.log, audit: await openAudit(audit) })

beforeAll(async () => {
  await import(extension)
  await synthLog(at("log.tsv"), { rows: 4000, users: 150 })
  input = await readLog(at("log.tsv"))
  await release(input, { method: "top", k: 2, most: 30 }, { folder, audit })
})

describe("a method that is added by following docs/extending.md", () => {
  test("is the code of the page", async () => {
    const page = await readFile(join(root, "docs/extending.md"), "utf8")
    const [, section = ""] = /\n## A method\n([\s\S]*?)(?=\n## |$)/.exec(page) ?? []
    const blocks = [...section.matchAll(/```js\n([\s\S]*?)\n```/g)].map(([, code]) => code)
    expect(`${blocks.slice(0, -1).join("\n\n")}\n`).toBe(await readFile(extension, "utf8"))
    expect(`${blocks.at(-1)}\n`).toBe(await readFile(program, "utf8"))
  })

  test("is released, read back and verified like the others", async () => {
    const subject = await open()
    expect(subject.release.manifest).toMatchObject({
      method: "top",
      parameters: { k: 2, most: 30, users: "session" },
      guarantee: { model: "x-top", k: 2, most: 30 },
    })
    const checks = await verify(subject)
    expect(overall(checks)).toBe("passed")
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["closed", "most", "users-original", "order"]),
    )
    expect(overall(await verify({ release: subject.release }))).toBe("not checked")
  })

  test("is attacked, measured and reported like the others", async () => {
    const subject = await open()
    const scores = scoresOf([
      ...(await attack(subject, { only: ["known-query", "profile", "injection", "membership"] })),
      ...(await measure(subject, { only: ["events-kept", "top-queries", "suggestions", "topic-distance"] })),
    ])
    expect(new Set(scores.map(({ probe }) => probe))).toEqual(
      new Set([
        ...["known-query", "profile", "injection", "membership"],
        ...["events-kept", "top-queries", "suggestions", "topic-distance"],
      ]),
    )
    const chosen = {
      folder: "release",
      seed: 1,
      attacks: { only: ["known-query"] },
      measures: { only: ["events-kept"] },
    }
    const content = await composeReport(subject, chosen, createContext())
    const page = reportPage(content)
    expect(page).toContain("At most 30 query texts are released.")
    expect(page).toContain("k = 2: at least 2 different users of the log issued every query in the release.")
    expect(page).toContain("release at most this many queries")
  })

  test("is a point of a frontier", async () => {
    const grid = JSON.stringify({ top: { k: [4], most: [10] } })
    const [setting] = listSettings({ grid, coarse: false })
    const place = { folder: at("points"), name: "0123456789abcdef01234567" }
    const point = { ...setting, targets: 20, discard: true }
    const context = createContext({ seed: 1, workers: 1 })
    await mkdir(place.folder)
    const output = await computeFrontierPoint(point, { log: input.log, intake: input.intake, place }, context)
    const [row] = readFrontier([{ point, ...output }])
    expect(row).toMatchObject({ series: "top", parameters: "k 4, most 10", state: "passed" })
    expect(row?.risk).toBeDefined()
    expect(frontierFigures([{ point, ...output }], "events").map(({ id }) => id)).toContain("events")
  })

  test("is checked by its verifier: a broken promise fails", async () => {
    const failed = async (guarantee: object, parameters: object = {}) => {
      const copy = fresh("copy")
      await cp(folder, copy, { recursive: true })
      const path = join(copy, "release.json")
      const manifest: Record<"guarantee" | "parameters", object> = JSON.parse(await readFile(path, "utf8"))
      const altered = {
        ...manifest,
        guarantee: { ...manifest.guarantee, ...guarantee },
        parameters: { ...manifest.parameters, ...parameters },
      }
      await writeFile(path, JSON.stringify(altered))
      const checks = await verify({ ...(await open()), release: await readRelease(copy) })
      return checks.filter(({ state }) => state === "failed").map(({ name }) => name)
    }
    expect(await failed({})).toEqual([])
    expect(await failed({ statement: "Nobody is found." })).toEqual(["manifest"])
    expect(await failed({ k: 100 }, { k: 100 })).toContain("users-original")
    expect(await failed({ most: 2 }, { most: 2 })).toContain("most")
    expect(await failed({}, { note: "some text" })).toContain("closed")
  })

  test("has options that are checked as those of the others are", async () => {
    expectTypeOf<"top">().toExtend<MethodName>()
    const places = { folder: at("none") }
    // @ts-expect-error: it has no such option
    await expect(release(input, { method: "top", mots: 3 }, places)).rejects.toThrow("there is no option mots")
    // @ts-expect-error: a number is expected
    await expect(release(input, { method: "top", most: "3" }, places)).rejects.toThrow("expected a whole number")
  })

  test("makes releases that are refused, with the reason, if it is not registered", async () => {
    const path = join(folder, "release.json")
    const text = await readFile(path, "utf8")
    await writeFile(path, text.replace('"x-top"', '"x-other"'))
    await expect(readRelease(folder)).rejects.toThrow("x-other is not known; load the extension that made the release")
    await writeFile(path, text.replace('"most": 30,\n    "statement"', '"most": 0,\n    "statement"'))
    await expect(readRelease(folder)).rejects.toThrow("/most must be >= 1")
    await writeFile(path, text)
  })
})

describe("registering a method", () => {
  const method = (name: string, model: `x-${string}`): Method => ({
    name,
    summary: "nothing",
    options: Type.Object({}),
    paper: {},
    run: async () => ({
      kind: "queries",
      decision: { released: new Uint8Array(0) },
      guarantee: { model, unit: "query", counted: "user", k: 2, statement: "", notCovered: [] },
      withheld: {},
      audit: {},
    }),
  })
  const promise = (model: `x-${string}`, extra: object = {}): MethodPromise => ({
    model,
    releases: "rows",
    schema: Type.Object({ model: Type.Literal(model), ...extra }),
    traits: () => ({ shows: "queries", shownUnder: "searcher", promised: true, inWords: [] }),
    verify: async () => [],
  })

  test("refuses a name that is taken, and a guarantee that looks built in", () => {
    expect(() => registerMethod(method("equality", "x-a"), promise("x-a"))).toThrow("the name is taken")
    expect(() => registerMethod(method("other", "x-top"), promise("x-top"))).toThrow("the name of a guarantee is taken")
    // @ts-expect-error: the name of its guarantee begins with x-
    expect(() => registerMethod(method("other", "x-b"), { ...promise("x-b"), model: "dp" })).toThrow("begins with x-")
    const tables: Method = { ...method("another", "x-c"), releases: "tables" }
    expect(() => registerMethod(tables, promise("x-c"))).toThrow("its guarantee is about rows")
  })

  test("refuses a release whose guarantee does not fit its schema", async () => {
    registerMethod(method("careless", "x-careless"), promise("x-careless", { theta: Type.Number() }))
    await expect(makeDraft(input.log, { method: "careless" }, createContext())).rejects.toMatchObject({
      code: "extension-broken",
    })
  })
})
