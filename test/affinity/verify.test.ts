import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize, type OptionValues } from "#dist/release/anonymize.js"
import { openDraft, readRelease } from "#dist/release/read-release.js"
import { writeRelease } from "#dist/release/write-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { readModules } from "../../diagram/module-graph.ts"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { cellsOf, type Tampering, tamper } from "../support/tamper.ts"
import { affinityByHand } from "./by-hand.ts"
import { choices, handOptions, parametersOf, searches } from "./random-logs.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

/**
 * With k = 3 and θ = 0.75: 'cheap hotel' and 'hotel cheap' have the same vector and three users together. 'visa card
 * offers' has one user and is affine to 'visa card'. 'mary smith' is a name with four users, 'mary smith offers' one
 * with a single user. 'offers' has two users of its own. 'hotel oldtown' has a word of one user. 'wikimedia' is an
 * ordinary query.
 */
const people: Record<string, string[]> = {
  "cheap hotel": ["1", "2"],
  "hotel cheap": ["3"],
  "visa card": ["1", "2", "3", "4", "5", "6"],
  "visa card offers": ["5"],
  offers: ["6", "7"],
  "mary smith": ["1", "2", "3", "4", "5", "6"],
  "mary smith offers": ["8"],
  "hotel oldtown": ["6"],
  wikimedia: ["9"],
}
const town = Object.entries(people).flatMap(([query, users], i) =>
  users.map((user, j): Search => {
    const click = j < 4 ? { rank: 1, url: `http://${query.split(" ")[0]}.example` } : {}
    return { user: `person-${user}`, query, time: timeAfter(i * 300 + j * 7), ...click }
  }),
)
const original = write(aolText(town), "town.tsv")

async function publish(folder: string, options: OptionValues, to: "tsv" | "csv" | "jsonl" | "parquet" = "tsv") {
  const input = await readLog(original, {}, context)
  const draft = await anonymize(input.log, { k: 3, theta: 0.75, ...options, method: "affinity" }, context)
  return writeRelease(draft, folder, { to, input }, context)
}

async function check(folder: string): Promise<Check[]> {
  const { log } = await readLog(original, {}, context)
  return verify({ release: await readRelease(folder), log }, context)
}

const namesOf = (checks: readonly Check[], state: Check["state"]) =>
  checks.filter((found) => found.state === state).map(({ name }) => name)

beforeAll(async () => {
  await publish(at("release"), {})
})

const failures = async (change: (release: Tampering) => void) =>
  namesOf(await check(tamper(at("release"), fresh(), change)), "failed")

const textsOf = (lines: readonly string[]) => new Set(lines.slice(1).map((line) => cellsOf(line)[1]))

/** Adds the rows of a query as the column policy would show them. */
function addRows(lines: string[], query: string): void {
  town
    .filter((row) => row.query === query)
    .forEach(({ time }, i) => {
      lines.push([`uaaaaaaaaaa${"abcdefg"[i]}a`, query, `${time.slice(0, 13)}:00:00`, "", ""].join("\t"))
    })
}

function removeRows(lines: string[], query: string): void {
  const left = lines.filter((line) => cellsOf(line)[1] !== query)
  if (left.length === lines.length) throw new Error("there are no such rows")
  lines.splice(0, lines.length, ...left)
}

/** Rewrites the guarantee for other numbers, everywhere in the manifest. */
function reword({ manifest }: Tampering, numbers: { k?: number; theta?: number }): void {
  const { k = 3, theta = 0.75 } = numbers
  Object.assign(manifest.parameters, { k, theta })
  const statement = manifest.guarantee.statement.replace("At least 3", `At least ${k}`).replace("0.75", String(theta))
  Object.assign(manifest.guarantee, { k, theta, statement })
}

describe("an untouched release", () => {
  const policies = ["session", "pseudonym", "drop"].flatMap((users, i) =>
    ["threshold", "keep", "drop"].map((urls, j) => {
      const time = ["hour", "day", "exact", "drop"][(i + j) % 4]
      const to = (["tsv", "csv", "jsonl", "parquet"] as const)[(i * 3 + j) % 4]
      return { users, urls, time, to }
    }),
  )

  test.each(policies)("verifies with --users $users --urls $urls --time $time --to $to", async ({ to, ...policy }) => {
    const folder = fresh()
    await publish(folder, policy, to)
    expect((await check(folder)).filter(isOpen)).toEqual([])
  })

  test("has what the tests below count on", async () => {
    const texts: string[] = []
    expect(await failures(({ lines }) => void texts.push(...textsOf(lines)))).toEqual([])
    expect(texts.sort()).toEqual(["cheap hotel", "hotel cheap", "mary smith", "visa card", "visa card offers"])
  })

  test("leaves open, without the original, what only the original shows", async () => {
    const checks = await verify({ release: await readRelease(at("release")) }, context)
    expect(namesOf(checks, "not checked")).toEqual(expect.arrayContaining(["users-original", "names-original", "rows"]))
  })

  test("verifies for every log and all options", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, flags) => {
        const { log } = await readLog(write(aolText(rows), "random.tsv"), { unit: flags.unit }, context)
        const preset = flags.preset === undefined ? {} : { preset: flags.preset }
        const draft = await anonymize(log, { ...parametersOf(flags), ...preset, method: "affinity" }, context)
        const checks = await verify({ release: openDraft(draft), log }, context)
        expect(checks.filter((one) => one.name !== "files" && isOpen(one))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})

describe("a change fails even with new digests:", () => {
  test("a rare query with its rows", async () => {
    const failed = await failures(({ lines }) => addRows(lines, "offers"))
    expect(failed).toContain("users-original")
    expect(failed).not.toContain("rows")
  })

  test("a query without a concept, of fewer than k users", async () => {
    expect(await failures(({ lines }) => addRows(lines, "wikimedia"))).toContain("users-original")
  })

  test("a query that protects others, removed with all of its rows", async () => {
    const failed = await failures(({ lines }) => removeRows(lines, "hotel cheap"))
    expect(failed).toContain("users-original")
    expect(failed).not.toContain("rows")
    expect(await failures(({ lines }) => removeRows(lines, "visa card"))).toContain("users-original")
  })

  test("one row of a query removed", async () => {
    const failed = await failures(({ lines }) => {
      lines.splice(
        lines.findIndex((line) => cellsOf(line)[1] === "visa card"),
        1,
      )
    })
    expect(failed).toContain("rows")
  })

  test("a query with a word of too few users", async () => {
    const failed = await failures(({ lines }) => addRows(lines, "hotel oldtown"))
    expect(failed).toContain("users-original")
  })

  test("a rare query with a person's name, though it has users enough around it", async () => {
    const failed = await failures(({ lines }) => addRows(lines, "mary smith offers"))
    expect(failed).toContain("names-original")
    expect(failed).not.toContain("users-original")
  })

  test("a promise of a larger k", async () => {
    expect(await failures((release) => reword(release, { k: 4 }))).toEqual(["users-original"])
  })

  test("a promise of a larger θ", async () => {
    expect(await failures((release) => reword(release, { theta: 0.99 }))).toEqual(["users-original"])
  })

  test.each<[string, (release: Tampering) => void]>([
    ["k in the guarantee", ({ manifest }) => Object.assign(manifest.guarantee, { k: 2 })],
    ["θ in the guarantee", ({ manifest }) => Object.assign(manifest.guarantee, { theta: 0.9 })],
    ["k in the parameters", ({ manifest }) => Object.assign(manifest.parameters, { k: 5 })],
    ["θ in the parameters", ({ manifest }) => Object.assign(manifest.parameters, { theta: 0.8 })],
    ["the statement", ({ manifest }) => Object.assign(manifest.guarantee, { statement: "Nobody can be found." })],
    ["what is not covered", ({ manifest }) => void manifest.guarantee.notCovered.pop()],
  ])("other words for %s alone", async (_what, change) => {
    expect(await failures(change)).toContain("manifest")
  })

  test.each([1, 4, 100])("concepts of %i users, where those of 3 were taken", async (minConceptUsers) => {
    const failed = await failures(({ manifest }) => Object.assign(manifest.parameters, { minConceptUsers }))
    expect(failed).toEqual(["users-original"])
  })

  test("other function words, so that a concept is gone", async () => {
    const failed = await failures(({ manifest }) => {
      Object.assign(manifest.parameters, { functionWords: "cheap hotel" })
    })
    expect(failed).toEqual(["users-original"])
  })

  test("an unknown kind of identifier", async () => {
    const failed = await failures(({ manifest }) => Object.assign(manifest.parameters, { scrub: "shoes" }))
    expect(failed).toEqual(expect.arrayContaining(["scrub", "users-original", "names-original"]))
  })
})

describe("any set of queries, released with all of its rows,", () => {
  test("verifies exactly when every query has k users around it in the set", async () => {
    const chosen = searches.chain((rows) => {
      const texts = [...new Set(rows.map(({ query }) => query.toLowerCase()))]
      return fc.tuple(fc.constant(rows), fc.subarray(texts, { minLength: 1 }))
    })
    await fc.assert(
      fc.asyncProperty(chosen, choices, async ([rows, texts], flags) => {
        const { log } = await readLog(write(aolText(rows), "random.tsv"), { unit: flags.unit }, context)
        const preset = flags.preset === undefined ? {} : { preset: flags.preset }
        const bare = { users: "drop", urls: "drop", time: "drop" } as const
        const given = { ...parametersOf(flags), ...preset, ...bare, method: "affinity" as const }
        const draft = await anonymize(log, given, context)
        const hand = affinityByHand(rows, handOptions(flags))
        const set = texts.filter((text) => hand.degrees.has(text)) // without the scrubbed ones
        const order = Uint32Array.from(
          [...draft.rows.log.query.keys()].filter((row) => set.includes(log.queries.text(draft.rows.log.query[row]))),
        )
        const group = new Uint32Array(order.length)
        const release = openDraft({ ...draft, rows: { ...draft.rows, order, group } })
        const support = (text: string) => {
          const { state = "", users = 0 } = hand.degrees.get(text) ?? {}
          if (state !== "expanded") return users
          const near = (hand.near.get(text) ?? []).filter((other) => set.includes(other))
          return new Set(rows.filter(({ query }) => near.includes(query.toLowerCase())).map(({ user }) => user)).size
        }
        const found = (await verify({ release, log }, context)).find(({ name }) => name === "users-original")
        expect(found?.state).toBe(set.every((text) => support(text) >= flags.k) ? "passed" : "failed")
      }),
      { numRuns: 200 },
    )
  })
})

test("the verifier shares no code with the selection that it checks", () => {
  const kernels = [
    ...["join-similar", "prefix-index", "find-similar", "anonymity-degrees"],
    ...["ngrams", "index-ngrams", "set-users", "distinct-users"],
  ]
  const selection = new RegExp(`^(methods/affinity/|kernels/(${kernels.join("|")})\\.)`)
  const verifier = readModules(fileURLToPath(new URL("../../src", import.meta.url))).filter(({ path }) =>
    path.startsWith("verify/affinity"),
  )
  expect(verifier.length).toBeGreaterThan(0)
  expect(verifier.flatMap(({ files }) => files).filter((file) => selection.test(file))).toEqual([])
})
