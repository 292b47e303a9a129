import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cutTopics } from "#dist/swapper/categories.js"
import { taxonomyOf } from "../support/synthetic-profiles.ts"

describe("categories by branch", () => {
  test("are the nearest branch at or above the topic as it is cut; the root where there is none", () => {
    const paths = fc.array(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }), { minLength: 1 })
    fc.assert(
      fc.property(
        paths,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat()),
        fc.array(fc.nat()),
        (all, depth, some, marked) => {
          const taxonomy = taxonomyOf(Object.fromEntries(all.map((path) => [path.join("/"), 1])))
          const pick = (numbers: number[]) => numbers.map((number) => number % taxonomy.size).filter((node) => node > 0)
          const [branches, sensitive] = [pick(some), pick(marked).slice(0, 1)]
          const whole = cutTopics(taxonomy, { depth, sensitive })
          const found = cutTopics(taxonomy, { depth, sensitive, branches })
          for (let topic = 0; topic < taxonomy.size; topic++) {
            let node = whole[topic] ?? 0
            while (node > 0 && !branches.includes(node)) node = taxonomy.parent[node] ?? 0
            expect(found[topic]).toBe(Math.max(0, node))
          }
        },
      ),
    )
  })
})
