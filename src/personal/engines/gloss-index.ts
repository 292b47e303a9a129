import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/**
 * An inverted index over the texts of topics. Term i is termArena[termOffsets[i], termOffsets[i + 1]); terms are in
 * byte order. Its postings are [postingOffsets[i], postingOffsets[i + 1]).
 */
export interface GlossColumns {
  termArena: Uint8Array
  termOffsets: Uint32Array
  postingOffsets: Uint32Array
  /** Topics, ascending within a term. */
  topic: Uint32Array
  /**
   * How often the term occurs in the topic's text; each occurrence in its name counts `nameWorth` times. At most 255.
   */
  weight: Uint8Array
  /** Number of words in each topic's text. */
  length: Uint16Array
}

/** Weight of a word in a topic's name. */
export const nameWorth = 3
const [k1, b] = [1.2, 0.75]

/** The words of a text in lower case, with plurals as singulars. This is enough for glosses. */
export function glossWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => {
    if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`
    return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word
  })
}

/** Indexes the topics of a taxonomy by the words of their names and texts. */
export function buildGlossIndex(taxonomy: Taxonomy): GlossColumns {
  const postings = new Map<string, { topics: number[]; weights: number[] }>()
  const length = new Uint16Array(taxonomy.size)
  for (let topic = 1; topic < taxonomy.size; topic++) {
    const add = (word: string, worth: number) => {
      const found = postings.get(word) ?? { topics: [], weights: [] }
      const last = found.topics.length - 1
      if (found.topics[last] === topic) found.weights[last] = Math.min(255, found.weights[last] + worth)
      else {
        found.topics.push(topic)
        found.weights.push(worth)
      }
      postings.set(word, found)
    }
    const text = glossWords(taxonomy.text(topic))
    for (const word of glossWords(taxonomy.name(topic).replaceAll("_", " "))) add(word, nameWorth)
    for (const word of text) add(word, 1)
    length[topic] = Math.min(65_535, text.length)
  }
  const terms = [...postings].map(([term, found]) => ({ bytes: Buffer.from(term), ...found }))
  terms.sort((one, other) => Buffer.compare(one.bytes, other.bytes))
  const offsets = (sizes: readonly number[]) => {
    const ends = new Uint32Array(sizes.length + 1)
    for (const [i, size] of sizes.entries()) ends[i + 1] = ends[i] + size
    return ends
  }
  return {
    termArena: Buffer.concat(terms.map(({ bytes }) => bytes)),
    termOffsets: offsets(terms.map(({ bytes }) => bytes.length)),
    postingOffsets: offsets(terms.map(({ topics }) => topics.length)),
    topic: Uint32Array.from(terms.flatMap(({ topics }) => topics)),
    weight: Uint8Array.from(terms.flatMap(({ weights }) => weights)),
    length,
  }
}

/**
 * Topics whose texts have words of a query, best first by BM25 (Robertson & Zaragoza 2009, eq. 3.15). Ties: the smaller
 * topic.
 */
export function glossSearcher(columns: GlossColumns): (query: string, count: number) => number[] {
  const { postingOffsets, topic, weight, length } = columns
  const size = length.length
  const mean = Math.max(1, length.reduce((sum, words) => sum + words, 0) / Math.max(1, size - 1))
  const scores = new Float64Array(size)
  return (query, count) => {
    const touched: number[] = []
    for (const word of new Set(glossWords(query).slice(0, 64))) {
      const term = findTerm(columns, Buffer.from(word))
      if (term < 0) continue
      const [from, to] = [postingOffsets[term], postingOffsets[term + 1]]
      const rarity = Math.log(1 + (size - (to - from) + 0.5) / (to - from + 0.5))
      for (let at = from; at < to; at++) {
        const id = topic[at]
        if (scores[id] === 0) touched.push(id)
        scores[id] += (rarity * weight[at] * (k1 + 1)) / (weight[at] + k1 * (1 - b + (b * length[id]) / mean))
      }
    }
    const best = touched.sort((one, other) => scores[other] - scores[one] || one - other).slice(0, count)
    for (const id of touched) scores[id] = 0
    return best
  }
}

function findTerm(columns: GlossColumns, word: Uint8Array): number {
  const at = firstTerm(columns, word)
  return at < columns.termOffsets.length - 1 && Buffer.compare(termAt(columns, at), word) === 0 ? at : -1
}

/**
 * The postings of all terms that begin with a word. They are contiguous, because terms are in byte order. The postings
 * of the word itself come first, up to `exact`.
 */
export function postingsOfPrefix(columns: GlossColumns, word: string): { from: number; exact: number; to: number } {
  const bytes = Buffer.from(word)
  const first = firstTerm(columns, bytes)
  // UTF-8 has no byte 0xff, so this key is above every term that begins with the word and below all later terms.
  const last = firstTerm(columns, Buffer.concat([bytes, Buffer.of(0xff)]))
  const isTerm = findTerm(columns, bytes) === first
  const { postingOffsets } = columns
  return { from: postingOffsets[first], exact: postingOffsets[isTerm ? first + 1 : first], to: postingOffsets[last] }
}

const termAt = ({ termArena, termOffsets }: GlossColumns, term: number) =>
  termArena.subarray(termOffsets[term], termOffsets[term + 1])

/** The first term that is not below a word in byte order. */
function firstTerm(columns: GlossColumns, word: Uint8Array): number {
  let [from, to] = [0, columns.termOffsets.length - 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (Buffer.compare(termAt(columns, middle), word) < 0) from = middle + 1
    else to = middle
  }
  return from
}
