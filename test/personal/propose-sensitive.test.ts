import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { costLayer } from "#dist/personal/cost-layer.js"
import { emptyStore, markNever, markSensitive } from "#dist/personal/personal-store.js"
import { proposeSensitive } from "#dist/personal/propose-sensitive.js"
import { shownInFull } from "#dist/personal/shown-in-full.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { taxonomyOf } from "../support/synthetic-profiles.ts"

const wordNet = await openTaxonomy(undefined, {}, createContext({ workers: 1 }))
const storeOf = (taxonomy: typeof wordNet, paths: readonly string[]) => {
  const store = emptyStore(taxonomy)
  for (const path of paths) store.interests.add(taxonomy.find(path), { day: 0 })
  return store
}

describe("topics that may be sensitive", () => {
  test("are found by name in WordNet, the topmost of each branch, by kind", () => {
    const illness = "state/condition/physical condition/pathological state/ill health/illness"
    const store = storeOf(wordNet, [
      `${illness}/disease`,
      illness,
      "artifact/drug/medicine",
      "group/social group/organization/party",
      "cognition/content/belief/religion/christianity",
      "act/sexual activity/homosexuality",
      "possession/liabilities/debt/loan",
      "food/beverage/coffee",
      "event/social event/affair/party",
      "person/adult",
    ])
    expect(proposeSensitive(store).map(({ kind, path }) => `${kind}: ${path}`)).toEqual([
      "health: state/condition/physical condition/pathological state",
      "health: artifact/drug",
      "politics: group/social group/organization/party",
      "religion: cognition/content/belief/religion",
      "sexuality: act/sexual activity",
      "money: possession/liabilities/debt",
    ])
  })

  test("are found in imported trees, however names are written", () => {
    const paths = [
      "Health/Conditions_and_Diseases/Cancer",
      "Society/Religion_&_Spirituality/Islam",
      "Society/Gay,_Lesbian,_and_Bisexual",
      "Adult/Arts",
      "Home/Personal_Finance/Taxes",
      "Society/Politics",
      "Arts/Adult",
    ]
    const store = storeOf(taxonomyOf(Object.fromEntries(paths.map((path) => [path, 1]))), paths)
    expect(proposeSensitive(store).map(({ kind, path }) => `${kind}: ${path}`)).toEqual([
      "health: Health",
      "politics: Society/Politics",
      "religion: Society/Religion_&_Spirituality",
      "sexuality: Adult",
      "sexuality: Society/Gay,_Lesbian,_and_Bisexual",
      "money: Home/Personal_Finance",
    ])
  })

  test("are not proposed if something on the same path is already marked", () => {
    const paths = ["Health/Cancer", "Society/Politics/Parties", "Society/Religion/Islam"]
    const taxonomy = taxonomyOf(Object.fromEntries(paths.map((path) => [path, 1])))
    const store = storeOf(taxonomy, paths)
    markSensitive(store, taxonomy.find("Health/Cancer"), 1)
    markSensitive(store, taxonomy.find("Society/Politics"), 1)
    markNever(store, taxonomy.find("Society"), true)
    expect(proposeSensitive(store)).toEqual([])
  })
})

test("topics that may be shown in full are those whose share is within every bound", () => {
  const paths = Array.from({ length: 10 }, (_, i) => `t${i}`)
  const taxonomy = taxonomyOf(Object.fromEntries(paths.map((path) => [path, 1])))
  const store = storeOf(taxonomy, paths)
  for (const path of paths) markSensitive(store, taxonomy.find(path), 1)
  const costs = costLayer(store.interests.profile(), store.sensitive)
  expect(shownInFull(costs, [0.1, 0.3])).toHaveLength(10)
  expect(shownInFull(costs, [0.1, 0.09])).toEqual([])
  markSensitive(store, taxonomy.find("t0"), 5)
  const uneven = costLayer(store.interests.profile(), store.sensitive)
  expect(shownInFull(uneven, [0.3]).map(({ path }) => path)).toEqual(paths.slice(1))
})
