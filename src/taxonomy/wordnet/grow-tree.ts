import type { WordNet } from "../../wordnet/wordnet.ts"
import { assembleTree, packTexts } from "../assemble-tree.ts"
import { escapeName } from "../path.ts"
import type { TaxonomyColumns } from "../taxonomy.ts"
import { fileTopics } from "./file-topics.ts"
import { nameSiblings } from "./name-siblings.ts"

/** The columns of WordNet's tree. Only topics that are not synsets have a text in them. */
export interface WordNetTree {
  columns: TaxonomyColumns
  /** For each node: its synset. -1 for the root and for a file that no synset names. */
  synset: Int32Array
}

/**
 * WordNet's nouns as a tree. The lexicographer files are below the root (`fileTopics`). The synsets of a file are below
 * it: each is below its first hypernym if that belongs to the same file, otherwise directly below the file. The class
 * of an instance counts as its hypernym. Every synset is one node.
 *
 * own = 1 + how often the synset was tagged in Princeton's concordances, with any lemma (add-one: most never were).
 */
export function growTree(wordnet: WordNet): WordNetTree {
  const { synsets } = wordnet
  const { topics, topicOf } = fileTopics(wordnet)
  // Nodes of the draft: the root, the topics of level 1, then every synset that is not one of these topics.
  const size = 1 + topics.length + synsets - topics.filter(({ synset }) => synset >= 0).length
  const nodeOf = new Int32Array(synsets).fill(-1)
  const synsetOf = new Int32Array(size).fill(-1)
  topics.forEach(({ synset }, topic) => {
    synsetOf[1 + topic] = synset
    if (synset >= 0) nodeOf[synset] = 1 + topic
  })
  let next = 1 + topics.length
  for (let s = 0; s < synsets; s++) {
    if (nodeOf[s] >= 0) continue
    synsetOf[next] = s
    nodeOf[s] = next++
  }

  const parent = new Int32Array(size)
  parent[0] = -1
  const families = new Map<number, number[]>()
  for (let node = 1 + topics.length; node < size; node++) {
    const synset = synsetOf[node]
    const above = wordnet.parent(synset)
    const topic = topicOf[synset]
    parent[node] = above >= 0 && topicOf[above] === topic ? nodeOf[above] : 1 + topic
    const family = families.get(parent[node])
    if (family === undefined) families.set(parent[node], [synset])
    else family.push(synset)
  }

  const names = new Array<string>(size).fill("")
  topics.forEach(({ name }, topic) => {
    names[1 + topic] = name
  })
  for (const family of families.values())
    nameSiblings(wordnet, family).forEach((name, i) => {
      names[nodeOf[family[i]]] = escapeName(name)
    })

  const own = countTags(wordnet, nodeOf, size)
  for (let node = 0; node < size; node++) if (synsetOf[node] >= 0) own[node] += 1
  const texts = new Array<string>(size).fill("")
  topics.forEach(({ text, synset }, topic) => {
    if (synset < 0) texts[1 + topic] = text
  })
  const { columns, order } = assembleTree({ parent, own, names: packTexts(names), texts: packTexts(texts) })
  const synset = new Int32Array(new SharedArrayBuffer(size * 4))
  for (let id = 0; id < size; id++) synset[id] = synsetOf[order[id]]
  return { columns, synset }
}

function countTags({ columns }: WordNet, nodeOf: Int32Array, size: number): Float64Array {
  const tags = new Float64Array(size)
  for (let i = 0; i < columns.senses.length; i++) tags[nodeOf[columns.senses[i]]] += columns.senseTags[i]
  return tags
}
