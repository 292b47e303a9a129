import { firstAtLeast } from "../../kernels/search-sorted.ts"
import type { PageColumns } from "./page-columns.ts"
import { pageWordReader } from "./page-words.ts"

/** Maximum number of topics that one query retrieves. Broad words occur on pages of thousands of topics. */
const mostTopics = 200
/** Maximum number of a query's words that are looked up. */
const mostWords = 64

/** What a query finds among the pages of a taxonomy. */
export interface FoundPages {
  /** Number of pages found. */
  pages: number
  /** Topics with the number of their own pages that were found, most pages first. */
  topics: { topic: number; pages: number }[]
}

/**
 * Makes a function that counts the pages of each topic that a query finds: rel(t, q) of Shou et al. 2014, §6.3. A page
 * is found if it has all words of the query. If no page has all, the pages with the most of them are found, provided
 * that is at least half.
 *
 * Of more than 200 topics, those with the most pages stay. Ties: the larger share of the topic's pages found, then the
 * first path.
 */
export function pageSearcher(columns: PageColumns): (query: string) => FoundPages {
  const { topic, postings, postingOffsets } = columns
  const wordsOf = pageWordReader()
  const hits = new Uint8Array(topic.length)
  const sizeOf = (id: number) => firstAtLeast(topic, id + 1) - firstAtLeast(topic, id)
  return (query) => {
    const words = wordsOf(query).slice(0, mostWords)
    const lists = words.map((word) => findWord(columns, Buffer.from(word))).filter((word) => word >= 0)
    let most = 0
    for (const word of lists)
      for (let at = postingOffsets[word]; at < postingOffsets[word + 1]; at++)
        most = Math.max(most, ++hits[postings[at]])
    const isEnough = most * 2 >= words.length
    const counts = new Map<number, number>()
    let pages = 0
    for (const word of lists)
      for (let at = postingOffsets[word]; at < postingOffsets[word + 1]; at++) {
        const page = postings[at]
        if (isEnough && hits[page] === most) {
          counts.set(topic[page], (counts.get(topic[page]) ?? 0) + 1)
          pages++
        }
        hits[page] = 0
      }
    const found = Array.from(counts, ([id, count]) => ({ topic: id, pages: count, share: count / sizeOf(id) }))
    found.sort((a, b) => b.pages - a.pages || b.share - a.share || a.topic - b.topic)
    return { pages, topics: found.slice(0, mostTopics).map(({ share: _, ...rest }) => rest) }
  }
}

function findWord({ wordArena, wordOffsets }: PageColumns, word: Uint8Array): number {
  let [from, to] = [0, wordOffsets.length - 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = Buffer.compare(wordArena.subarray(wordOffsets[middle], wordOffsets[middle + 1]), word)
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return -1
}
