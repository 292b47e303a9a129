import { rmSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { linkageAttackers } from "#dist/kernels/linkage/attackers.js"
import { readLog } from "#dist/log/read-log.js"
import type { OptionValues } from "#dist/release/anonymize.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { attackerNames } from "#dist/verify/swap.js"
import { aolText, marker, type Search, smallTown } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish, refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { type Changed, failed, notPassed, swapLog, swappedReleases } from "./swapped-release.ts"

const searches = swapLog()
const { at, fresh, write, original, taxonomy, auditOf, make, check, change, changeAudit } = swappedReleases(searches)
const context = createContext({ workers: 1 })

beforeAll(async () => {
  await make(at("strict"), { repeats: "once" })
  await make(at("lasting"), { repeats: "once", users: "pseudonym" })
  await make(at("paper"), { mode: "paper" })
})

/** Names of the checks that fail on a changed copy. */
const failures = async (release: string, how: (changed: Changed) => void) =>
  failed(await check(change(at(release), how)))

/**
 * Searches as visits of Matomo, one visit per line: the searches of a user within three hours. The first is repeated
 * twice.
 */
function visits(log: readonly Search[]): string {
  const seconds = ({ time }: Search) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000
  const groups = groupBy(log, (search) => `${search.user} ${Math.floor(seconds(search) / 10800)}`)
  const lines = [...groups].map(([, made], idVisit) => {
    const again = [1200, 4000].map((later) => [made[0].query, seconds(made[0]) + later] as const)
    const searches = [...made.map((search) => [search.query, seconds(search)] as const), ...again]
    const actionDetails = searches.map(([siteSearchKeyword, timestamp]) => ({
      type: "search",
      siteSearchKeyword,
      timestamp,
    }))
    return JSON.stringify({
      idSite: 1,
      idVisit,
      visitorId: made[0].user,
      serverTimestamp: seconds(made[0]),
      actionDetails,
    })
  })
  return lines.map((line) => `${line}\n`).join("")
}

describe("a swapped release that was not changed", () => {
  const kinds: [string, OptionValues][] = [
    ["users by session, exact times, all urls", { users: "session", time: "exact", urls: "keep" }],
    ["no users, times by day, no urls", { users: "drop", time: "day", urls: "drop" }],
    ["users by session, times by hour", { users: "session" }],
    ["users by day, times by hour", { users: "day" }],
    ["users by day, times by day", { users: "day", time: "day" }],
    ["users by day, no times", { users: "day", time: "drop" }],
    ["users under one name each", { users: "pseudonym" }],
    ["users by cell, exact times", { users: "cell", time: "exact" }],
    ["no times", { time: "drop" }],
    ["repeats kept", { repeats: "keep" }],
    ["each query with one cell", { repeats: "never" }],
    ["each query with one cell, with long lists", { repeats: "never", backlog: 50, k: 2, depth: "1" }],
    ["two users hidden in three", { k: 2, depth: "1" }],
    ["queries of two users", { minQueryUsers: 2, k: 2, depth: "1" }],
    ["depth chosen by delay", { depth: "auto", maxDelay: 5 }],
    ["sensitive topics pooled", { sensitiveCategories: "Animals/Dogs/Poodle\n" }],
    ["own times", { time: "own" }],
    ["the paper's algorithm", { mode: "paper", urls: "keep", time: "own" }],
    ["the paper's algorithm with times by hour and repeats withheld", { mode: "paper", repeats: "once" }],
  ]

  test.each(kinds)("verifies: %s", async (_name, options) => {
    const checks = await check(await make(fresh(), options))
    expect(notPassed(checks).filter(([name]) => options.minQueryUsers === undefined || name !== "dealing")).toEqual([])
  })

  test.each(["jsonl", "csv", "parquet"] as const)("verifies as %s", async (to) => {
    expect(notPassed(await check(await make(fresh(), {}, to)))).toEqual([])
  })

  test.each<[string, OptionValues]>([
    ["cells", {}],
    ["repeats", { repeats: "keep", time: "exact" }],
    ["own times", { mode: "paper", time: "own" }],
  ])("verifies if a line of the log has several searches, some of them alike: %s", async (_name, options) => {
    const log = write(visits(swapLog({ searches: 1000 })))
    const release = fresh()
    await publish(log, release, { method: "swap", taxonomy, ...options }, { audit: auditOf(release) })
    // Which of the times counts for the dealing is not known.
    const severalTimes = ["dealing-key", "not checked", "a line has searches of one text at several times"]
    expect(notPassed(await check(release, { log }))).toEqual(options.mode === "paper" ? [] : [severalTimes])
  })

  test("fails only for the kept names", async () => {
    for (const options of [{ users: "keep" }, { users: "keep", mode: "paper" }])
      expect(failed(await check(await make(fresh(), options)))).toEqual(["names"])
  })

  test("is not checked in full without the log or the audit, and says what it needs", async () => {
    const cells = ["cells", "cell-texts", "cell-times", "repeats", "dealing", "dealing-key"]
    const both = ["trail", "rows", "users-shown", "urls", "own-records", "topics", "query-users"]
    const { log } = await readLog(original, {}, context)
    for (const [release, names] of [
      ["strict", [...both, ...cells, "attackers"]],
      ["lasting", [...both, ...cells]], // nothing is promised that attackers could refute
      ["paper", [...both, "pool", "own-times"]],
    ] as const) {
      for (const [subject, needs] of [
        [{}, "against"],
        [{ log }, "audit"],
      ] as const) {
        const checks = await verify({ release: await readRelease(at(release)), ...subject }, context)
        const open = checks.filter(isOpen)
        expect(open.map((one) => [one.name, one.state, one.needs])).toEqual(
          names.map((name) => [name, "not checked", needs]),
        )
      }
    }
    const names = (await check(at("strict"))).map(({ name }) => name)
    expect(names.slice(-15)).toEqual([...both, ...cells, "attackers", "order"])
  })

  test("has unchecked topics if they cannot be found again", async () => {
    const gone = write("Animals\t1\tpoodle beagle\n")
    const classifier = write("poodle red\tAnimals\n")
    const withTable = await make(fresh(), { taxonomy: gone, classifier })
    const withTree = await make(fresh(), { taxonomy: gone })
    const told = async (release: string) => notPassed(await check(release)).filter(([name]) => name === "topics")
    expect(await told(withTable)).toEqual([])
    rmSync(classifier)
    expect(await told(withTable)).toEqual([
      ["topics", "not checked", expect.stringContaining("its classifier is a file")],
    ])
    rmSync(gone)
    expect(await told(withTree)).toEqual([["topics", "not checked", expect.stringContaining("its taxonomy is a file")]])
  })
})

describe("with too few records to judge", () => {
  const few = write(aolText(swapLog({ searches: 60 })))

  test("the dealing is not checked, and verify ends with 3", async () => {
    const release = fresh()
    const swap = ["anonymize", "swap", few, "-o", release, "--audit", auditOf(release)]
    expect((await runCli([...swap, "-k", "3", "--taxonomy", taxonomy])).code).toBe(0)
    const verified = await runCli(["verify", release, "--against", few, "--audit", auditOf(release)])
    expect(verified.stdout).toMatch(/not checked +dealing .*too few cells to judge/)
    expect(verified.stdout).not.toMatch(/^failed/m)
    expect(verified.stdout + verified.stderr).not.toContain(marker)
    expect(verified.code).toBe(3)
  })

  test("and is not checked for an empty release", async () => {
    const checks = await check(await make(fresh(), { k: 1000 }))
    expect(notPassed(checks)).toEqual([["dealing", "not checked", "too few cells to judge (0)"]])
  })
})

describe("an audit that was changed", () => {
  test.each<[string, string, (lines: string[]) => void, string]>([
    ["a line gone", "trail", (lines) => lines.splice(5, 1), "trail"],
    ["a line twice", "trail", (lines) => lines.push(lines[5]), "trail"],
    ["a row that there is not", "trail", (lines) => lines.push("1000000\t2\t3\t0\t4"), "trail"],
    ["no number", "trail", (lines) => lines.splice(5, 1, lines[5].replace(/\t\d+\t/, "\t-1\t")), "trail"],
    [
      "a line of the log that there is not",
      "trail",
      (lines) => lines.splice(5, 1, lines[5].replace(/\t\d+\t/, "\t999999\t")),
      "rows",
    ],
    [
      "the line of another text",
      "trail",
      (lines) => {
        const cells = lines[5].split("\t")
        const { query } = searches[Number(cells[1]) - 2]
        const other = searches.findIndex((search) => search.query !== query) + 2
        lines[5] = cells.with(1, `${other}`).join("\t")
      },
      "rows",
    ],
    ["a category gone", "categories", (lines) => lines.splice(1, 1), "topics"],
    ["a category that there is not", "categories", (lines) => lines.push("Nothing\t1\t0\t"), "topics"],
    [
      "other numbers",
      "categories",
      (lines) => lines.splice(1, 1, lines[1].replace(/\t\d+\t/, "\t1\t").replace(/\t\d+\t(\d*)$/, "\t2\t$1")),
      "topics",
    ],
  ])("%s", async (_name, table, how, name) => {
    expect(failed(await check(at("strict"), { audit: changeAudit(at("strict"), table, how) }))).toEqual([name])
  })

  test("that of another release of the same log", async () => {
    const other = await make(fresh())
    const checks = await check(at("strict"), { audit: auditOf(other) })
    expect(failed(checks)).toEqual(expect.arrayContaining(["trail", "rows", "own-records", "cells", "dealing"]))
    expect(checks.at(-1)?.detail).toBe("the audit belongs to another release")
  })

  test("is refused with another header, without its text", async () => {
    const audit = changeAudit(at("strict"), "trail", (lines) => {
      lines[0] = "row\tquery_row\tuser_row\tcell\tpeople"
    })
    expect(await refusal(check(at("strict"), { audit }))).toMatchObject({ code: "audit-broken" })
  })
})

/** The guarantee of version 0.1, when six attackers were tried. */
const sixAttackers: Changed["manifest"]["guarantee"] = {
  model: "swap",
  unit: "record",
  counted: "user",
  k: 3,
  promised: true,
  posterior: 1 / 3,
  insider: 0.6666666666666665,
  measured: { attacker: "times-and-order", share: 0.34, named: 500 },
  statement: [
    "The searches of a topic were dealt out by chance among 4 different users, none back to its own.",
    "To whom each of these could have issued each of their queries equally well,",
    "the chance of naming the one of a released record is at most 0.3333, and 0.6667 to one of them.",
  ].join(" "),
  notCovered: [
    "the text: it is released as it was typed, and a text can name a person by itself",
    "the topics: a user is shown with queries of topics that the user did search",
    "habits that an adversary knows: texts that are likelier for one user of a cell than for the others",
    "texts that leave with several cells: none leaves twice for one user, so that comparing the cells rules users out",
    "texts of a day: one that is out of date points to a user who searches much, whose queries wait longest",
    "how often a query was repeated while it waited: many repeats point to a user who searches much",
    "texts that several users of a cell issued: the more of them, the likelier each of them issued it",
    "users who are several accounts of one person: k accounts are counted as k users",
  ],
}

describe("a manifest that was changed", () => {
  test.each<[string, string, (manifest: Changed["manifest"]) => void, check?: string]>([
    ["a promise for the paper's algorithm", "paper", ({ guarantee }) => Object.assign(guarantee, { promised: true })],
    ["the paper's algorithm called strict", "paper", ({ parameters }) => Object.assign(parameters, { mode: "strict" })],
    ["own times not stated", "strict", ({ parameters }) => Object.assign(parameters, { time: "own" })],
    ["a smaller k in its parameters", "strict", ({ parameters }) => Object.assign(parameters, { k: 2 })],
    ["a larger k in its guarantee", "strict", ({ guarantee }) => Object.assign(guarantee, { k: 4 })],
    ["a smaller chance", "strict", ({ guarantee }) => Object.assign(guarantee, { posterior: 0.1 })],
    [
      "queries that are claimed to be in one cell each",
      "strict",
      ({ parameters }) => Object.assign(parameters, { repeats: "never" }),
      "repeats",
    ],
    ["repeats that are not stated", "lasting", ({ parameters }) => Object.assign(parameters, { repeats: "keep" })],
    ["less that is not covered", "strict", ({ guarantee }) => guarantee.notCovered.pop()],
    ["an unknown mode", "strict", ({ parameters }) => Object.assign(parameters, { mode: "best" })],
    ["a k that no method takes", "strict", ({ parameters }) => Object.assign(parameters, { k: 1e12 })],
    ["another method", "strict", (manifest) => Object.assign(manifest, { method: "equality" })],
    [
      "an unknown attacker",
      "strict",
      ({ guarantee }) => Object.assign(guarantee, { measured: { attacker: "nobody", share: 0, named: 0 } }),
    ],
    [
      "a promise that was refuted",
      "strict",
      ({ guarantee }) => {
        Object.assign(guarantee, {
          measured: { attacker: "compared-cells", share: 0.9, named: 9, tried: 11, over: true },
        })
      },
    ],
    ["a promise that was not made", "strict", ({ guarantee }) => Object.assign(guarantee, { promised: false })],
    [
      "a share with digits that say more about the truth",
      "strict",
      ({ guarantee }) => Object.assign(guarantee, { measured: { attacker: "none", share: 0.123456, named: 0 } }),
    ],
    [
      "a share above one",
      "strict",
      ({ guarantee }) => Object.assign(guarantee, { measured: { attacker: "none", share: 1.5, named: 0 } }),
    ],
  ])("%s", async (_name, release, how, check = "manifest") => {
    expect(await failures(release, ({ manifest }) => how(manifest))).toContain(check)
  })

  test("is refused with text among what the attackers found", async () => {
    const hidden = change(at("strict"), ({ manifest }) => {
      if (manifest.guarantee.model === "swap") Object.assign(manifest.guarantee.measured, { note: marker })
    })
    await expect(check(hidden)).rejects.toMatchObject({
      code: "release-broken",
      message: expect.not.stringContaining(marker),
    })
  })

  test("fails as version 0.1 promised, and says to release the log again", async () => {
    const old = change(at("lasting"), ({ manifest }) => {
      manifest.guarantee = { ...sixAttackers }
      delete manifest.parameters.repeats // which was stated only if it was given
    })
    const checks = await check(old)
    expect(failed(checks)).toEqual(["manifest"])
    expect(checks.find(({ name }) => name === "manifest")?.detail).toContain("release the log again with --users cell")
  })

  test("may name each known attacker", () => {
    expect(attackerNames).toEqual(["none", ...linkageAttackers.map(({ name }) => name)])
  })
})

describe("against another log", () => {
  test("fails", async () => {
    expect(failed(await check(at("strict"), { log: write(aolText(smallTown())) }))).toEqual(["rows"])
    const shorter = write(aolText(searches.slice(0, 400)))
    expect(failed(await check(at("strict"), { log: shorter }))).toEqual(["rows"])
  })

  test("counted by another unit, verify says how to read it", async () => {
    const checks = await check(at("strict"), { unit: "session" })
    expect(checks.find(({ name }) => name === "cells")?.detail).toContain("without --unit session")
  })
})
