import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import {
  attackRelease,
  type ContextOptions,
  classifyLog,
  createContext,
  explainQuery,
  inspect,
  measureRelease,
  type Progress,
  planRelease,
  QueryveilError,
  type RunContext,
  readLog,
  reportRelease,
  studyLog,
  verifyRelease,
} from "queryveil"
import { beforeAll, describe, expect, test } from "vitest"
import { toJson } from "#dist/app/answer-files.js"
import type { AnswerName } from "#dist/app/answers/versions.js"
import { sampleLabels } from "#dist/app/sample-labels.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { checkAnswer } from "../support/check-answer.ts"
import { publish, refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()), "log.tsv")
const release = at("release")
const contextOf = (options: ContextOptions = {}) => createContext({ workers: 1, ...options })
const counts = { method: "counts", epsilon: 1, delta: 1e-6 } as const

const left = () => readdirSync(at("")).filter((name) => !name.startsWith("cancelled-"))

beforeAll(() => publish(log, release, {}, { audit: at("audit") }))

/** Every use case as a page would call it, with an output file if it writes one. */
const useCases: [AnswerName, (output: string, context: RunContext) => Promise<object>][] = [
  ["inspect", (html, context) => inspect(log, { html }, context)],
  ["plan", (_output, context) => planRelease(log, counts, {}, context)],
  ["verify", (output, context) => verifyRelease(release, { against: log, audit: at("audit"), output }, context)],
  ["attack", (output, context) => attackRelease(release, { against: log, only: ["profile"], output }, context)],
  ["measure", (output, context) => measureRelease(release, { against: [log], only: ["top-queries"], output }, context)],
  ["report", (output, context) => reportRelease(release, { output }, context)],
  [
    "study",
    async (output, context) => {
      const { results: _points, ...answer } = await studyLog("equality", log, { output, values: { k: [2] } }, context)
      return answer
    },
  ],
  ["labels", (output, context) => sampleLabels(log, { output, sample: 3 }, context)],
  ["explain", (svg, context) => explainQuery(log, { method: "affinity", k: 2 }, { query: "weather", svg }, context)],
]

describe.each(useCases)("%s", (name, use) => {
  test("reports progress, and returns what its schema says", async () => {
    const stages: Progress[] = []
    const notices: string[] = []
    const context = contextOf({ report: (progress) => stages.push(progress), notify: ({ text }) => notices.push(text) })
    const answer = await use(fresh(), context)
    expect(stages.length).toBeGreaterThan(0)
    expect(JSON.stringify([stages, notices])).not.toContain(marker)
    checkAnswer(JSON.parse(toJson(name, answer)))
    expect(answer).toHaveProperty("warnings", expect.any(Array))
  })

  test("stops when it is cancelled at any point, and leaves nothing behind", async () => {
    let reports = 0
    await use(fresh(), contextOf({ report: () => reports++ }))
    const before = left()
    const output = at(`cancelled-${name}`)
    for (const stopAt of new Set([0, 1, Math.ceil(reports / 2), reports])) {
      const controller = new AbortController()
      let seen = 0
      const report = () => ++seen === stopAt && controller.abort()
      if (stopAt === 0) controller.abort()
      const error = await refusal(use(output, contextOf({ signal: controller.signal, report })))
      expect(error).toBeInstanceOf(QueryveilError)
      expect(error).toHaveProperty("code", "interrupted")
    }
    // What a study has computed is kept for the next run, but its page is not written.
    expect(existsSync(name === "study" ? join(output, "index.html") : output)).toBe(false)
    expect(left()).toEqual(before)
  })
})

describe("a refusal has the error code of the command line", () => {
  const none = at("nowhere")
  test.each<[string, () => Promise<unknown>, string[]]>([
    ["no such log", () => inspect(none), ["inspect", none]],
    ["no such release", () => verifyRelease(none), ["verify", none]],
    ["an unknown check", () => verifyRelease(release, { only: ["x"] }), ["verify", release, "--only", "x"]],
    [
      "a page in the release",
      () => reportRelease(release, { output: `${release}/page.html` }),
      ["report", release, "-o", `${release}/page.html`],
    ],
    [
      "an answer over the log",
      () => measureRelease(release, { against: log, output: log }),
      ["measure", release, "--against", log, "-o", log],
    ],
    [
      "an unknown study",
      () => studyLog("equalty", log, { output: fresh() }),
      ["study", "equalty", log, "-o", at("study")],
    ],
    [
      "a wrong value of a study",
      () => studyLog("equality", log, { output: fresh(), values: { k: ["ten"] } }),
      ["study", "equality", log, "-k", "ten", "-o", at("study")],
    ],
    [
      "a cache in the release",
      () => verifyRelease(release, { against: log, cache: `${release}/cache` }),
      ["verify", release, "--against", log, "--cache", `${release}/cache`],
    ],
  ])("%s", async (_what, use, args) => {
    const error = await refusal(use())
    const told = JSON.parse((await runCli([...args, "--json"])).stderr.trimEnd().split("\n").at(-1) ?? "")
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toHaveProperty("code", told.error.code)
  })

  test.each<[string, () => Promise<unknown>]>([
    // @ts-expect-error there is no such option
    ["verifyRelease", () => verifyRelease(release, { agianst: log })],
    // @ts-expect-error there is no such attack option
    ["attackRelease", () => attackRelease(release, { against: log, values: { profileTragets: 3 } })],
    // @ts-expect-error there is no such option
    ["inspect", () => inspect(log, { htlm: "page.html" })],
    ["studyLog", () => studyLog("equality", log, { output: fresh(), labels: log })],
    // @ts-expect-error there is no such option
    ["classifyLog", () => classifyLog(log, { taxnomy: "wordnet" })],
  ])("an option that %s does not have", async (_name, use) => {
    expect(await refusal(use())).toHaveProperty("code", "option-unknown")
  })

  test("a missing original, which an attack needs", async () => {
    // @ts-expect-error against is missing
    expect(await refusal(attackRelease(release, {}))).toHaveProperty("code", "usage")
  })
})

test("a warning is reported during the run, and is in the answer", async () => {
  const other = write(aolText(smallTown().slice(1)), "other.tsv")
  const heard: string[] = []
  const context = contextOf({ notify: ({ kind, text }) => kind === "warning" && heard.push(text) })
  const { warnings } = await verifyRelease(release, { against: other }, context)
  expect(warnings).toEqual([expect.stringContaining("about another log")])
  expect(heard).toEqual(warnings)
})

test("a log that was read before gives the same results as its file, and the same commands", async () => {
  const read = await readLog(log)
  const judge = (against: typeof log | typeof read) =>
    reportRelease(release, { against, audit: at("audit"), output: fresh() })
  const [named, given] = [await judge(log), await judge(read)]
  expect(toJson("report", { ...given, page: "" })).toBe(toJson("report", { ...named, page: "" }))
  const study = async (from: typeof log | typeof read) =>
    (await studyLog("equality", from, { output: fresh(), values: { k: [2] } })).results
  expect(await study(read)).toEqual(await study(log))
})
