import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { childrenOf } from "#dist/taxonomy/taxonomy.js"
import { type WordNetTaxonomy, wordNetTaxonomy, wordNetTaxonomyFrom } from "#dist/taxonomy/wordnet/wordnet-taxonomy.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { type WordNet, wordNetFrom } from "#dist/wordnet/wordnet.js"
import { groupBy } from "../support/group-by.ts"
import { expectTree } from "./expect-tree.ts"

let wordnet: WordNet
let tree: WordNetTaxonomy
beforeAll(async () => {
  wordnet = await openWordNet({}, createContext())
  tree = wordNetTaxonomy(wordnet)
})

const files = [
  "act animal artifact attribute body cognition communication event feeling food group location motive object person",
  "phenomenon plant possession process quantity relation shape state substance time tops",
].join(" ")

describe("WordNet as a tree", () => {
  test("is a tree in preorder, and every path leads back to its node", () => {
    expectTree(tree)
  })

  test("has the lexicographer files on level 1, and every synset once", () => {
    const level1 = [...childrenOf(tree, 0)]
    expect(level1.map((id) => tree.path(id)).join(" ")).toBe(files)
    expect(level1.filter((id) => tree.synset[id] < 0).map((id) => tree.path(id))).toEqual(["body", "tops"])
    expect(tree.size).toBe(wordnet.synsets + 3)
    for (let synset = 0; synset < wordnet.synsets; synset++) expect(tree.synset[tree.nodeOf(synset)]).toBe(synset)
  })

  test("puts a synset below its first hypernym if that is in the same file, else below the file", () => {
    const fileOf = (synset: number) => wordnet.file(synset).slice("noun.".length).toLowerCase()
    const roots = new Map([...childrenOf(tree, 0)].map((id) => [tree.synset[id], tree.path(id)]))
    const topicOf = (synset: number) => roots.get(synset) ?? fileOf(synset)
    for (let synset = 0; synset < wordnet.synsets; synset++) {
      const id = tree.nodeOf(synset)
      if (roots.has(synset)) continue
      const above = wordnet.parent(synset)
      const stays = above >= 0 && topicOf(above) === topicOf(synset)
      const wanted = stays ? tree.nodeOf(above) : tree.find(topicOf(synset))
      if (tree.parent[id] !== wanted) expect([synset, tree.parent[id]]).toEqual([synset, wanted])
    }
  })

  test("uses the synset of Tops with its name as the root of a file, and the larger of two substances", () => {
    for (const id of childrenOf(tree, 0)) {
      const synset = tree.synset[id]
      if (synset < 0) continue
      expect(wordnet.file(synset)).toBe("noun.Tops")
      expect([...wordnet.lemmasOf(synset)].map((lemma) => wordnet.lemmas.text(lemma))).toContain(tree.path(id))
    }
    expect(tree.text(tree.find("substance"))).toMatch(/^substance: a particular kind or species of matter/)
    expect(tree.find("tops/entity/physical entity/matter/substance")).toBeGreaterThan(0)
  })

  test("names a node by its first lemma, except for siblings that share it", () => {
    for (let id = 1; id < tree.size; id++) {
      const siblings = [...childrenOf(tree, id)].filter((child) => tree.synset[child] >= 0)
      for (const [first, sharing] of groupBy(siblings, (child) => wordnet.name(tree.synset[child]))) {
        const senses = wordnet.synsetsOf(wordnet.lemmas.find(first))
        const inSenseOrder = [...sharing].sort(
          (a, b) => senses.indexOf(tree.synset[a]) - senses.indexOf(tree.synset[b]),
        )
        const names = inSenseOrder.map((child) => tree.name(child))
        if (names[0] !== first) expect(names[0]).toBe(first)
        names.slice(1).forEach((name, i) => {
          const synset = tree.synset[inSenseOrder[i + 1] ?? 0] ?? 0
          const lemmas = [...wordnet.lemmasOf(synset)].map((lemma) => wordnet.lemmas.text(lemma))
          if (!lemmas.includes(name)) expect(name).toMatch(new RegExp(`^${first.replace(/[.*+?()]/g, "\\$&")}~\\d+$`))
        })
      }
    }
  })

  test("counts 26 files and 82,168 synsets below them on levels 2 to 14", () => {
    const levels: number[] = []
    for (const depth of tree.depth) levels[depth] = (levels[depth] ?? 0) + 1
    expect(levels).toEqual([1, 26, 2917, 10732, 15640, 17722, 14685, 10497, 5134, 2505, 1278, 694, 303, 60, 1])
  })

  test("would have fewer nodes if siblings with the same first lemma were merged", () => {
    const merged: Set<string>[] = []
    const paths: string[] = [""]
    for (let id = 1; id < tree.size; id++) {
      const depth = tree.depth[id] ?? 0
      const name = depth === 1 ? tree.path(id) : wordnet.name(tree.synset[id] ?? -1)
      paths[id] = `${paths[tree.parent[id] ?? 0]}\t${name}`
      merged[depth] ??= new Set()
      merged[depth].add(paths[id])
    }
    expect(merged.slice(1).map(({ size }) => size)).toEqual([
      26, 2856, 10618, 15425, 17501, 14548, 10377, 5108, 2494, 1268, 691, 299, 60, 1,
    ])
  })

  test("gives a synset a support of one plus its tags, and a node the sum of all below it", () => {
    const tagged = new Float64Array(wordnet.synsets)
    for (let lemma = 0; lemma < wordnet.nouns; lemma++)
      wordnet.synsetsOf(lemma).forEach((synset, i) => {
        tagged[synset] = (tagged[synset] ?? 0) + (wordnet.senseTagsOf(lemma)[i] ?? 0)
      })
    for (let id = 0; id < tree.size; id++) {
      const synset = tree.synset[id] ?? -1
      const own = synset < 0 ? 0 : 1 + (tagged[synset] ?? 0)
      if (tree.own[id] !== own) expect([id, tree.own[id]]).toEqual([id, own])
    }
  })

  test("has lemmas and gloss as text, and a description for a file without synset", () => {
    const dog = tree.nodeOf(wordnet.synsetsOf(wordnet.find("dog", "noun"))[0] ?? -1)
    expect(tree.path(dog)).toBe("animal/chordate/vertebrate/mammal/placental/carnivore/canine/dog")
    expect(tree.text(dog)).toMatch(/^dog, domestic dog, canis familiaris: a member of the genus Canis/)
    expect(["body", "tops", ""].map((path) => tree.text(tree.find(path)))).toEqual([
      "body: body parts",
      "tops: unique beginners for nouns",
      "",
    ])
  })

  test("writes a slash in a name as %2F", () => {
    const slashed = Array.from({ length: tree.size }, (_, id) => id).filter((id) => tree.name(id).includes("/"))
    expect(slashed.length).toBeGreaterThan(0)
    for (const id of slashed) expect(tree.path(id)).toContain("%2F")
  })

  test("is the same in another thread, from its parts", () => {
    const parts = structuredClone({ columns: tree.columns, synset: tree.synset, wordnet: wordnet.columns })
    expect(parts.columns.parent.buffer).toBeInstanceOf(SharedArrayBuffer)
    const copy = wordNetTaxonomyFrom(parts, wordNetFrom(parts.wordnet))
    for (const id of [0, 1, 5000, tree.size - 1])
      expect([copy.path(id), copy.text(id), copy.support[id]]).toEqual([tree.path(id), tree.text(id), tree.support[id]])
  })
})
