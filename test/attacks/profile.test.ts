import { describe, expect, test } from "vitest"
import { type AttackOptions, attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { animalTaxonomy, topicsOf } from "../support/animal-log.ts"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { write, fresh } = scratchFolder()

const raw = { method: "equality", k: 1, scrub: "none", users: "pseudonym", time: "exact" } as const

async function profileOf(
  path: string,
  options: MethodChoice,
  given: { audit?: boolean; values?: AttackOptions["values"] } = {},
) {
  const { subject, audit } = await draftOf(path, options)
  const context = createContext({ workers: 1, seed: 3 })
  const whole = given.audit === true ? { ...subject, audit } : subject
  return attack(whole, { only: ["profile"], values: given.values ?? {} }, context)
}

/** Searches a minute apart. The first six are the earlier part. */
const searches = (...given: [user: string, query: string][]): Search[] =>
  given.map(([user, query], i) => ({ user, query, time: timeAfter(i * 60) }))

const small = searches(
  ["a", "red car"],
  ["b", "red bike"],
  ["c", "green tea"],
  ["a", "car red"],
  ["b", "blue"],
  ["c", "tea"],
  ["a", "red car wash"],
  ["b", "blue bike"],
  ["c", "coffee"],
)

describe("the profile attack", () => {
  test("scores a small log as by hand", async () => {
    // red car wash: a scores 2/√6 twice, b scores 0.6 · 1/√6. Right, with confidence (1 − 0.6 · ½) = 0.7. blue bike:
    // only b, with confidence 1. coffee: nobody, so each of three by chance, at rank 1, 2 or 3.
    const scores = valuesOf(await profileOf(write(aolText(small)), raw))
    for (const unit of ["record", "name"]) {
      expect(scores[`profile/${unit}`]).toBeCloseTo((1 + 1 + 1 / 3) / 3, 12)
      expect(scores[`profile/${unit}-mrr`]).toBeCloseTo((1 + 1 + (1 + 1 / 2 + 1 / 3) / 3) / 3, 12)
      expect(scores[`profile/${unit}-recall@90`]).toBeCloseTo(2 / 3, 12)
      expect(scores[`profile/${unit}-control`]).toBe(0)
    }
  })

  test("shows what naming only the surest gives, with at most one point per hundredth", async () => {
    const outcomes = await profileOf(write(aolText(small)), raw)
    const scores = outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
    const series = scores.find(({ name }) => name === "profile/record-recall@90")?.series
    expect(series?.columns).toEqual(["confidence", "named", "precision", "recall"])
    const [confidence, named, right] = [0, 1, 3].map((column) =>
      [0, 1, 2].map((row) => Number(series?.cell(row, column))),
    )
    expect(confidence).toEqual([1, 0.7, 0])
    expect(named).toEqual([1 / 3, 2 / 3, 1])
    expect(right?.[1]).toBeCloseTo(2 / 3, 12)
    expect(series?.rows).toBe(3)
  })

  test("shows how often it names people who are not in the release", async () => {
    // d searched for a coffee shop and never came back. So c's coffee goes to d, and c is one of three at ranks 2, 3
    // and 4.
    const log = write(aolText([{ user: "d", query: "coffee shop", time: timeAfter(-60) }, ...small]))
    const outcomes = await profileOf(log, raw, { values: { profileSplit: 0.7 } })
    const scores = valuesOf(outcomes)
    expect(scores["profile/record"]).toBeCloseTo(2 / 3, 12)
    expect(scores["profile/record-mrr"]).toBeCloseTo((1 + 1 + (1 / 2 + 1 / 3 + 1 / 4) / 3) / 3, 12)
    expect(scores["profile/record-recall@90"]).toBe(0)
    expect(scores["profile/record-control"]).toBeCloseTo(1 / 3, 12)
    const control = outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
    expect(control.find(({ name }) => name === "profile/record-control")?.baseline).toBe(1 / 4)
    expect(control.find(({ name }) => name === "profile/record")?.baseline).toBe(1 / 4)
  })

  test("joins all that a name shows of the later time", async () => {
    const log = write(aolText([...small, { user: "c", query: "iced tea", time: timeAfter(600) }]))
    // coffee alone says nothing. With iced tea, the name of c is found.
    const scores = valuesOf(await profileOf(log, raw, { values: { profileSplit: 0.6 } }))
    expect(scores["profile/record"]).toBeCloseTo((1 + 1 + 1 / 3 + 1) / 4, 12)
    expect(scores["profile/name"]).toBe(1)
  })

  test("counts the clicks of one search once, and finds words where a script has no spaces", async () => {
    const clicks = (search: Search): Search[] => [
      { ...search, rank: 1, url: "http://one.example" },
      { ...search, rank: 2, url: "http://two.example" },
    ]
    const tokyo = searches(
      ["a", "東京天気"],
      ["b", "大阪旅行"],
      ["a", "天気予報"],
      ["b", "旅行"],
      ["a", "東京"],
      ["b", "大阪"],
    )
    const outcomes = await profileOf(write(aolText(tokyo.flatMap(clicks))), raw)
    const [record] = outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
    expect(record).toMatchObject({ name: "profile/record", value: 1, n: 2 })
  })
})

describe("on a synthetic log of many people", () => {
  const path = `${fresh()}.tsv`
  const made = synthLog(path, { rows: 30_000, users: 400 })
  const scoresOf = async (...given: Parameters<typeof profileOf>) =>
    new Map(
      (await profileOf(...given)).flatMap((outcome) =>
        "scores" in outcome ? outcome.scores.map((score) => [score.name, score] as const) : [],
      ),
    )
  const low = (score?: { interval?: [number, number] }) => score?.interval?.[0] ?? 0

  test("people whose names last are linked far above chance, with the audit and without it alike", async () => {
    await made
    const values = { profileTargets: 400 }
    const [own, audited] = [await scoresOf(path, raw, { values }), await scoresOf(path, raw, { values, audit: true })]
    for (const scores of [own, audited]) {
      for (const name of ["profile/record", "profile/name"]) {
        const score = scores.get(name)
        expect(low(score)).toBeGreaterThan(20 * (score?.baseline ?? 1))
      }
      expect(low(scores.get("profile/name"))).toBeGreaterThan(0.1)
    }
    const [without, given] = [own.get("profile/name")?.value ?? 0, audited.get("profile/name")?.value ?? 1]
    // Both cover nearly all names, drawn twice. The difference is chance.
    expect(Math.abs(without - given)).toBeLessThan(0.1)
  })
})

test("with the truth of another log it is right as often as chance: what it finds is in the texts", async () => {
  // Each of thirty people has words of their own, and comes back to them.
  const people = Array.from({ length: 30 }, (_, person) =>
    Array.from({ length: 6 }, (_, i): Search => {
      return { user: `u${person}`, query: `word${person} ${i}`, time: timeAfter(i * 86_400 + person) }
    }),
  ).flat()
  const { subject, audit } = await draftOf(write(aolText(people)), raw)
  const score = async (given: typeof audit) => {
    const outcomes = await attack(
      { ...subject, audit: given },
      { only: ["profile"] },
      createContext({ workers: 1, seed: 3 }),
    )
    return valuesOf(outcomes)["profile/name"]
  }
  expect(await score(audit)).toBe(1)
  const names = new Map<string, string>()
  const swapped = {
    ...audit,
    /** Replaces every user by the next one of the trail. */
    async *rows(name: string, columns: readonly string[]) {
      const trail: string[][] = []
      for await (const row of audit.rows(name, columns)) trail.push(row)
      const lines = [...new Set(trail.map(([, , user = ""]) => user))]
      lines.forEach((line, i) => {
        names.set(line, lines[(i + 1) % lines.length] ?? "")
      })
      for (const [row = "", search = "", user = ""] of trail) yield [row, search, names.get(user) ?? ""]
    },
  }
  expect(await score(swapped)).toBe(0)
})

test("with random users it is right as often as chance, and no more often", async () => {
  const random = createContext({ seed: 11 }).random
  const log = write(
    aolText(
      Array.from({ length: 6000 }, (_, i) => {
        const query = `w${random.below(300)} w${random.below(300)}`
        return { user: `u${random.below(40)}`, query, time: timeAfter(i * 300) }
      }),
    ),
  )
  const outcomes = await profileOf(log, { ...raw, users: "session" })
  for (const { name, interval = [1, 1], baseline, n } of outcomes.flatMap((o) => ("scores" in o ? o.scores : []))) {
    if (name !== "profile/record" && name !== "profile/name") continue
    expect(baseline).toBe(1 / 40)
    expect(n).toBeGreaterThan(1000)
    // 95 % intervals: with other seeds, each of the two would miss one time in twenty.
    expect(interval[0]).toBeLessThanOrEqual(1 / 40)
    expect(interval[1]).toBeGreaterThanOrEqual(1 / 40)
  }
})

test("knows which concepts stand above the nouns of a profile", async () => {
  const log = searches(
    ["a", "poodle"],
    ["b", "violin"],
    ["a", "cheap dachshund"],
    ["b", "my cello"],
    ["a", "terrier"],
    ["b", "guitar"],
  )
  const others = ["spaniel", "collie", "lute", "harp"].map((query, i): Search => {
    return { user: `x${i}`, query, time: timeAfter(600 + i) }
  })
  const options = { method: "wordnet", scrub: "none", users: "pseudonym", time: "exact" } as const
  const values = { profileSplit: 0.4 }
  const value = async (k: number) =>
    valuesOf(await profileOf(write(aolText([...log, ...others])), { ...options, k }, { audit: true, values }))
  // With k = 1 every query keeps its own concept, which no earlier query has. One of two people is right by chance.
  expect(await value(1)).toMatchObject({ "profile/record": 1 / 2, "profile/name": 1 / 2 })
  // With k = 2 it has a coarser concept, which leads to the people who searched for such things before.
  expect(await value(2)).toMatchObject({ "profile/record": 1, "profile/name": 1 })
})

describe("without the audit", () => {
  const animals = Array.from({ length: 240 }, (_, i): Search => {
    const kind = ["dog", "cat", "horse"][i % 3]
    return { user: `u${i % 12}`, query: `${kind} ${Math.floor(i / 3)}`, time: timeAfter(i * 600) }
  })
  const path = write(aolText(animals))
  const topics = { taxonomy: write(animalTaxonomy, "tree.tsv"), classifier: write(topicsOf(animals), "topics.tsv") }
  const units = async (...given: Parameters<typeof profileOf>) => Object.keys(valuesOf(await profileOf(...given)))

  test("names are linked only if their user and time are known", async () => {
    const both = ["record", "name"].flatMap((unit) =>
      ["", "-mrr", "-recall@90", "-control"].map((end) => `profile/${unit}${end}`),
    )
    const records = both.slice(0, 4)
    const swap = { method: "swap", k: 2, depth: "1", scrub: "none", ...topics } as const
    expect(await units(path, { ...raw, time: "hour", users: "session" })).toEqual(both)
    expect(await units(path, { ...raw, users: "drop" })).toEqual(records)
    expect(await units(path, { ...raw, time: "drop" })).toEqual(records)
    expect(await units(path, { ...raw, time: "drop" }, { audit: true })).toEqual(both)
    expect(await units(path, swap)).toEqual(records)
    expect(await units(path, swap, { audit: true })).toEqual(both)
    expect(await units(path, { ...swap, users: "keep" })).toEqual(both)
  })
})

test("a trail of another log is refused, and a release without a row links nobody", async () => {
  const [path, other] = [write(aolText(small)), write(aolText([...small].reverse()))]
  const { audit, subject } = await draftOf(path, raw)
  const { log } = (await draftOf(other, raw)).subject
  const context = createContext({ workers: 1, seed: 1 })
  await expect(attack({ ...subject, log, audit }, { only: ["profile"] }, context)).rejects.toMatchObject({
    code: "audit-broken",
  })
  const nothing = (await profileOf(path, { ...raw, k: 9 })).flatMap((o) => ("scores" in o ? o.scores : []))
  expect(nothing).toHaveLength(8)
  expect(nothing[0]).toMatchObject({ name: "profile/record", value: 0, n: 0, interval: [0, 1] })
})

test("a log that lacks what the release shows is refused, because its people would be in no score", async () => {
  for (const method of [raw, { ...raw, time: "drop" } as const]) {
    const { subject } = await draftOf(write(aolText(small)), method)
    const context = createContext({ workers: 1, seed: 1 })
    const attackWith = async (searches: Search[]) => {
      const { log } = (await draftOf(write(aolText(searches)), raw)).subject
      return attack({ ...subject, log }, { only: ["profile"] }, context)
    }
    expect(valuesOf(await attackWith(small))).toHaveProperty("profile/record")
    const other = small.map((search) => ({ ...search, query: `${search.query} x` }))
    await expect(attackWith(other)).rejects.toMatchObject({ code: "input-foreign" })
  }
})

test("a trail that was altered is refused rather than finding nobody", async () => {
  const { audit, subject } = await draftOf(write(aolText(small)), raw)
  const trail: string[][] = []
  for await (const row of audit.rows("trail", ["row", "query_row", "user_row"])) trail.push(row)
  const altered = (change: (row: string[], i: number) => string[]) => ({
    ...audit,
    async *rows() {
      yield* trail.map(change)
    },
  })
  const attackWith = (given: typeof audit) =>
    attack({ ...subject, audit: given }, { only: ["profile"] }, createContext({ workers: 1, seed: 1 }))
  expect(valuesOf(await attackWith(altered((row) => row)))["profile/name"]).toBeCloseTo(7 / 9, 12)
  const alterations: Parameters<typeof altered>[0][] = [
    () => trail[0] ?? [], // the same row repeated
    ([row = "", , user = ""]) => [row, "", user], // rows that nobody issued
    ([row = "", search = ""]) => [row, search, ""], // names that belong to nobody
    ([row = "", search = ""], i) => [row, search, trail[(i + 1) % trail.length]?.[2] ?? ""], // names of several users
  ]
  for (const change of alterations) {
    await expect(attackWith(altered(change))).rejects.toMatchObject({ code: "audit-broken" })
  }
})

test("a log whose searches crowd into one day is split within it", async () => {
  // Nearly all searches of five days are on the last afternoon, or on the first morning, so a midnight leaves one part
  // empty. Times are hours from a noon.
  for (const start of [5 * 24 + 3, -10]) {
    const ends = [-12, 5 * 24 + 11].map(
      (hour): Search => ({ user: "u0", query: "word0", time: timeAfter(hour * 3600) }),
    )
    const crowd = Array.from({ length: 90 }, (_, i): Search => {
      return { user: `u${i % 3}`, query: `word${i % 3} ${i}`, time: timeAfter(start * 3600 + i * 120) }
    })
    const scores = valuesOf(await profileOf(write(aolText([...ends, ...crowd])), raw))
    expect(scores).toMatchObject({ "profile/record": 1, "profile/name": 1 })
  }
})

test("says why it has nothing to link", async () => {
  const log = write(aolText(small.slice(0, 6).map((search, i) => ({ ...search, user: `u${i}` }))))
  expect(reasonsOf(await profileOf(log, raw))).toEqual(["nobody searched both before and after the split"])
  const path = write(aolText(small))
  expect(reasonsOf(await profileOf(path, { method: "wordnet", k: 1, scrub: "none" }))).toEqual([
    "needs to know which search each concept stands for (--audit DIR)",
  ])
})
