import { Interner } from "../../kernels/dictionary.ts"
import { givenNames } from "../../text/identifiers/given-names.ts"
import { foldToAscii } from "../../wordnet/lemmatise.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { contextForm } from "./context-form.ts"
import { gatherGlued } from "./glued-words.ts"
import type { LetterTrie } from "./letter-trie.ts"
import { type LexiconColumns, type LexiconModel, openLexicon } from "./lexicon.ts"
import { type PhraseTrie, TrieBuilder } from "./phrase-trie.ts"
import { searchedTopics } from "./searched-topics.ts"
import { sharedBytes, sharedFloats, sharedInt32s, sharedUint32s } from "./shared-arrays.ts"
import { indexSpellings, type SpellingTable } from "./spelling.ts"
import { stopWords } from "./stop-words.ts"
import { isWordNet, topicPhrases } from "./topic-phrases.ts"
import { indexTopicText, type TopicText } from "./topic-text.ts"
import { indexWords, internText, type WordIndex } from "./word-index.ts"

/** Kinds of a word, as bits of `ClassifierModel.kind`. */
export const wordKind = { functionWord: 1, uninformative: 2, givenName: 4, phrase: 8 } as const

/** Kinds of a topic that is one individual, in `ClassifierModel.name`. 0 for all other topics. */
export const nameKind = { place: 1, other: 2 } as const

/** Everything the decision needs, in shared memory. */
export interface ClassifierModel {
  parent: Int32Array
  end: Int32Array
  depth: Uint8Array
  words: WordIndex
  kind: Uint8Array
  /** ln(topics / topics whose text has the word): how much a word says. */
  info: Float32Array
  trie: PhraseTrie
  /** Maps each phrase to the topics that it may mean, with the logarithm of their share. */
  senseOffsets: Uint32Array
  senses: Int32Array
  prior: Float32Array
  text: TopicText
  /**
   * For each phrase: the `nameKind` of its likeliest topic. Next to another noun, an individual says where or whose,
   * not what.
   */
  name: Uint8Array
  /** The topic of people of whom only the name is known, or -1. */
  person: number
  /** The words that glued words may consist of. */
  glued: LetterTrie
  spellings: SpellingTable
  lexicon: LexiconModel | undefined
}

const mostSenses = 12
/** `news paper` is `newspaper`: a noun may be written as two words, each with at least this many letters. */
const shortestHalf = 3
/**
 * By length: a word counts as part of a glued word if its information is below this. Any few letters are some rare
 * word.
 */
const mostInfo = [0, 0, 0, 7.5, 8.5, 10, 99]

/** Words with more information are too rare to be the intended spelling. */
const rareInfo = 10

function isGlueable({ kind, info, length }: { kind: number; info: number; length: number }): boolean {
  if ((kind & (wordKind.functionWord | wordKind.uninformative)) !== 0)
    return length > 2 || (kind & wordKind.functionWord) !== 0
  return (kind & wordKind.phrase) !== 0 && info < mostInfo[Math.min(length, mostInfo.length - 1)]
}

const models = new WeakMap<Taxonomy, ClassifierModel>()

/**
 * The model of a taxonomy, with what was learned from a log if a lexicon is given. It depends on these two alone and is
 * never changed, so the model of a taxonomy without a lexicon is built once.
 */
export function buildModel(taxonomy: Taxonomy, lexicon?: LexiconColumns): ClassifierModel {
  if (lexicon !== undefined) return assembleModel(taxonomy, lexicon)
  const model = models.get(taxonomy) ?? assembleModel(taxonomy)
  models.set(taxonomy, model)
  return model
}

/** Every way to split a word of the set into two words of the set. */
function* splitWords(singles: ReadonlySet<string>): Generator<{ word: string; halves: string[] }> {
  for (const word of singles) {
    for (let at = shortestHalf; at <= word.length - shortestHalf; at++) {
      const halves = [word.slice(0, at), word.slice(at)]
      if (halves.every((half) => singles.has(half))) yield { word, halves }
    }
  }
}

function assembleModel(taxonomy: Taxonomy, lexicon?: LexiconColumns): ClassifierModel {
  const { size, parent, end, depth } = taxonomy
  const words = new Interner({ expected: 1 << 17 })
  const trie = new TrieBuilder()
  const stops = stopWords()
  const senses: { node: number; weight: number }[][] = []
  const singles = new Set<string>()
  for (const phrase of topicPhrases(taxonomy)) {
    const ids = phrase.words.map((word) => internText(words, word))
    if (ids.length === 1) {
      if (stops.isFunctionWord(phrase.words[0])) continue
      singles.add(phrase.words[0])
    }
    const number = trie.add(ids)
    senses[number] ??= []
    senses[number].push({ node: phrase.node, weight: phrase.weight })
  }
  for (const { word, halves } of splitWords(singles)) {
    const number = trie.add(halves.map((half) => internText(words, half)))
    senses[number] ??= senses[trie.add([internText(words, word)])]
  }
  const { isFunctionWord } = stops
  const isPhrase = (word: string) => singles.has(word)
  const wordsOf = textReader(words, { isFunctionWord, isPhrase })
  const text = indexTopicText(taxonomy, { wordsOf, words: () => words.size })
  for (const name of givenNames) internText(words, name)

  const kind = new Uint8Array(words.size)
  const info = new Float32Array(words.size)
  const known = words.freeze()
  for (let word = 0; word < words.size; word++) {
    const spelling = known.text(word)
    if (stops.isFunctionWord(spelling)) kind[word] |= wordKind.functionWord
    if (stops.isUninformative(spelling)) kind[word] |= wordKind.uninformative
    if (givenNames.has(spelling)) kind[word] |= wordKind.givenName
    if (singles.has(spelling)) kind[word] |= wordKind.phrase
    const topics = word + 1 < text.offsets.length ? text.offsets[word + 1] - text.offsets[word] : 0
    info[word] = Math.log((size + 1) / (topics + 1))
  }
  const index = indexWords(words)
  const packed = packSenses(senses, searchedTopics(taxonomy))
  const names = markNames(taxonomy)
  return {
    parent,
    end,
    depth,
    words: index,
    glued: gatherGlued(index, (id, length) => isGlueable({ kind: kind[id], info: info[id], length })),
    kind: sharedBytes(kind),
    info: sharedFloats(info),
    spellings: indexSpellings(index, (id) => (kind[id] & wordKind.phrase) !== 0 && info[id] < rareInfo),
    trie: trie.finish(),
    ...packed,
    text: { ...text, offsets: padOffsets(text.offsets, words.size) },
    name: sharedBytes(Array.from(senses, (_, phrase) => names[packed.senses[packed.senseOffsets[phrase]]])),
    person: isWordNet(taxonomy) ? taxonomy.find("person") : -1,
    lexicon: lexicon === undefined ? undefined : openLexicon(lexicon, { size }),
  }
}

/** Returns the ids of the words of a topic's text, in their base form if that is known, without function words. */
function textReader(
  words: Interner,
  { isFunctionWord, isPhrase }: { isFunctionWord: (word: string) => boolean; isPhrase: (word: string) => boolean },
): (text: string) => number[] {
  const ids = new Map<string, number>()
  const idOf = (token: string) => {
    const known = ids.get(token)
    if (known !== undefined) return known
    const id = isFunctionWord(token) || token.length < 2 ? -1 : internText(words, contextForm(token, isPhrase))
    ids.set(token, id)
    return id
  }
  return (text) =>
    (foldToAscii(text.toLowerCase()).match(/[\p{L}\p{N}][\p{L}\p{N}']*/gu) ?? []).map(idOf).filter((id) => id >= 0)
}

/** Lists each topic once per phrase, likeliest first. */
function packSenses(phrases: readonly { node: number; weight: number }[][], gain: Float32Array) {
  const offsets = new Uint32Array(phrases.length + 1)
  const nodes: number[] = []
  const prior: number[] = []
  phrases.forEach((named, phrase) => {
    const weights = new Map<number, number>()
    for (const { node, weight } of named) weights.set(node, (weights.get(node) ?? 0) + weight * Math.exp(gain[node]))
    const ranked = [...weights].sort(([a, x], [b, y]) => y - x || a - b).slice(0, mostSenses)
    const total = ranked.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [node, weight] of ranked) {
      nodes.push(node)
      prior.push(Math.log(weight / total))
    }
    offsets[phrase + 1] = nodes.length
  })
  return { senseOffsets: sharedUint32s(offsets), senses: sharedInt32s(nodes), prior: sharedFloats(prior) }
}

/** Words added after the texts have no postings. */
function padOffsets(offsets: Uint32Array, words: number): Uint32Array {
  const padded = new Uint32Array(words + 1).fill(offsets[offsets.length - 1])
  padded.set(offsets)
  return sharedUint32s(padded)
}

function markNames(taxonomy: Taxonomy): Uint8Array {
  const name = new Uint8Array(taxonomy.size)
  if (!isWordNet(taxonomy)) return name
  const location = taxonomy.find("location")
  for (let node = 1; node < taxonomy.size; node++) {
    const synset = taxonomy.synset[node]
    if (synset < 0 || !taxonomy.wordnet.isInstance(synset)) continue
    name[node] = node > location && node < taxonomy.end[location] ? nameKind.place : nameKind.other
  }
  return name
}
