import { describe, expect, test } from "vitest"
import { ExposureHistory, type ExposureRecord, type LayerCopy, layerId } from "#dist/personal/exposure-history.js"
import { taxonomyStamp } from "#dist/personal/taxonomy-stamp.js"
import { exposureRisk } from "#dist/verify/exposure-risk.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import type { Check } from "#dist/verify/verifier.js"
import { overall } from "#dist/verify/verifier.js"
import { sampleTree } from "./sample-tree.ts"

const taxonomy = await sampleTree().open()
const layer: LayerCopy = {
  taxonomy: taxonomyStamp(taxonomy),
  sensitive: [
    ["Arts/Music/Instrument/Harmonica", 1],
    ["Sports/Ice skating/Figure", 1],
  ],
}
const music = ["", "Arts", "Arts/Music", "Arts/Music/Artists"]
const skating = ["", "Sports", "Sports/Ice skating"]

const honest: Omit<ExposureRecord, "layer"> = {
  time: 0,
  engine: "one",
  session: "day",
  delta: 0.1,
  sessionDelta: 0.3,
  relevant: [
    { path: "Arts/Music/Artists/Eagles", probability: 0.6, support: 3 },
    { path: "Sports/Ice skating/Figure", probability: 0.3, support: 1 },
    { path: "Science/Birds/Eagles", probability: 0.1, support: 0 },
  ],
  exposed: music,
}

function historyOf(records: readonly Partial<ExposureRecord>[], copy = layer): ExposureHistory {
  const history = new ExposureHistory()
  for (const record of records) history.add({ ...honest, ...record }, copy)
  return history
}

/** The states of all checks, by name. */
function statesOf(history: ExposureHistory): Record<string, Check["state"]> {
  return Object.fromEntries(verifyExposures({ taxonomy, history }).map(({ name, state }) => [name, state]))
}

const allHold = {
  layers: "passed",
  taxonomy: "passed",
  "paths-only": "passed",
  rooted: "passed",
  never: "passed",
  risk: "passed",
  union: "passed",
  lifetime: "passed",
  queries: "passed",
}

describe("the risk that the verifier computes", () => {
  const riskOf = exposureRisk(taxonomy, layer)

  test("is the paper's, by hand: costs add up by public probability; a topic counts its cost or its children", () => {
    // sup: root 200, Music 60, Harmonica 5, Ice skating 30, Figure 15. cost(root) = 5/200 + 15/200, cost(Music) = 5/60.
    expect(riskOf(music)).toBeCloseTo(0.1 / 2, 12)
    expect(riskOf(skating)).toBeCloseTo(0.5 / 2, 12)
    expect(riskOf([...music, ...skating])).toBeCloseTo((5 / 60 + 0.5) / 2, 12)
    expect(riskOf(["", "Sports", "Sports/Ice skating", "Sports/Ice skating/Figure"])).toBeCloseTo(1 / 2, 12)
  })

  test("is 0 for nothing, the root's cost for the root, and 1 if all is shown", () => {
    expect(riskOf([])).toBe(0)
    expect(riskOf([""])).toBeCloseTo(0.05, 12)
    expect(riskOf(layer.sensitive.map(([path]) => path))).toBe(1)
    expect(exposureRisk(taxonomy, { ...layer, sensitive: [] })(music)).toBe(0)
  })
})

describe("a history", () => {
  test("that kept its promises passes, and so does an empty one", () => {
    expect(statesOf(historyOf([{}, { exposed: [] }, { exposed: skating, delta: 0.25, sessionDelta: 0.2917 }]))).toEqual(
      allHold,
    )
    expect(statesOf(new ExposureHistory())).toEqual(allHold)
  })

  test("fails at the exposure whose risk is above its δ", () => {
    const checks = verifyExposures({
      taxonomy,
      history: historyOf([{}, { exposed: skating, delta: 0.24, sessionDelta: 1 }]),
    })
    expect(checks.find(({ name }) => name === "risk")).toMatchObject({
      state: "failed",
      row: 2,
      value: 0.25,
      bound: 0.24,
    })
    expect(overall(checks)).toBe("failed")
  })

  test("fails if exposures are harmless one by one, but not together", () => {
    const second = { exposed: skating, delta: 0.25, sessionDelta: 0.29 }
    expect(statesOf(historyOf([{}, second]))).toEqual({ ...allHold, union: "failed" })
    // Another engine, or another session, has not seen the first.
    for (const other of [{ engine: "two" }, { session: "tomorrow" }])
      expect(statesOf(historyOf([{}, { ...second, ...other }]))).toEqual(allHold)
  })

  test("is judged by the marks at that time, not by later ones", () => {
    const history = historyOf([{ exposed: skating, delta: 0, sessionDelta: 0 }], { ...layer, sensitive: [] })
    expect(statesOf(history)).toEqual(allHold)
    history.add({ ...honest, exposed: music, sessionDelta: 0.29 }, layer)
    expect(statesOf(history)).toEqual({ ...allHold, union: "failed" })
  })

  test("fails if more was shown than the query asks for, or a topic without the topics above it", () => {
    const wrong = [
      ["", "Science", "Science/Birds"], // relevant, but not in the profile
      ["", "Arts", "Arts/Music", "Arts/Music/Instrument"], // in neither
      ["", "Arts/Music"],
      ["Arts"],
    ]
    for (const exposed of wrong)
      expect(statesOf(historyOf([{ exposed, delta: 1, sessionDelta: 1 }]))).toMatchObject({ rooted: "failed" })
  })

  test("fails if something other than paths was shown", () => {
    for (const path of ["Arts/Music:3", "Nowhere"]) {
      const history = historyOf([{ exposed: ["", "Arts", path], delta: 1, sessionDelta: 1 }])
      expect(statesOf(history)).toMatchObject({ "paths-only": "failed" })
    }
    const twice = historyOf([{ exposed: ["", ""], delta: 1, sessionDelta: 1 }])
    expect(statesOf(twice)).toMatchObject({ "paths-only": "failed" })
  })

  test("fails if a cost layer is missing or was changed, and cannot be replayed on another taxonomy", () => {
    const changed = new ExposureHistory()
    const record = { ...honest, layer: layerId(layer) }
    const harmless = { ...layer, sensitive: [["Adults", 1] as const] }
    changed.restore({ records: [record], layers: [[record.layer, harmless]], deleted: [] })
    expect(statesOf(changed)).toMatchObject({ layers: "failed", risk: "not checked" })
    const lost = new ExposureHistory()
    lost.restore({ records: [record], layers: [], deleted: [] })
    expect(statesOf(lost)).toMatchObject({ layers: "failed", risk: "not checked" })
    const other = historyOf([{}], { ...layer, taxonomy: "another" })
    expect(statesOf(other)).toMatchObject({
      layers: "passed",
      taxonomy: "not checked",
      risk: "not checked",
      union: "not checked",
    })
  })

  test("with deletions cannot verify the union any more", () => {
    const history = historyOf([{}, { time: 86_400 }])
    history.deleteDay(0)
    expect(statesOf(history)).toEqual({ ...allHold, union: "not checked" })
  })
})
