import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aolText } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, topics, townSearches, wordOf } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
const searches = townSearches({ users: 80, each: 40 })
/**
 * Searches for trains come all the time, others seldom. Only trains can be a category of their own within four hours.
 */
const others = searches.filter(({ query }) => !query.startsWith("rail")).filter((_, i) => i % 40 === 0)
const uneven = searches.filter((search) => search.query.startsWith("rail") || others.includes(search))
const tree = ["--taxonomy", write(taxonomyText, "topics.tsv")]
const choice = [...tree, "--classifier", write(classifierText(searches), "queries.tsv")]
const log = write(aolText(uneven), "log.tsv")
const auto = ["--depth", "auto", "--first-period", log, "--max-delay", "4"]

const places = () => ({ store: fresh("store"), output: fresh("out"), audit: fresh("audit") })
type Places = ReturnType<typeof places>

const run = ({ store, output, audit }: Places, more: readonly string[]) =>
  runCli([
    ...["stream", "run", ...choice, "--k", "3", "--workers", "1", "--no-admin", "--category", "--json"],
    ...["--store", store, "-o", output, "--audit", audit, "--input", log, ...more],
  ])

const branchesOf = ({ store }: Places): string[] | undefined =>
  JSON.parse(JSON.parse(readFileSync(`${store}/checkpoint.json`, "utf8")).checkpoint.boundary.settings).branches

const rowsOf = ({ output }: Places) =>
  readFileSync(output, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))

describe("stream run --depth auto", () => {
  test("swaps within the deepest topics that a first period allows, branch by branch, and keeps them", async () => {
    const at = places()
    const cache = fresh("cache")
    const first = await run(at, [...auto, "--cache", cache])
    expect({ code: first.code, stderr: first.code === 0 ? "" : first.stderr }).toEqual({ code: 0, stderr: "" })
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]) // no copy of the log
    const branches = branchesOf(at) ?? []
    expect(branches).toContain("travel/rail")
    expect(branches).not.toContain("health/illness/flu")
    const shown = rowsOf(at)
    expect(shown.length).toBeGreaterThan(200)
    for (const [, query = "", ...rest] of shown) {
      const topic = topics.find((path) => query.startsWith(wordOf(path))) ?? ""
      const nearest = branches.filter((path) => `${topic}/`.startsWith(`${path}/`)).sort((a, b) => b.length - a.length)
      expect(rest.at(-1)).toBe(nearest[0] ?? "")
    }

    expect((await run(at, ["--depth", "auto"])).code).toBe(0)
    expect(branchesOf(at)).toEqual(branches)
    expect((await run(at, ["--depth", "1"])).code).toBe(0)
    expect(branchesOf(at)).toBeUndefined()
  })

  test("gives a period that can be sealed and verified", async () => {
    const at = places()
    await run(at, auto)
    const [release, audit] = [fresh("release"), fresh("sealed-audit")]
    const sealed = await runCli([
      ...["stream", "seal", at.output, "--audit", at.audit, "--against", log, ...choice],
      ...["-o", release, "--audit-out", audit],
    ])
    expect({ code: sealed.code, stderr: sealed.code === 0 ? "" : sealed.stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(readFileSync(`${release}/release.json`, "utf8")).parameters.depth).toBe("auto")
    const verified = await runCli(["verify", release, "--against", log, "--audit", audit, "--json"])
    const { checks }: { checks: { name: string; state: string }[] } = JSON.parse(verified.stdout)
    expect(checks.filter(({ state }) => state === "failed")).toEqual([])
    expect(checks.find(({ name }) => name === "topics")?.state).toBe("passed")
  })

  test("needs a first period once, and accepts its flags only with auto", async () => {
    expectRefused(await run(places(), ["--depth", "auto"]), { code: 2, message: /--first-period/ })
    expectRefused(await run(places(), ["--depth", "2", "--first-period", log]), { code: 2, message: /--depth auto/ })
    expectRefused(await run(places(), ["--depth", "deep"]), { code: 2, message: /whole number from 1 to 255, or auto/ })
  })
})
