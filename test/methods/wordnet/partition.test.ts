import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type ConceptTree, treeOf } from "#dist/methods/wordnet/concept-tree.js"
import { partitionTree } from "#dist/methods/wordnet/partition.js"
import { placeByTerms } from "#dist/methods/wordnet/place-terms.js"
import { splitGreedily } from "#dist/methods/wordnet/split-greedily.js"

interface Item {
  at: number
  user: number
}

const randomTree = fc
  .array(fc.nat(), { minLength: 0, maxLength: 14 })
  .map((picks) => treeOf(Int32Array.from([-1, ...picks.map((pick, i) => pick % (i + 1))])))
const randomCase = randomTree.chain((tree) => {
  const item = fc.record({ at: fc.nat({ max: tree.parent.length - 1 }), user: fc.nat({ max: 7 }) })
  return fc.record({
    tree: fc.constant(tree),
    items: fc.array(item, { minLength: 1, maxLength: 40 }),
    k: fc.integer({ min: 1, max: 5 }),
  })
})

/** The nodes that represent the nodes of the tree, from items in any order. */
function standsFor(
  tree: ConceptTree,
  items: readonly Item[],
  k: number,
  partition: typeof partitionTree = partitionTree,
): Int32Array {
  const sorted = [...items].sort((a, b) => a.user - b.user)
  const at = Int32Array.from(sorted, (item) => item.at)
  return partition(tree, { at, user: Int32Array.from(sorted, ({ user }) => user), users: 8 }, { k })
}

const chainOf = ({ parent }: ConceptTree, node: number): number[] => {
  const chain: number[] = []
  for (let at = node; at >= 0; at = parent[at]) chain.push(at)
  return chain
}

const usersOf = (items: readonly Item[]) => new Set(items.map(({ user }) => user)).size

function partsOf(items: readonly Item[], stands: Int32Array): Map<number, Item[]> {
  const parts = new Map<number, Item[]>()
  for (const item of items) parts.set(stands[item.at], [...(parts.get(stands[item.at]) ?? []), item])
  return parts
}

/**
 * The definition, from the top and with sets. Split the items at a node by the highest child below which enough items
 * can be placed to have k users, until no part can be split. Then items that pass through go up, and too few at the
 * root become one part with another.
 */
function byHand(tree: ConceptTree, items: readonly Item[], k: number): number[] {
  if (usersOf(items) < k) return items.map(() => -1)
  const place = items.map(() => tree.root)
  for (let split = true; split; ) {
    split = false
    for (const child of tree.order) {
      const inside = items.flatMap((item, i) =>
        place[i] === tree.parent[child] && chainOf(tree, item.at).includes(child) ? [i] : [],
      )
      if (child === tree.root || usersOf(inside.map((i) => items[i])) < k) continue
      for (const i of inside) place[i] = child
      split = true
    }
  }
  // Items that pass through a node and cannot stay there go up, from the deepest node to the root.
  for (const node of [...tree.order].reverse()) {
    const here = place.flatMap((at, i) => (at === node ? [i] : []))
    if (node === tree.root || usersOf(here.map((i) => items[i])) >= k) continue
    for (const i of here) place[i] = tree.parent[node]
  }
  const atRoot = items.filter((_, i) => place[i] === tree.root)
  if (atRoot.length === 0 || usersOf(atRoot) >= k) return place
  const sumOfPenalties = (places: readonly number[]) =>
    places.reduce((sum, node) => sum + Math.round(tree.penalty[node] * tree.leaves[tree.root]), 0)
  const joinings = [...new Set(place)]
    .filter((node) => node !== tree.root)
    .sort((a, b) => a - b)
    .map((joined) => {
      const together = [...chainOf(tree, joined)].find((node) =>
        atRoot.every(({ at }) => chainOf(tree, at).includes(node)),
      )
      return place.map((node) => (node === joined || node === tree.root ? (together ?? tree.root) : node))
    })
  const least = Math.min(...joinings.map(sumOfPenalties))
  return joinings.find((places) => sumOfPenalties(places) === least) ?? place
}

describe("the partition of searches by a tree", () => {
  test("equals splitting sets from the top", () => {
    fc.assert(
      fc.property(randomCase, ({ tree, items, k }) => {
        const stands = standsFor(tree, items, k)
        expect(items.map(({ at }) => stands[at])).toEqual(byHand(tree, items, k))
      }),
      { numRuns: 2000 },
    )
  })

  test("has k users in every part, and each search at its own concept or one above", () => {
    fc.assert(
      fc.property(randomCase, ({ tree, items, k }) => {
        const stands = standsFor(tree, items, k)
        for (const [node, part] of partsOf(items, stands)) {
          if (node < 0) continue
          expect(usersOf(part)).toBeGreaterThanOrEqual(k)
          for (const { at } of part) expect(chainOf(tree, at)).toContain(node)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test("cannot be split further at any child", () => {
    fc.assert(
      fc.property(randomCase, ({ tree, items, k }) => {
        const stands = standsFor(tree, items, k)
        for (const [node, part] of partsOf(items, stands)) {
          if (node < 0) continue
          for (const child of tree.order) {
            if (tree.parent[child] !== node) continue
            const inside = part.filter(({ at }) => chainOf(tree, at).includes(child))
            const outside = part.filter((item) => !inside.includes(item))
            const canSplit = usersOf(inside) >= k && (outside.length === 0 || usersOf(outside) >= k)
            expect(canSplit).toBe(false)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  test("does not depend on the order of the searches", () => {
    const shuffled = randomCase.chain(({ items, ...rest }) =>
      fc.record({
        one: fc.constant({ items, ...rest }),
        other: fc.shuffledSubarray(items, { minLength: items.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ one: { tree, items, k }, other }) => {
        expect([...standsFor(tree, other, k)]).toEqual([...standsFor(tree, items, k)])
      }),
      { numRuns: 500 },
    )
  })

  test("is empty exactly when all searches together have fewer than k users", () => {
    fc.assert(
      fc.property(randomCase, ({ tree, items, k }) => {
        const nothing = [...standsFor(tree, items, k)].every((node) => node === -1)
        expect(nothing).toBe(usersOf(items) < k)
      }),
      { numRuns: 500 },
    )
  })
})

/**
 * The paper's way, one split at a time. Of all children below which a part has k users, and for which the rest of the
 * part has k users or is empty, take the one whose split reduces the sum of penalties most. Stop if there is none.
 */
function greedily(tree: ConceptTree, items: readonly Item[], k: number): number[] {
  if (usersOf(items) < k) return items.map(() => -1)
  const place = items.map(() => tree.root)
  const loss = (node: number) => Math.round(tree.penalty[node] * tree.leaves[tree.root])
  for (;;) {
    const splits = [...tree.order].flatMap((child) => {
      const part = items.flatMap((_, i) => (place[i] === tree.parent[child] ? [i] : []))
      const inside = part.filter((i) => chainOf(tree, items[i].at).includes(child))
      const rest = part.filter((i) => !inside.includes(i))
      const isValid = usersOf(inside.map((i) => items[i])) >= k
      if (!isValid || (rest.length > 0 && usersOf(rest.map((i) => items[i])) < k)) return []
      return [{ child, inside, gain: inside.length * (loss(tree.parent[child]) - loss(child)) }]
    })
    const [best] = splits.sort((a, b) => b.gain - a.gain || a.child - b.child)
    if (best === undefined) return place
    for (const i of best.inside) place[i] = best.child
  }
}

/** Each query at one of its terms: from the root down to the child below which most queries there have a term. */
function placedByHand(tree: ConceptTree, queries: readonly (readonly number[])[]): number[] {
  const place = queries.map(() => tree.root)
  for (const node of tree.order) {
    const onward = queries.map((terms, i) => {
      if (place[i] !== node) return []
      const children = terms.map((term) => chainOf(tree, term)).map((chain) => chain[chain.indexOf(node) - 1] ?? -1)
      return [...new Set(children.filter((child) => child >= 0 && tree.parent[child] === node))]
    })
    const reach = (child: number) => onward.filter((children) => children.includes(child)).length
    onward.forEach((children, i) => {
      const [best] = children.sort((a, b) => reach(b) - reach(a) || a - b)
      if (best !== undefined) place[i] = best
    })
  }
  return place
}

test("a query that may be at any of its terms joins the largest part", () => {
  const withTerms = randomTree.chain((tree) =>
    fc.record({
      tree: fc.constant(tree),
      queries: fc.array(fc.array(fc.nat({ max: tree.parent.length - 1 }), { maxLength: 4 }), { maxLength: 12 }),
    }),
  )
  fc.assert(
    fc.property(withTerms, ({ tree, queries }) => {
      const ends = queries.map((_, i) => queries.slice(0, i + 1).flat().length)
      const terms = { offsets: Uint32Array.of(0, ...ends), synsets: Int32Array.from(queries.flat()) }
      expect([...placeByTerms(tree, terms)]).toEqual(placedByHand(tree, queries))
    }),
    { numRuns: 3000 },
  )
})

test("the paper's partition is that of splitting greedily by gain, and every part has k users", () => {
  fc.assert(
    fc.property(randomCase, ({ tree, items, k }) => {
      const stands = standsFor(tree, items, k, splitGreedily)
      expect(items.map(({ at }) => stands[at])).toEqual(greedily(tree, items, k))
      for (const [node, part] of partsOf(items, stands)) if (node >= 0) expect(usersOf(part)).toBeGreaterThanOrEqual(k)
    }),
    { numRuns: 2000 },
  )
})

describe("by hand, on entity > animal > (dog, cat), entity > place", () => {
  const [entity, animal, dog, cat, place] = [0, 1, 2, 3, 4]
  const tree = treeOf(Int32Array.of(-1, entity, animal, animal, entity))
  const searches = (at: number, ...users: number[]) => users.map((user) => ({ at, user }))

  test("a rare concept joins what is above it, and a common one stays", () => {
    const items = [
      ...searches(dog, 1, 2, 3),
      ...searches(cat, 4),
      ...searches(animal, 5, 6),
      ...searches(entity, 7, 1, 2),
    ]
    expect([...standsFor(tree, items, 3)].slice(0, 4)).toEqual([entity, animal, dog, animal])
  })

  test("users are counted, not searches", () => {
    const items = [...searches(dog, 1, 1, 1), ...searches(cat, 1, 2), ...searches(entity, 3, 4)]
    expect([...standsFor(tree, items, 2)].slice(0, 4)).toEqual([entity, entity, entity, cat])
  })

  test("if too few are left for the root, the part that loses least joins them", () => {
    // Both are leaves and lose everything: two searches lose less than three.
    const items = [...searches(dog, 1, 2), ...searches(place, 1, 2, 3), ...searches(entity, 7)]
    expect([...standsFor(tree, items, 2)]).toEqual([entity, entity, entity, entity, place])
  })

  test("if too few are left for the root, they do not go higher than they must", () => {
    // `dog` and `cat` together are 5 searches with two of three leaves. At the root they would lose everything.
    const items = [...searches(dog, 1, 1, 1), ...searches(cat, 1, 2), ...searches(place, 3, 4, 5)]
    expect([...standsFor(tree, items, 2)].slice(1)).toEqual([animal, animal, animal, place])
  })
})
