import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { type CountsParts, shippedParts } from "#dist/methods/counts/parts.js"
import type { DpGuarantee } from "#dist/methods/dp-guarantee.js"
import type { TablesDraft } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { aolText, marker } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { busyTown, type Choices, releaseLog, townText } from "./busy-town.ts"

const { write } = scratchFolder()
const town = write(townText(), "town.tsv")
const context = () => createContext({ workers: 1, seed: 5 })

/** States by check, without those that a seeded draft cannot show. */
const statesOf = (checks: readonly Check[]) =>
  Object.fromEntries(
    checks.filter(({ name }) => !["files", "randomness"].includes(name)).map(({ name, state }) => [name, state]),
  )

const alone = {
  closed: "passed",
  "key-order": "passed",
  scrub: "not promised",
  manifest: "passed",
  proof: "passed",
  tables: "passed",
  thresholds: "passed",
  among: "passed",
}
const sound = { ...alone, "users-original": "passed", "noise-original": "passed" }

const topics = Array.from({ length: 60 }, (_, i) => `topic ${i}\ntopic ${i} cheap`).join("\n")

const towns = Array.from({ length: 60 }, (_, i) => `http://topic${i}.example`).join("\n")

describe("a release of counts verifies", () => {
  test.each<[string, Choices]>([
    ["as it is", {}],
    ["with truncated noise", { select: "optimal" }],
    ["with users counted several times", { maxPerKey: 2 }],
    ["with a random choice of what counts", { bound: "random" }],
    ["with few keys a user", { maxQueries: 3, maxClicks: 2, maxTransitions: 1 }],
    ["with a pool", { pool: "topic 1\ntopic 2\nsomething else\n" }],
    ["of queries alone", { split: "1,0,0" }],
    ["of public keys", { mode: "pure", delta: undefined, pool: topics }],
    ["of public keys and urls", { mode: "pure", delta: undefined, pool: topics, poolUrls: "http://topic1.example" }],
    ["with repeated queries and no time limit to speak of", { repeats: "keep", sessionGap: 100_000 }],
    ["by the mechanism of Korolova et al.", { mode: "korolova" }],
    ["by that mechanism, with public urls", { mode: "korolova", firstQueries: 4, firstClicks: 4, poolUrls: towns }],
  ])("%s", async (_how, choices) => {
    const { release, log, draft } = await releaseLog(town, choices)
    expect(draft.tables.queries?.rows).toBeGreaterThan(80)
    expect(statesOf(await verify({ release, log }, context()))).toEqual(sound)
  })

  test("as far as can be seen without the original", async () => {
    const { release } = await releaseLog(town)
    const states = statesOf(await verify({ release }, context()))
    expect(states).toEqual({ ...alone, "users-original": "not checked", "noise-original": "not checked" })
  })

  test("but for its noise, when there are too few counts to judge it", async () => {
    const { release, log } = await releaseLog(write(aolText(busyTown(40)), "few.tsv"), { epsilon: "1000" })
    expect(statesOf(await verify({ release, log }, context()))).toEqual({ ...sound, "noise-original": "not checked" })
  })
})

test("whose pool's frequencies are in the counts verifies but for the noise of its queries", async () => {
  const pool = topics.replaceAll("\n", "\t7\n")
  const choices = { mode: "pure", delta: undefined, pool, poolFrequencies: "add" }
  const added = await releaseLog(town, { ...choices, split: "1,0,0" })
  expect(added.draft.tables.queries?.rows).toBeGreaterThan(80)
  const states = statesOf(await verify(added, context()))
  expect(states).toEqual({ ...sound, "noise-original": "not checked" })
})

const shiftedNoise = (change: (drawn: number) => number): Partial<CountsParts> => ({
  createNoise: (mechanism, random) => {
    const noise = shippedParts.createNoise(mechanism, random)
    return { draw: () => change(noise.draw()) }
  },
})

describe("a release of counts fails", () => {
  test.each<[string, Partial<CountsParts>]>([
    ["no noise", shiftedNoise(() => 0)],
    [
      "noise of half the scale",
      {
        createNoise: (mechanism, random) => {
          const { numerator, denominator } = mechanism.scale
          return shippedParts.createNoise({ ...mechanism, scale: { numerator, denominator: denominator * 2n } }, random)
        },
      },
    ],
    ["noise that only adds", shiftedNoise(Math.abs)],
    [
      "users counted twice",
      {
        countQueries: async (...given) => {
          const { users, total } = await shippedParts.countQueries(...given)
          return { users, total: total.map((count) => 2 * count) }
        },
      },
    ],
    [
      "users without a bound",
      { countQueries: (log, bound, run) => shippedParts.countQueries(log, { ...bound, most: 1000 }, run) },
    ],
  ])("with %s", async (_how, parts) => {
    const { release, log } = await releaseLog(town, { maxQueries: 4 }, parts)
    expect(statesOf(await verify({ release, log }, context()))).toMatchObject({ "noise-original": "failed" })
  })

  const korolova = { mode: "korolova", firstQueries: 4, firstClicks: 4 }
  test.each<[string, string, (draft: TablesDraft<DpGuarantee>) => void]>([
    [
      "a threshold less one",
      "manifest",
      ({ manifest: { guarantee } }) => {
        for (const { selection } of guarantee.mechanisms) if (selection !== undefined) selection.threshold--
      },
    ],
    [
      "more searches of a user than it says",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.firstQueries = 3
      },
    ],
    [
      "a query that nobody has",
      "users-original",
      ({ tables }) => {
        const [query] = tables.queries?.columns ?? []
        if (query !== undefined && "texts" in query) query.texts = dictionaryOf(unheard(query.texts.size))
      },
    ],
  ])("by the mechanism of Korolova et al., with %s", async (_how, check, tamper) => {
    const { draft, log } = await releaseLog(town, korolova)
    tamper(draft)
    const states = statesOf(await verify({ release: openDraft(draft), log }, context()))
    expect(states).toMatchObject({ [check]: "failed" })
  })

  test("by the mechanism of Korolova et al., with half the noise on its counts", async () => {
    const { release, log } = await releaseLog(
      town,
      { ...korolova, epsilon: "6" },
      {
        createNoise: (mechanism, random) => {
          const { numerator, denominator } = mechanism.scale
          return shippedParts.createNoise({ ...mechanism, scale: { numerator, denominator: denominator * 2n } }, random)
        },
      },
    )
    expect(statesOf(await verify({ release, log }, context()))).toMatchObject({ "noise-original": "failed" })
  })

  test.each<[string, string, (draft: TablesDraft<DpGuarantee>) => void]>([
    [
      "a smaller ε than its parameters",
      "manifest",
      ({ manifest }) => {
        manifest.guarantee.epsilon = "1"
      },
    ],
    [
      "other parameters than its ledger",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.epsilon = "1"
      },
    ],
    [
      "an ε that nobody could write out",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.epsilon = "1e999999999"
      },
    ],
    [
      "a bound that is no number",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.maxQueries = "ten"
      },
    ],
    [
      "shares that are no numbers",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.split = "a,b,c"
      },
    ],
    [
      "a threshold less one",
      "manifest",
      ({ manifest: { guarantee } }) => {
        for (const mechanism of guarantee.mechanisms) {
          mechanism.tau = Number(mechanism.tau) - 1
          mechanism.threshold = Number(mechanism.threshold) - 1
        }
      },
    ],
    [
      "parameters chosen on the data, unsaid",
      "manifest",
      ({ manifest }) => {
        manifest.parameters.chosenOnData = true
      },
    ],
    [
      "another promise in words",
      "manifest",
      ({ manifest }) => {
        manifest.guarantee.statement += " And more."
      },
    ],
    [
      "a count under its threshold",
      "thresholds",
      ({ tables }) => {
        const count = tables.clicks?.columns[2]
        if (count !== undefined && "values" in count) count.values[3] = 1
      },
    ],
    [
      "text in the place of its public keys",
      "manifest",
      ({ manifest }) => {
        manifest.guarantee.pool = `none ${marker}`
      },
    ],
    [
      "a table that is missing",
      "tables",
      ({ tables }) => {
        delete tables.transitions
      },
    ],
    [
      "a click on a query that is not released",
      "among",
      ({ tables }) => {
        if (tables.queries !== undefined) tables.queries = withoutFirstRow(tables.queries)
      },
    ],
  ])("with %s", async (_how, check, tamper) => {
    const { draft, log } = await releaseLog(town)
    tamper(draft)
    const states = statesOf(await verify({ release: openDraft(draft), log }, context()))
    expect(states).toMatchObject({ [check]: "failed" })
  })

  test("as published: nothing is proved", async () => {
    const choices = { epsilon: undefined, delta: undefined, mode: "paper", firstQueries: 5, firstClicks: 5 }
    const { release, log } = await releaseLog(town, { ...choices, noiseScale: "2", cutoff: 20 })
    const states = statesOf(await verify({ release, log }, context()))
    expect(states).toMatchObject({ manifest: "passed", proof: "failed", "noise-original": "not checked" })
    expect(release.manifest.guarantee).toMatchObject({ epsilon: "7", delta: "1", mode: "paper" })
  })
})

const unheard = (size: number) => Array.from({ length: size }, (_, i) => `unheard ${String(i).padStart(6, "0")}`)

function withoutFirstRow(table: TablesDraft["tables"][string]): TablesDraft["tables"][string] {
  return {
    rows: table.rows - 1,
    columns: table.columns.map((column) =>
      "values" in column ? { ...column, values: column.values.slice(1) } : { ...column, ids: column.ids.slice(1) },
    ),
  }
}
