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
 * Everything that queries are made of, in shared memory. A word is an index into `words`. Topics are numbered by
 * popularity, the most popular first.
 */
export interface Vocabulary {
  words: TextParts
  /** Words that go with any topic, likeliest first: those in [modifiersFrom, modifiersTo). */
  modifiersFrom: number
  modifiersTo: number
  given: Uint32Array
  openings: NumberRows
  joiners: NumberRows
  topics: number
  /** Maps each topic to its words, likeliest first. */
  topicWords: NumberRows
  /**
   * Maps each topic to phrases of two and of three words that name a part of it. Each phrase is two or three numbers.
   */
  pairs: NumberRows
  triples: NumberRows
  /** Maps each topic to its path in the taxonomy. */
  paths: TextParts
  /** 1 for each topic that is about persons. */
  aboutPersons: Uint32Array
}

const modifiers = 6000
const fewestChildren = 8
/** Maximum number of words of a topic. */
export const mostTopicWords = 240
/** A topic with fewer words than this from its children also takes words from further below. */
const fewTopicWords = 40
/** Maximum number of common words of an area that its topics share. Each topic takes one in three. */
const mostAreaWords = 300
const areaStep = 3
const mostPhrases = 80
/** Maximum share of all topics that may have a word. */
const mostShared = 0.04
const isFunctionWord = new Set(functionWords)
const plainWord = /^[a-z]{2,24}$/

/**
 * The generator's vocabulary, from WordNet's nouns as a tree. A topic is a node with at least eight children. Its words
 * are its lemmas, its children's lemmas, the lemmas further below if these are few, and the nouns of their glosses.
 * Only words that mostly mean something in its area are taken.
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
  const nouns = plainNouns(taxonomy)
  const gathered = topics.map((node) => gatherTopic(taxonomy, { node, nouns }))
  keepTelling(gathered)
  const areaWords = commonByArea(nouns)
  gathered.forEach((topic, i) => {
    topic.words = withAreaWords(topic.words, areaWords.get(areaOf(taxonomy, topics[i])) ?? [], topics[i])
  })
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
    aboutPersons: sharedUint32(topics.map((node) => (taxonomy.path(node).startsWith("person/") ? 1 : 0))),
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

/** Single words that are not nouns, most often tagged first. They go with any topic and say nothing about it. */
function commonWords(wordnet: WordNet): string[] {
  const tagged: { word: string; tags: number }[] = []
  for (let lemma = wordnet.nouns; lemma < wordnet.lemmas.size; lemma++) {
    const tags = wordnet.tags(lemma)
    if (tags === 0) continue
    const word = wordnet.lemmas.text(lemma)
    if (plainWord.test(word)) tagged.push({ word, tags })
  }
  return tagged.sort((a, b) => b.tags - a.tags || (a.word < b.word ? -1 : 1)).map(({ word }) => word)
}

/** Nodes with enough children, most popular first: by how often they and their children are tagged, and by chance. */
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

interface Gathered {
  words: string[]
  pairs: string[]
  triples: string[]
}

interface Noun {
  tags: number
  /** The topic of level 1 that contains its most frequent sense. */
  area: number
}

/** Nouns that are plain words, by their text. */
function plainNouns(taxonomy: WordNetTaxonomy): Map<string, Noun> {
  const { wordnet } = taxonomy
  const nouns = new Map<string, Noun>()
  for (let lemma = 0; lemma < wordnet.nouns; lemma++) {
    const word = wordnet.lemmas.text(lemma)
    if (!plainWord.test(word) || isFunctionWord.has(word)) continue
    const [sense] = wordnet.synsetsOf(lemma)
    nouns.set(word, { tags: wordnet.tags(lemma), area: areaOf(taxonomy, taxonomy.nodeOf(sense)) })
  }
  return nouns
}

/** The ancestor of a node at level 1. */
function areaOf({ parent, depth }: WordNetTaxonomy, node: number): number {
  let at = node
  while (depth[at] > 1) at = parent[at]
  return at
}

function gatherTopic(
  taxonomy: WordNetTaxonomy,
  { node, nouns }: { node: number; nouns: ReadonlyMap<string, Noun> },
): Gathered {
  const { wordnet } = taxonomy
  const area = areaOf(taxonomy, node)
  const scores = new Map<string, number>()
  const phrases = new Set<string>()
  // A noun that mostly means something in another area would suggest that the search was about that area.
  const add = (word: string, weight: number) => {
    const noun = nouns.get(word)
    if (noun === undefined || noun.area !== area) return
    const score = weight * Math.log2(2 + noun.tags)
    scores.set(word, Math.max(score, scores.get(word) ?? 0))
  }
  const addSynset = (synset: number, weight: number) => {
    for (const lemma of wordnet.lemmasOf(synset)) {
      const text = wordnet.lemmas.text(lemma)
      const parts = text.split(" ")
      for (const part of parts) add(part, weight)
      if (parts.length > 1 && parts.every((part) => plainWord.test(part))) phrases.add(text)
    }
    const definition = wordnet.gloss(synset).replace(/;? ?"[^"]*"/g, "")
    for (const word of definition.toLowerCase().match(/[a-z]{3,24}/g) ?? []) add(word, weight / 3)
  }
  addSynset(taxonomy.synset[node], 10)
  for (const child of childrenOf(taxonomy, node))
    if (phrases.size < mostPhrases * 2) addSynset(taxonomy.synset[child], 2)
  for (let below = node + 1; below < taxonomy.end[node] && scores.size < fewTopicWords; below++)
    if (taxonomy.parent[below] !== node) addSynset(taxonomy.synset[below], 1)
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const ofLength = (length: number) =>
    [...phrases].filter((text) => text.split(" ").length === length).slice(0, mostPhrases)
  const words = ranked.map(([word]) => word)
  // A topic without a word of its own area is named by the parts of its phrases.
  const own = words.length > 0 ? words : [...phrases, wordnet.name(taxonomy.synset[node])].join(" ").split(/[^a-z]+/)
  return { words: own.filter((word) => plainWord.test(word)), pairs: ofLength(2), triples: ofLength(3) }
}

/**
 * Shortens the lists of words, and drops words that too many topics have to say anything about one (`one`, `genus`).
 */
function keepTelling(topics: readonly Gathered[]): void {
  const topicsWith = new Map<string, number>()
  for (const { words } of topics) for (const word of words) topicsWith.set(word, (topicsWith.get(word) ?? 0) + 1)
  for (const topic of topics) {
    const telling = topic.words.filter((word) => (topicsWith.get(word) ?? 0) <= mostShared * topics.length)
    topic.words = (telling.length > 0 ? telling : topic.words).slice(0, mostTopicWords)
  }
}

/** The nouns of each area, most often tagged first. */
function commonByArea(nouns: ReadonlyMap<string, Noun>): Map<number, string[]> {
  const byArea = new Map<number, [string, Noun][]>()
  for (const entry of nouns) {
    const held = byArea.get(entry[1].area)
    if (held === undefined) byArea.set(entry[1].area, [entry])
    else held.push(entry)
  }
  return new Map(
    [...byArea].map(([area, entries]) => [
      area,
      entries
        .sort(([a, x], [b, y]) => y.tags - x.tags || (a < b ? -1 : 1))
        .slice(0, mostAreaWords)
        .map(([word]) => word),
    ]),
  )
}

/** A topic's words, followed by some of the common words of its area, which its neighbours have as well. */
function withAreaWords(words: readonly string[], common: readonly string[], node: number): string[] {
  const shared = common.filter((_, i) => (i + node) % areaStep === 0)
  return [...new Set([...words, ...shared])].slice(0, mostTopicWords)
}

function numberRows(rows: readonly (readonly number[])[]): NumberRows {
  const offsets = sharedUint32(new Uint32Array(rows.length + 1))
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  return { offsets, items: sharedUint32(rows.flat()) }
}
