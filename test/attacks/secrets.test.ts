import { describe, expect, test } from "vitest"
import { attack } from "#dist/attacks/registry.js"
import { releaseLog } from "../counts/busy-town.ts"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

/** Twelve people search for the weather and one e-mail address. One also searches for a card, twice. */
const rows = Array.from({ length: 12 }, (_, person): Search[] => [
  { user: `${person}`, query: "weather", time: timeAfter(0) },
  { user: `${person}`, query: "write to info@town.example", time: timeAfter(60) },
  ...(person === 0
    ? [
        { user: "0", query: "4111 1111 1111 1111", time: timeAfter(90) },
        { user: "0", query: "4111 1111 1111 1111", time: timeAfter(9000) },
      ]
    : []),
]).flat()
const file = write(aolText(rows), "log.tsv")
const only = ["secrets"] as const

describe("identifiers that are found by their pattern", () => {
  test("are counted without any truth: by query, by search, and by kind", async () => {
    const { subject, context } = await draftOf(file, { method: "equality", k: 3, scrub: "none" })
    expect(valuesOf(await attack(subject, { only }, context))).toMatchObject({
      "secrets/pattern": 1 / 2,
      "secrets/pattern-searches": 12 / 14,
      "secrets/pattern-released": 1 / 2,
      "secrets/pattern/email": 1,
      "secrets/pattern/card": 0,
    })
  })

  test("do not survive scrubbing", async () => {
    const { subject, context } = await draftOf(file, { method: "equality", k: 3 })
    const values = Object.values(valuesOf(await attack(subject, { only }, context)))
    expect(values.length).toBeGreaterThan(0)
    expect(values.every((value) => value === 0)).toBe(true)
  })

  test("are searched for in tables too, and so are planted secrets", async () => {
    const truth = { secrets: [2, 3, 4].map((line) => ({ line, kind: ["", "", "known", "mail", "card"][line] ?? "" })) }
    const choices = { epsilon: "4000", delta: "1e-3", maxQueries: 2, maxClicks: 1, maxTransitions: 1, minUsers: 2 }
    const { release, log, context } = await releaseLog(file, { ...choices, scrub: "none" })
    expect(valuesOf(await attack({ release, log, truth }, { only }, context))).toMatchObject({
      secrets: 2 / 3,
      "secrets/known": 1,
      "secrets/mail": 1,
      "secrets/card": 0,
      "secrets/pattern": 1 / 2,
      "secrets/pattern/email": 1,
    })
  })

  test("are judged by names that few searched for: a name that many know may be famous", async () => {
    const names = [...rows, ...rows.map((row) => ({ ...row, query: "marie curie" }))]
    const rare = { user: "3", query: "marie sklodowska phone number", time: timeAfter(120) }
    const named = write(aolText([...names, rare]), "names.tsv")
    const { subject, context } = await draftOf(named, { method: "equality", k: 1, scrub: "none" })
    const found = await attack(subject, { only }, context)
    expect(valuesOf(found)).toMatchObject({ "secrets/pattern/person": 1, "secrets/rare-names": 1 })
    const strict = await draftOf(named, { method: "equality", k: 3, scrub: "none" })
    expect(valuesOf(await attack(strict.subject, { only }, context))).toMatchObject({
      "secrets/pattern/person": 1 / 2,
      "secrets/rare-names": 0,
    })
  })

  test("are not searched for among concepts, which are not queries", async () => {
    const { subject, context } = await draftOf(file, { method: "wordnet", k: 2 })
    expect(reasonsOf(await attack(subject, { only }, context))).toEqual(["the release has concepts, not queries"])
  })
})
