import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { reasonsOf, valuesOf } from "../support/drafts.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { write, fresh } = scratchFolder()
const context = createContext({ workers: 1, seed: 5 })
const raw = { method: "equality", k: 1, scrub: "none", users: "pseudonym", time: "exact" } as const

const logOf = async (path: string) => (await readLog(path, {}, context)).log

/**
 * Two releases, each of its own part of a log, attacked with the whole log; with their audits if the parts are the
 * whole log.
 */
async function link(whole: string, parts: [string, string], options: MethodChoice, audited = false) {
  const log = await logOf(whole)
  const releases = []
  for (const part of parts) {
    const draft = await anonymize(part === whole ? log : await logOf(part), options, context)
    releases.push({ release: openDraft(draft), ...(audited && { audit: openDraftAudit(draft) }) })
  }
  const [own, other] = releases
  if (own === undefined || other === undefined) throw new Error("two parts are expected")
  return attack({ ...own, log, other }, { only: ["intersection"] }, context)
}

const at = (minute: number, searches: [user: string, query: string][]): Search[] =>
  searches.map(([user, query]) => ({ user, query, time: timeAfter(minute * 60) }))

/** Three people in three minutes. The first release covers the first two minutes, the second the last two. */
function twoPeriods(middle: [user: string, query: string][]): Parameters<typeof link> {
  const first = at(0, [
    ["a", "one"],
    ["b", "two"],
    ["c", "three"],
  ])
  const last = at(2, [
    ["a", "four"],
    ["b", "five"],
    ["c", "six"],
  ])
  const both = at(1, middle)
  const [whole, early, late] = [
    [...first, ...both, ...last],
    [...first, ...both],
    [...both, ...last],
  ].map((rows) => write(aolText(rows)))
  return [whole ?? "", [early ?? "", late ?? ""], raw]
}

describe("two releases of overlapping periods", () => {
  test("are joined name by name if everybody's common row is unique", async () => {
    const outcomes = await link(
      ...twoPeriods([
        ["a", "x"],
        ["b", "y"],
        ["c", "z"],
      ]),
    )
    expect(valuesOf(outcomes)).toEqual({ intersection: 1, "intersection-recall@90": 1, "intersection-joined": 3 })
    const scores = outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
    expect(scores.map(({ baseline }) => baseline)).toEqual([1 / 3, 0, 2])
  })

  test("are joined by chance if two people's common rows are alike", async () => {
    const scores = valuesOf(
      await link(
        ...twoPeriods([
          ["a", "x"],
          ["b", "x"],
          ["c", "z"],
        ]),
      ),
    )
    expect(scores.intersection).toBeCloseTo((1 / 2 + 1 / 2 + 1) / 3, 12)
    expect(scores["intersection-recall@90"]).toBeCloseTo(1 / 3, 12)
    expect(scores["intersection-joined"]).toBeCloseTo((2.5 + 2.5 + 3) / 3, 12)
  })
})

describe("on a synthetic log", () => {
  const path = `${fresh()}.tsv`
  const made = synthLog(path, { rows: 20_000, users: 300 })

  /** The rows of some months. April is in both. */
  const months = async (given: readonly string[]) => {
    await made
    const [header = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\n")
    const own = rows.filter((row) => given.includes(row.split("\t")[2]?.slice(5, 7) ?? ""))
    return write([header, ...own, ""].join("\n"))
  }
  const sessions = { ...raw, k: 3, users: "session", time: "hour" } as const

  test("names that change with the session are linked far above chance", async () => {
    const [whole, early, late] = [
      await months(["03", "04", "05"]),
      await months(["03", "04"]),
      await months(["04", "05"]),
    ]
    const [score] = (await link(whole, [early, late], sessions)).flatMap((o) => ("scores" in o ? o.scores : []))
    expect(score?.n).toBeGreaterThan(50)
    expect(score?.interval?.[0]).toBeGreaterThan(20 * (score?.baseline ?? 1))
    expect(score?.value).toBeGreaterThan(0.5)
  })

  test("the command line takes the second release and its audit", async () => {
    await made
    const [one, two, audit] = [fresh(), fresh(), fresh()]
    await publish(path, one, { users: "session" })
    await publish(path, two, { users: "session" }, { audit })
    const flags = ["--against", path, "--other", two, "--other-audit", audit, "--only", "intersection", "--json"]
    const { code, stdout } = await runCli(["attack", one, ...flags])
    expect(code).toBe(0)
    const [outcome] = JSON.parse(stdout).outcomes
    expect(outcome.scores[0]).toMatchObject({ name: "intersection", better: "lower" })
    expect(outcome.scores[0].value).toBeGreaterThan(0.5)
  })

  test("releases without times reveal less", async () => {
    await made
    const value = async (time: "drop" | "hour") =>
      valuesOf(await link(path, [path, path], { ...sessions, time }, true)).intersection
    expect(await value("drop")).toBeLessThan(0.8 * ((await value("hour")) ?? 0))
  })

  test("there is nothing to link without a second release, without names, or without an audit", async () => {
    await made
    const why = async (options: MethodChoice) => reasonsOf(await link(path, [path, path], options))
    expect(await why({ ...sessions, users: "drop" })).toEqual(["a release that names no users has no names to link"])
    expect(await why({ ...sessions, users: "keep" })).toEqual([
      "both show the log's own ids, which join them without an attack",
    ])
    expect(await why({ ...sessions, time: "drop" })).toEqual([
      "needs to know whose name each is (--audit DIR, --other-audit DIR)",
    ])
    expect(await why({ method: "counts", epsilon: "4", delta: "1e-6" })).toEqual([
      "there are no names in tables of counts; what two noisy releases cost together is in the budget ledger",
    ])
    const log = await logOf(path)
    const release = openDraft(await anonymize(log, sessions, context))
    expect(reasonsOf(await attack({ release, log }, { only: ["intersection"] }, context))).toEqual([
      "needs a second release (--other DIR)",
    ])
  })
})
