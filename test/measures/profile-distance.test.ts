import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { type MeasureOptions, measure } from "#dist/measures/registry.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText } from "../support/aol-log.ts"
import { draftOf, reasonsOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const only = ["profile-distance"] as const
const searches = townSearches({ users: 12, each: 20 })
const path = write(aolText(searches))
const topics = {
  taxonomy: write(`path\tsupport\ttext\n${taxonomyText}`, "t.tsv"),
  classifier: write(`query\tpath\n${classifierText(searches)}`, "c.tsv"),
}
const swap = { method: "swap", k: 2, scrub: "none", users: "pseudonym", ...topics } as const

async function distanceOf(options: MethodChoice, values: MeasureOptions["values"] = {}) {
  const { subject, audit } = await draftOf(path, options)
  const [outcome] = await measure({ ...subject, audit }, { only, values: { ...topics, ...values } }, context)
  return outcome !== undefined && "scores" in outcome ? outcome.scores[0] : undefined
}

describe("the distance of profiles", () => {
  test("is the same whether names are shown or the audit says whose they are", async () => {
    const shown = await distanceOf({ ...swap, depth: "1", users: "keep" })
    const audited = await distanceOf({ ...swap, depth: "1", users: "pseudonym" })
    expect(shown?.value).toBeGreaterThan(0)
    expect(shown?.n).toBe(12)
    expect(audited).toEqual(shown)
  })

  test("is 0 where nothing is swapped or left out", async () => {
    const all = await distanceOf({ method: "equality", k: 1, scrub: "none", users: "keep" })
    expect(all).toMatchObject({ value: 0, n: 12 })
  })

  test("uses as many users as requested, the same ones each time", async () => {
    const [some, again] = [
      await distanceOf({ ...swap, depth: "1" }, { profileUsers: 5 }),
      await distanceOf({ ...swap, depth: "1" }, { profileUsers: 5 }),
    ]
    expect(some?.n).toBe(5)
    expect(again).toEqual(some)
  })

  test("says why it does not apply", async () => {
    const reasons = async (options: MethodChoice, isAudited: boolean) => {
      const { subject, audit } = await draftOf(path, options)
      return reasonsOf(await measure({ ...subject, ...(isAudited && { audit }) }, { only, values: topics }, context))
    }
    expect(await reasons(swap, false)).toEqual([expect.stringContaining("--audit")])
    expect(await reasons({ ...swap, users: "session" }, true)).toEqual([expect.stringContaining("a name per session")])
    expect(await reasons({ ...swap, users: "drop" }, true)).toEqual([expect.stringContaining("no names")])
    const counts = { method: "counts", epsilon: "1", delta: "1e-6" } as const
    expect(await reasons(counts, false)).toEqual([expect.stringContaining("not rows")])
  })
})
