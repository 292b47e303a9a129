import { describe, expect, test } from "vitest"
import { ExposureHistory, type ExposureRecord, type LayerCopy, layerId } from "#dist/personal/exposure-history.js"
import { taxonomyStamp } from "#dist/personal/taxonomy-stamp.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import { findLateMarks } from "#dist/verify/late-marks.js"
import type { Check } from "#dist/verify/verifier.js"
import { sampleTree } from "./sample-tree.ts"

const taxonomy = await sampleTree().open()
const [harmonica, figure] = ["Arts/Music/Instrument/Harmonica", "Sports/Ice skating/Figure"]
const layer: LayerCopy = {
  taxonomy: taxonomyStamp(taxonomy),
  sensitive: [
    [harmonica, 1],
    [figure, 1],
  ],
}
const hiding: LayerCopy = { ...layer, never: ["Science/Birds"] }
const music = ["", "Arts", "Arts/Music", "Arts/Music/Instrument"]
const skating = ["", "Sports", "Sports/Ice skating"]
const support = 1

const honest: Omit<ExposureRecord, "layer"> = {
  time: 0,
  engine: "one",
  session: "monday",
  delta: 1,
  sessionDelta: 1,
  lifetimeDelta: 0.4,
  relevant: ["Arts/Music/Instrument/Piano", "Sports/Ice skating/Speed", "Science/Birds/Owls", figure].map((path) => ({
    path,
    probability: 0.25,
    support,
  })),
  exposed: music,
}

function historyOf(records: readonly Partial<ExposureRecord>[], copy = layer): ExposureHistory {
  const history = new ExposureHistory()
  for (const record of records) history.add({ ...honest, ...record }, copy)
  return history
}
const checkOf = (history: ExposureHistory, name: string): Check | undefined =>
  verifyExposures({ taxonomy, history }).find((check) => check.name === name)

// By hand: Instrument has a support of 20, Harmonica 5; Ice skating 30, Figure 15. Each of the two sensitive topics is
// a half.
const musicRisk = 5 / 20 / 2
const skatingRisk = 15 / 30 / 2

describe("the lifetime bound, replayed", () => {
  const days = [{ session: "monday" }, { session: "tuesday", exposed: skating, lifetimeDelta: musicRisk + skatingRisk }]

  test("passes at exactly what the engine was shown on all days together, and fails just below", () => {
    expect(checkOf(historyOf(days), "lifetime")).toMatchObject({ state: "passed", value: musicRisk + skatingRisk })
    const tight = days.map((record) => ({ ...record, lifetimeDelta: musicRisk + skatingRisk - 1e-6 }))
    expect(checkOf(historyOf(tight), "lifetime")).toMatchObject({ state: "failed", row: 2 })
    expect(checkOf(historyOf(tight), "union")).toMatchObject({ state: "passed" }) // each day by itself
    const apart = tight.map((record, i) => ({ ...record, engine: `engine ${i}` }))
    expect(checkOf(historyOf(apart), "lifetime")).toMatchObject({ state: "passed" })
  })

  test("fails if a day's exposures are assigned to another engine, or the bound is raised too little", () => {
    const tight = days.map((record) => ({ ...record, lifetimeDelta: 0.3 }))
    expect(checkOf(historyOf(tight), "lifetime")).toMatchObject({ state: "failed", row: 2, bound: 0.3 })
  })

  test("counts a sensitive topic that the profile no longer has", () => {
    const gone: LayerCopy = { ...layer, gone: [["Science/Birds/Owls", 2]] }
    const birds = ["", "Science", "Science/Birds", "Science/Birds/Owls"]
    const records = [{ exposed: birds, lifetimeDelta: 1 }, { lifetimeDelta: 0.5 }]
    // Owls weigh 2 of 4. With the instrument that is 0.5 plus a sixteenth.
    expect(checkOf(historyOf(records, gone), "lifetime")).toMatchObject({ state: "failed", row: 2, value: 0.5625 })
    expect(checkOf(historyOf(records, layer), "lifetime")).toMatchObject({ state: "passed" })
  })

  test("fails if a topic was removed from an engine's account", () => {
    const whole = historyOf(days)
    const tampered = new ExposureHistory()
    tampered.restore({ records: whole.records, layers: whole.layers, deleted: [] })
    const { shownTo } = tampered.accounts
    tampered.accounts.shownTo = (engine) => new Set([...shownTo.call(tampered.accounts, engine)].slice(0, -1))
    expect(checkOf(tampered, "lifetime")).toMatchObject({
      state: "failed",
      row: 2,
      detail: expect.stringMatching(/lacks/),
    })
  })

  test("still counts what deleted exposures showed, and is not checked where their times are needed", () => {
    const history = historyOf([
      { exposed: skating, lifetimeDelta: 0.3, time: 86_400 },
      { lifetimeDelta: 0.3, time: 2 * 86_400, engine: "two" },
    ])
    history.deleteDay(1)
    history.add({ ...honest, lifetimeDelta: 0.2 }, layer)
    expect(checkOf(history, "lifetime")).toMatchObject({
      state: "not checked",
      detail: expect.stringMatching(/1 pass only/),
    })
    history.delete(({ engine }) => engine === "one")
    history.add({ ...honest, lifetimeDelta: 0.4 }, layer)
    expect(checkOf(history, "lifetime")).toMatchObject({ state: "passed" })
  })
})

describe("the mark never show, replayed", () => {
  const birds = ["", "Science", "Science/Birds", "Science/Birds/Owls"]

  test("passes if nothing of it was shown, and fails at the exposure that has it or something below it", () => {
    expect(checkOf(historyOf([{}], hiding), "never")).toMatchObject({ state: "passed" })
    for (const exposed of [birds, birds.slice(0, 3)])
      expect(checkOf(historyOf([{}, { exposed }], hiding), "never")).toMatchObject({ state: "failed", row: 2 })
    expect(checkOf(historyOf([{ exposed: birds.slice(0, 2) }], hiding), "never")).toMatchObject({ state: "passed" })
    const unmarkedThen = historyOf([{ exposed: birds }], layer)
    expect(checkOf(unmarkedThen, "never")).toMatchObject({ state: "passed" })
  })

  test("cannot be removed from the layer afterwards", () => {
    const record = { ...honest, exposed: birds, layer: layerId(hiding) }
    for (const changed of [layer, { ...hiding, never: ["Adults"] }]) {
      const history = new ExposureHistory()
      history.restore({ records: [record], layers: [[record.layer, changed]], deleted: [] })
      expect(checkOf(history, "layers")).toMatchObject({ state: "failed" })
      expect(checkOf(history, "never")).toMatchObject({ state: "not checked" })
    }
  })
})

describe("the bound that counts queries, replayed", () => {
  test("adds what queries told about topics that were not shown", () => {
    const told = [[figure, 0.8]] as const
    // The engine knows of the instrument (an eighth), and of figure skating with 0.8 of a half.
    const risk = musicRisk + 0.4
    const check = (queryDelta: number) => checkOf(historyOf([{ queryDelta, told }]), "queries")
    expect(check(risk + 1e-6)).toMatchObject({ state: "passed", value: expect.closeTo(risk, 12) })
    expect(check(risk - 1e-6)).toMatchObject({ state: "failed", row: 1 })
    expect(checkOf(historyOf([{}]), "queries")).toMatchObject({
      state: "passed",
      detail: expect.stringMatching(/no bound/),
    })
  })
})

describe("late marks", () => {
  const path = "Sports/Ice skating"

  test("are found with the first day on which the topic was shown unmarked, by engine", () => {
    const history = historyOf([
      { exposed: skating, time: 5 * 86_400 },
      { exposed: skating, time: 86_400 },
      { engine: "two" },
    ])
    expect(findLateMarks(history, { sensitive: [path], never: [] })).toEqual([
      { path, mark: "sensitive", engine: "one", time: 86_400 },
    ])
    expect(findLateMarks(history, { sensitive: ["Adults"], never: ["Sports"] })).toEqual([
      { path: "Sports", mark: "never", engine: "one", time: 86_400 },
    ])
    history.delete(() => true)
    expect(findLateMarks(history, { sensitive: [path], never: [] })).toMatchObject([{ time: null }])
  })

  test("are not topics that were marked, themselves or above, when they were shown", () => {
    const copy: LayerCopy = { ...layer, sensitive: [["Sports", 1]] }
    const history = historyOf([{ exposed: skating }], copy)
    expect(findLateMarks(history, { sensitive: [path, "Sports"], never: [] })).toEqual([])
  })
})

test("no risk is reported instead of 0 if nothing was sensitive", () => {
  const history = historyOf([{}, {}], { ...layer, sensitive: [] })
  for (const name of ["risk", "union", "lifetime"]) {
    const check = checkOf(history, name)
    expect(check).toMatchObject({ state: "passed", detail: "no risk is counted for 2: nothing was marked sensitive" })
    expect(check).not.toHaveProperty("value")
  }
})
