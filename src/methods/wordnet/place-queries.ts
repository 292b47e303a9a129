import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import { type ChosenConcepts, chooseConcepts } from "./choose-concepts.ts"
import { type ConceptTree, growConceptTree } from "./concept-tree.ts"
import type { PlaceOptions, WordnetOptions } from "./options.ts"
import { partitionTree, type TreeItems } from "./partition.ts"
import { placeByTerms, type QueryTerms } from "./place-terms.ts"
import { splitGreedily } from "./split-greedily.ts"

/** A log's queries on the tree of concepts. */
export interface PlacedQueries {
  wordnet: WordNet
  tree: ConceptTree
  chosen: ChosenConcepts
  /** By query: its concept, no deeper than `depth`; the root if no word of it is a noun. */
  home: Int32Array
  items: TreeItems
}

/** Assigns every query its concept, before any is generalised. */
export async function placeQueries(
  log: SearchLog,
  { match, depth, counts }: PlaceOptions,
  context: RunContext,
): Promise<PlacedQueries> {
  const wordnet = await openWordNet({}, context)
  const tree = growConceptTree(wordnet)
  const chosen = await chooseConcepts(log.queries, { wordnet, match }, context)
  const highest = depth === undefined ? undefined : cutTree(tree, depth)
  const deepest = chosen.terms === undefined ? chosen.concept : placeByTerms(tree, issuedTerms(log, chosen.terms))
  const home = deepest.map((concept) => {
    const synset = concept < 0 ? tree.root : concept
    return highest?.[synset] ?? synset
  })
  return { wordnet, tree, chosen, home, items: counts === "users" ? itemsOf(log, home) : textsOf(log, home) }
}

/** By query: the concept that represents it; -1 everywhere if there are fewer than k users (or queries). */
export function generaliseQueries(
  { tree, items, home }: PlacedQueries,
  { k, split }: Pick<WordnetOptions, "k" | "split">,
): Int32Array {
  const standsFor = (split === "greedy" ? splitGreedily : partitionTree)(tree, items, { k })
  return home.map((synset) => standsFor[synset])
}

/** Removes the terms of texts that nobody issued, such as scrubbed ones. */
function issuedTerms(log: SearchLog, { offsets, synsets }: QueryTerms): QueryTerms {
  const isIssued = new Uint8Array(offsets.length - 1)
  for (const query of log.query) isIssued[query] = 1
  const issued: QueryTerms = { offsets: new Uint32Array(offsets.length), synsets: new Int32Array(synsets.length) }
  let size = 0
  for (let query = 0; query < isIssued.length; query++) {
    for (let i = offsets[query]; isIssued[query] === 1 && i < offsets[query + 1]; i++)
      issued.synsets[size++] = synsets[i]
    issued.offsets[query + 1] = size
  }
  return issued
}

/** By synset: itself, or its ancestor at this level. The root is level 1. */
export function cutTree({ order, parent, root }: ConceptTree, depth: number): Int32Array {
  const level = new Int32Array(parent.length)
  const cut = new Int32Array(parent.length)
  for (const synset of order) {
    level[synset] = synset === root ? 1 : level[parent[synset]] + 1
    cut[synset] = level[synset] <= depth ? synset : cut[parent[synset]]
  }
  return cut
}

/** The concept and the user of each event. */
function itemsOf(log: SearchLog, home: Int32Array): TreeItems {
  const at = new Int32Array(log.events)
  const user = new Int32Array(log.events)
  for (let row = 0; row < log.rows; row++) {
    at[log.event[row]] = home[log.query[row]]
    user[log.event[row]] = log.user[row]
  }
  return { at, user, users: log.users.size }
}

/** Every distinct query that somebody issued, as if each had a user of its own. */
function textsOf(log: SearchLog, home: Int32Array): TreeItems {
  const isIssued = new Uint8Array(home.length)
  for (const query of log.query) isIssued[query] = 1
  const user = Int32Array.from(isIssued.keys()).filter((query) => isIssued[query] === 1)
  return { at: user.map((query) => home[query]), user, users: home.length }
}
