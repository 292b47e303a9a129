import { copyFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { layerId } from "#dist/personal/exposure-history.js"
import { PersonalSearch } from "#dist/personal/personal-search.js"
import { markSensitive } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { decodeStore } from "#dist/personal/store-json.js"
import { taxonomyStamp } from "#dist/personal/taxonomy-stamp.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import { overall } from "#dist/verify/verifier.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const { at } = scratchFolder()
const fixture = fileURLToPath(new URL("../fixtures/0.1/profile.qv", import.meta.url))

test("a profile that version 0.1 made is read, saved in the new form and read again", async () => {
  const taxonomy = await openTaxonomy(undefined, {}, createContext({ workers: 1 }))
  const [path, passphrase] = [at("profile.qv"), "fixture"]
  copyFileSync(fixture, path)
  const old = await ProfileFile.open(path, { passphrase, taxonomy })
  const days = [...old.store.interests.days()]
  expect(days).toHaveLength(40)
  expect(old.store.never).toHaveLength(0)
  expect(old.store.history.accounts.observers).toEqual([])
  await old.save()
  const again = await ProfileFile.open(path, { passphrase, taxonomy })
  expect([...again.store.interests.days()]).toEqual(days)
})

describe("a history of version 0.1", async () => {
  const searcher = await sampleTree().searcher()
  const { taxonomy } = searcher
  const stamp = taxonomyStamp(taxonomy)
  const layer = layerId({ taxonomy: stamp, sensitive: [["Science/Birds/Owls", 1]] })
  const topics = ["", "Science", "Science/Birds", "Science/Birds/Owls", "Science/Birds/Eagles"]
  /** The content as 0.1 wrote it, over two days. */
  const content = (deleted: Record<string, number>) =>
    JSON.stringify({
      version: 1,
      taxonomy: stamp,
      topics,
      days: [[20_000, 3, 2, 4, 1]],
      sensitive: [[3, 1]],
      settings: { delta: 0.2 },
      layers: { [layer]: { taxonomy: stamp, sensitive: [[3, 1]] } },
      exposures: [20_000, 20_001].map((day, i) => ({
        time: day * 86_400,
        engine: "one",
        session: String(day),
        delta: 1,
        sessionDelta: 1,
        layer,
        relevant: [[3 + i, 1, 1]],
        exposed: i === 0 ? [0, 1, 2, 3] : [0, 1, 2],
      })),
      deleted,
    })
  const read = (deleted = {}) => decodeStore(content(deleted), { taxonomy, file: "" })

  test("counts everything that is still known to have been shown", () => {
    const store = read()
    expect([...store.history.accounts.shownTo("one")]).toEqual(["", "Science", "Science/Birds", "Science/Birds/Owls"])
    const search = new PersonalSearch(store, searcher)
    expect(search.lifetimeRisks("one").lifetimeRisk).toBe(1)
    const options = { engine: "one", session: "", delta: 1, sessionDelta: 1, mu: 2, sensitiveQueries: "send" } as const
    markSensitive(store, taxonomy.find("Science/Birds/Eagles"), 1)
    expect(search.ask("eagles", options).decision.outcome).toBe("over-lifetime-delta")
    expect(search.ask("eagles", { ...options, engine: "two", lifetimeDelta: 0.5 }).decision.outcome).toBe("exposed")
  })

  test("is verified as far as it promised, and not checked where exposures were deleted without a trace", () => {
    const checks = verifyExposures({ taxonomy, history: read().history })
    expect(overall(checks)).toBe("passed")
    expect(checks.find(({ name }) => name === "lifetime")?.detail).toMatch(/2 are of version 0.1/)
    const { history } = read({ one: 4 })
    expect([...history.accounts.unknown]).toEqual([["one", 4]])
    const lifetime = verifyExposures({ taxonomy, history }).find(({ name }) => name === "lifetime")
    expect(lifetime).toMatchObject({ state: "not checked", detail: expect.stringMatching(/deleted 4 exposures/) })
  })
})
