import { findNoun } from "../wordnet/lemmatise.ts"
import type { WordNet } from "../wordnet/wordnet.ts"

/**
 * True if a synset is the root, or a sense of a phrase of the query, or an ancestor of one. False for the synset -1.
 */
export type ConceptJudge = (synset: number, text: string) => boolean

/** No noun of WordNet has more words than this. */
const longestNoun = 9
/** How many words have their senses cached. */
const remembered = 1 << 18
const nothing = new Int32Array(0)

/**
 * Tests every phrase of a query, single words first, since most concepts come from one word. Ancestors are the chain of
 * first hypernyms. They are tested as intervals of a walk through that tree.
 */
export function createConceptJudge(wordnet: WordNet): ConceptJudge {
  const { enter, leave } = walkTree(wordnet)
  const sensesOfWord = new Map<string, Int32Array>()

  const sensesOf = (phrase: string): Int32Array => {
    const lemma = findNoun(wordnet, phrase)
    return lemma < 0 ? nothing : wordnet.synsetsOf(lemma)
  }
  const rememberSenses = (word: string): Int32Array => {
    const known = sensesOfWord.get(word)
    if (known !== undefined) return known
    if (sensesOfWord.size === remembered) sensesOfWord.clear()
    const senses = sensesOf(word)
    sensesOfWord.set(word, senses)
    return senses
  }
  const covers = (synset: number, senses: Int32Array): boolean => {
    for (const sense of senses) if (enter[synset] <= enter[sense] && enter[sense] < leave[synset]) return true
    return false
  }

  return (synset, text) => {
    if (synset < 0) return false
    if (wordnet.parent(synset) < 0) return true
    const words = text.split(" ")
    for (const word of words) if (covers(synset, rememberSenses(word))) return true
    for (let length = 2; length <= Math.min(longestNoun, words.length); length++) {
      for (let from = 0; from + length <= words.length; from++)
        if (covers(synset, sensesOf(words.slice(from, from + length).join(" ")))) return true
    }
    return false
  }
}

/** Walks the tree. The subtree of a synset has all synsets that are entered in its interval [enter, leave). */
function walkTree(wordnet: WordNet): { enter: Int32Array; leave: Int32Array } {
  const children: number[][] = Array.from({ length: wordnet.synsets }, () => [])
  const open: number[] = []
  for (let synset = 0; synset < wordnet.synsets; synset++) {
    const above = wordnet.parent(synset)
    if (above < 0) open.push(synset)
    else children[above].push(synset)
  }
  const enter = new Int32Array(wordnet.synsets)
  const leave = new Int32Array(wordnet.synsets)
  const entered: number[] = []
  for (let synset = open.pop(); synset !== undefined; synset = open.pop()) {
    enter[synset] = entered.push(synset) - 1
    open.push(...children[synset])
  }
  for (const synset of entered.reverse()) {
    leave[synset] = Math.max(leave[synset], enter[synset] + 1)
    const above = wordnet.parent(synset)
    if (above >= 0) leave[above] = Math.max(leave[above], leave[synset])
  }
  return { enter, leave }
}
