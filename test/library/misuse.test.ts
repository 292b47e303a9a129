import {
  type AttackName,
  anonymize,
  attack,
  inspectLog,
  type MeasureName,
  type MethodName,
  measure,
  openDraft,
  openDraftAudit,
  previewRelease,
  QueryveilError,
  type Release,
  readLog,
  readRelease,
  release,
  type SearchLog,
  verify,
  writeRelease,
  writeSynth,
} from "queryveil"
import type { ExtensionAttacks, ExtensionMeasures, ExtensionMethods } from "queryveil/extend"
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest"
import { attacks } from "#dist/attacks/registry.js"
import { measures } from "#dist/measures/registry.js"
import { methods } from "#dist/methods/registry.js"
import { studies } from "#dist/study/registry.js"
import { runStudy } from "#dist/study/run-study.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { publish, refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const path = write(aolText(smallTown()))
const input = readLog(path)
const log = input.then((read) => read.log)
const subject = log.then(async (own) => {
  const draft = await anonymize(own, { method: "equality", k: 2 })
  return { release: openDraft(draft), log: own, audit: openDraftAudit(draft) }
})

/** Never called. The build fails if one of the lines that expect an error compiles. */
async function mistakes(log: SearchLog, subject: { release: Release; log: SearchLog }): Promise<void> {
  // @ts-expect-error there is no such method
  await anonymize(log, { method: "equalty", k: 10 })
  // @ts-expect-error the option is k
  await anonymize(log, { method: "equality", K: 10 })
  // @ts-expect-error a number is wanted
  await anonymize(log, { method: "equality", k: "ten" })
  // @ts-expect-error an option of another method
  await anonymize(log, { method: "counts", theta: 0.9 })
  // @ts-expect-error no such value
  await anonymize(log, { method: "swap", users: "week" })
  // @ts-expect-error a value that other methods have
  await anonymize(log, { method: "groups", users: "session" })
  // @ts-expect-error the only preset is paper
  await anonymize(log, { method: "equality", preset: "papr" })
  // @ts-expect-error there is no such method
  await previewRelease(log, { method: "count" })
  // @ts-expect-error there is no such attack
  await attack(subject, { only: ["proifle"] })
  // @ts-expect-error there is no such option
  await attack(subject, { values: { profileTragets: 10 } })
  // @ts-expect-error the option is only
  await attack(subject, { onyl: ["profile"] })
  // @ts-expect-error an attack is no measure
  await measure(subject, { only: ["profile"] })
  // @ts-expect-error the option is ledger
  await release(await input, { method: "counts", epsilon: 1, delta: 1e-6 }, { folder: "x", legder: { file: "y" } })
  // @ts-expect-error a release needs a folder
  await release(await input, { method: "equality" }, {})
  // @ts-expect-error there is no such format
  await release(await input, { method: "equality" }, { folder: "x", to: "xml" })
  await anonymize(log, { method: "counts", epsilon: 1, delta: 1e-6 })
  await anonymize(log, { method: "counts", epsilon: "0.1", delta: "1e-6" })
  await anonymize(log, { method: "swap", depth: 3, users: "cell" })
  await attack(subject, { only: ["profile"], values: { profileTargets: 10 }, seed: 1 })
  await measure(subject)
}

test("mistakes do not compile", () => {
  expectTypeOf(mistakes).toBeFunction() // the test is that this file compiles
})

/** A value as from a configuration file, of which the compiler knows nothing. */
const untyped = (value: object) => JSON.parse(JSON.stringify(value))

async function errorOf(promise: Promise<unknown>): Promise<QueryveilError> {
  const error = await refusal(promise)
  if (error instanceof QueryveilError) return error
  throw new Error("it was not refused", { cause: error })
}

async function errorOfCli(args: readonly string[]): Promise<{ code: string; message: string }> {
  const { stderr } = await runCli([...args, "--json"])
  return JSON.parse(stderr).error
}

describe("code without a compiler is refused as the command line is", () => {
  const release = ["anonymize", "equality", path, "-o", fresh()]
  const released = fresh()
  beforeAll(() => publish(path, released, { k: 2 }))

  test.each([
    [{ method: "equalty" }, ["anonymize", "equalty", path, "-o", fresh()], "unknown-name", /no method called equalty/],
    [{ method: "equality", K: 10 }, [...release, "--K", "10"], "option-unknown", /no option K\. Options: k,/],
    [
      { method: "equality", k: "ten" },
      [...release, "-k", "ten"],
      "option-value",
      /k ten: expected a whole number of at least 1 and at most 1000000000\.$/,
    ],
    [
      { method: "equality", users: "week" },
      [...release, "--users", "week"],
      "option-value",
      /users week: expected one of session, day, pseudonym, drop, keep\.$/,
    ],
    [
      { method: "equality", preset: "papr" },
      [...release, "--preset", "papr"],
      "option-value",
      /preset papr: expected one of paper\.$/,
    ],
    [
      { method: "counts", epsilon: "much", delta: 1e-6 },
      ["anonymize", "counts", path, "-o", fresh(), "--epsilon", "much", "--delta", "1e-6"],
      "option-value",
      /^--epsilon much: expected a decimal number of more than 0\.$/,
    ],
  ])("anonymize %o", async (choice, args, code, message) => {
    const [error, told] = [await errorOf(anonymize(await log, untyped(choice))), await errorOfCli(args)]
    expect([error.code, told.code]).toEqual([code, code])
    expect(error.message).toMatch(message)
    if (code === "option-value") expect(told.message).toMatch(message) // the same words, after -- or not
  })

  test.each([
    [{ only: ["proifle"] }, ["--only", "proifle"], "unknown-name", /^Unknown name: proifle\. Known: /],
    [{ values: { profileTragets: 9 } }, ["--profile-tragets", "9"], "option-unknown", /profile-?[tT]ragets/],
    [{ onyl: ["profile"] }, ["--onyl", "profile"], "option-unknown", /onyl/],
    [
      { only: ["profile"], values: { profileTargets: 0 } },
      ["--only", "profile", "--profile-targets", "0"],
      "option-value",
      /profile-?[tT]argets 0: expected a whole number of at least 1 and at most 10000000\.$/,
    ],
  ])("attack %o", async (options, flags, code, message) => {
    const error = await errorOf(attack(await subject, untyped(options)))
    const told = await errorOfCli(["attack", released, "--against", path, ...flags])
    expect([error.code, told.code]).toEqual([code, code])
    for (const one of [error, told]) expect(one.message).toMatch(message)
    if (code === "unknown-name") expect(error.message).toBe(told.message)
  })

  test("measure, with the name of an attack", async () => {
    expect(await errorOf(measure(await subject, untyped({ only: ["profile"] })))).toMatchObject({
      code: "unknown-name",
    })
  })

  test("and no message repeats a list, which may hold queries", async () => {
    const error = await errorOf(anonymize(await log, untyped({ method: "affinity", queries: ["a rare disease"] })))
    expect(error).toMatchObject({ code: "option-value", message: "affinity: queries (a list): expected text." })
  })
})

test("ε and δ as numbers give the same release parameters as text", async () => {
  const draft = async (epsilon: number | string, delta: number | string) =>
    (await anonymize(await log, { method: "counts", epsilon, delta })).manifest
  const [numbers, text, short] = [await draft(0.5, 1e-6), await draft("0.5", "0.000001"), await draft("0.5", "1e-6")]
  expect(numbers.parameters).toEqual(text.parameters)
  expect(numbers.guarantee).toEqual(text.guarantee)
  expect([numbers.guarantee.epsilon, numbers.guarantee.delta]).toEqual([short.guarantee.epsilon, short.guarantee.delta])
})

test("an option that is undefined is left out", async () => {
  const { manifest } = await anonymize(await log, { method: "equality", k: undefined, users: undefined })
  expect(manifest.parameters).toMatchObject({ k: 10, users: "session" })
})

describe("names that the compiler knows", () => {
  /** A list that must be complete and have nothing else. */
  const allOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names).sort()
  const namesOf = (things: readonly { name: string }[]) => things.map(({ name }) => name).sort()

  test("are those of all methods", () => {
    const known = allOf<Exclude<MethodName, keyof ExtensionMethods>>({
      equality: true,
      affinity: true,
      wordnet: true,
      groups: true,
      swap: true,
      counts: true,
      profiles: true,
    })
    expect(namesOf(methods)).toEqual(known)
  })

  test("are those of all attacks and measures", () => {
    const ofAttacks = allOf<Exclude<AttackName, keyof ExtensionAttacks>>({
      secrets: true,
      injection: true,
      "known-query": true,
      linkage: true,
      profile: true,
      membership: true,
      intersection: true,
      "dp-audit": true,
      interests: true,
    })
    const ofMeasures = allOf<Exclude<MeasureName, keyof ExtensionMeasures>>({
      "events-kept": true,
      "queries-kept": true,
      "kept-per-user": true,
      "top-queries": true,
      "top-urls": true,
      ncp: true,
      "f-beta": true,
      "topic-distance": true,
      "profile-distance": true,
      "topic-loss": true,
      "shown-counts": true,
      retrieval: true,
      suggestions: true,
      perplexity: true,
      "unique-suppressed": true,
      "objects-changed": true,
      "member-distance": true,
    })
    expect([namesOf(attacks), namesOf(measures)]).toEqual([ofAttacks, ofMeasures])
  })
})

test("the context can be left out everywhere", async () => {
  const [read, folder, other] = [await input, fresh(), fresh()]
  expect((await inspectLog(read.log)).size.users).toBe(8)
  const draft = await anonymize(read.log, { method: "equality", k: 3 })
  expect(draft.manifest.seeded).toBe(false)
  await writeRelease(draft, other, { input: read })
  await release(read, { method: "equality", k: 3 }, { folder })
  for (const written of [await readRelease(folder), await readRelease(other)]) {
    if (written.kind !== "rows") throw new Error("rows are expected")
    expect((await written.log()).rows).toBeGreaterThan(0)
    const checks = await verify({ release: written, log: read.log })
    expect(checks.filter(({ state }) => state === "failed")).toEqual([])
    expect(await measure({ release: written, log: read.log }, { only: ["events-kept"] })).toHaveLength(1)
  }
  const counts = openDraft(await anonymize(read.log, { method: "counts", epsilon: 1, delta: 1e-6 }))
  expect(Object.keys(await counts.tables())).toContain("queries")
  expect((await previewRelease(read.log, { method: "counts", epsilon: 1, delta: 1e-6 })).table.rows).toBeGreaterThan(0)
  expect((await writeSynth(`${fresh()}.tsv`, { rows: 200, users: 10 })).rows).toBe(200)
  const study = studies.find(({ name }) => name === "equality")
  if (study === undefined) throw new Error("there is a study of equality")
  const run = { study, options: { k: [2] }, seed: 1, input: "", subject: { log: read.log } }
  expect(await runStudy(fresh(), run)).toMatchObject({ computed: 1 })
})
