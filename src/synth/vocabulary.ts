import { mixWords } from "../kernels/random.ts"
import { childrenOf } from "../taxonomy/taxonomy.ts"
import type { WordNetTaxonomy } from "../taxonomy/wordnet/wordnet-taxonomy.ts"
import { givenNames } from "../text/identifiers/given-names.ts"
import type { WordNet } from "../wordnet/wordnet.ts"
import { sharedTexts, sharedUint32 } from "./shared-text.ts"
import { functionWords, joiners, openings, webWords } from "./word-lists.ts"

/** Text i is arena[offsets[i], offsets[i + 1]). */
export interface TextParts {
  arena: Uint8Array
  offsets: Uint32Array
}

/** Rows of numbers: row r is items[offsets[r], offsets[r + 1]). */
export interface NumberRows {
  offsets: Uint32Array
  items: Uint32Array
}

/**
 * Everything that queries are made of, on shared memory. A word is an index of `words`; topics are numbered by
 * popularity, the most popular first.
 */
export interface Vocabulary {
  words: TextParts
  /** Words that go with any topic, the likeliest first: those in [modifiersFrom, modifiersTo). */
  modifiersFrom: number
  modifiersTo: number
  given: Uint32Array
  openings: NumberRows
  joiners: NumberRows
  topics: number
  /** Topic → its words, the likeliest first. */
  topicWords: NumberRows
  /** Topic → phrases of two and of three words that name a part of it, two or three numbers each. */
  pairs: NumberRows
  triples: NumberRows
  /** Topic → its path in the taxonomy. */
  paths: TextParts
}

const modifiers = 6000
const fewestChildren = 8
const mostWords = 240
const mostPhrases = 80
const isFunctionWord = new Set(functionWords)
const plainWord = /^[a-z]{2,24}$/

/**
 * The vocabulary of the generator from WordNet's nouns as a tree. A topic is a node with at least eight children; its words
 * are its lemmas, its children's, and the nouns of their glosses.
 */
export function buildVocabulary(taxonomy: WordNetTaxonomy): Vocabulary {
  const { wordnet } = taxonomy
  const words = wordTable()
  for (const word of functionWords) words.add(word)
  const modifiersFrom = words.size()
  for (const word of webWords) words.add(word)
  for (const word of commonWords(wordnet)) if (words.size() < modifiersFrom + modifiers) words.add(word)
  const modifiersTo = words.size()
  const given = [...givenNames].filter((name) => plainWord.test(name)).map((name) => words.add(name))
  const split = (text: string) => text.split(" ").map((word) => words.add(word))

  const topics = findTopics(taxonomy)
  const tagsOf = nounTags(wordnet)
  const gathered = topics.map((node) => gatherTopic(taxonomy, { node, tagsOf }))
  return {
    openings: numberRows(openings.map(split)),
    joiners: numberRows(joiners.map(split)),
    modifiersFrom,
    modifiersTo,
    given: sharedUint32(given),
    topics: topics.length,
    topicWords: numberRows(gathered.map((topic) => topic.words.map((word) => words.add(word)))),
    pairs: numberRows(gathered.map((topic) => topic.pairs.flatMap(split))),
    triples: numberRows(gathered.map((topic) => topic.triples.flatMap(split))),
    paths: sharedTexts(topics.map((node) => taxonomy.path(node))),
    words: sharedTexts(words.list()),
  }
}

function wordTable() {
  const ids = new Map<string, number>()
  return {
    size: () => ids.size,
    list: () => [...ids.keys()],
    add(word: string): number {
      const known = ids.get(word)
      if (known !== undefined) return known
      ids.set(word, ids.size)
      return ids.size - 1
    },
  }
}

/** Single words of any part of speech, the most often tagged first. */
function commonWords(wordnet: WordNet): string[] {
  const tagged: { word: string; tags: number }[] = []
  for (let lemma = 0; lemma < wordnet.lemmas.size; lemma++) {
    const tags = wordnet.tags(lemma)
    if (tags === 0) continue
    const word = wordnet.lemmas.text(lemma)
    if (plainWord.test(word)) tagged.push({ word, tags })
  }
  return tagged.sort((a, b) => b.tags - a.tags || (a.word < b.word ? -1 : 1)).map(({ word }) => word)
}

/** Nodes with enough children, the most popular first: by how often they and their children are tagged, and by chance. */
function findTopics(taxonomy: WordNetTaxonomy): number[] {
  const scored: { node: number; score: number }[] = []
  for (let node = 1; node < taxonomy.size; node++) {
    if (taxonomy.depth[node] < 2 || taxonomy.synset[node] < 0) continue
    const children = [...childrenOf(taxonomy, node)]
    if (children.length < fewestChildren) continue
    const tagged = taxonomy.own[node] + children.reduce((sum, child) => sum + Math.sqrt(taxonomy.own[child]), 0)
    const chance = 0.05 + mixWords(node, 2006) / 2 ** 32
    scored.push({ node, score: Math.log(1 + tagged) * chance })
  }
  return scored.sort((a, b) => b.score - a.score || a.node - b.node).map(({ node }) => node)
}

interface TopicTexts {
  words: string[]
  pairs: string[]
  triples: string[]
}

/** How often a noun is tagged, by its text; undefined for what is no noun or no plain word. */
function nounTags(wordnet: WordNet): Map<string, number> {
  const tags = new Map<string, number>()
  for (let lemma = 0; lemma < wordnet.nouns; lemma++) {
    const word = wordnet.lemmas.text(lemma)
    if (plainWord.test(word) && !isFunctionWord.has(word)) tags.set(word, wordnet.tags(lemma))
  }
  return tags
}

function gatherTopic(
  taxonomy: WordNetTaxonomy,
  { node, tagsOf }: { node: number; tagsOf: ReadonlyMap<string, number> },
): TopicTexts {
  const { wordnet } = taxonomy
  const scores = new Map<string, number>()
  const phrases = new Set<string>()
  const add = (word: string, weight: number) => {
    const score = weight * Math.log2(2 + (tagsOf.get(word) ?? 0))
    scores.set(word, Math.max(score, scores.get(word) ?? 0))
  }
  const addSynset = (synset: number, weight: number) => {
    for (const lemma of wordnet.lemmasOf(synset)) {
      const text = wordnet.lemmas.text(lemma)
      const parts = text.split(" ")
      for (const part of parts) if (plainWord.test(part) && !isFunctionWord.has(part)) add(part, weight)
      if (parts.length > 1 && parts.every((part) => plainWord.test(part))) phrases.add(text)
    }
    const definition = wordnet.gloss(synset).replace(/;? ?"[^"]*"/g, "")
    for (const word of definition.toLowerCase().match(/[a-z]{3,24}/g) ?? []) if (tagsOf.has(word)) add(word, weight / 3)
  }
  addSynset(taxonomy.synset[node], 10)
  for (const child of childrenOf(taxonomy, node))
    if (phrases.size < mostPhrases * 2) addSynset(taxonomy.synset[child], 2)
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const ofLength = (length: number) =>
    [...phrases].filter((text) => text.split(" ").length === length).slice(0, mostPhrases)
  return { words: ranked.slice(0, mostWords).map(([word]) => word), pairs: ofLength(2), triples: ofLength(3) }
}

function numberRows(rows: readonly (readonly number[])[]): NumberRows {
  const offsets = sharedUint32(new Uint32Array(rows.length + 1))
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  return { offsets, items: sharedUint32(rows.flat()) }
}
