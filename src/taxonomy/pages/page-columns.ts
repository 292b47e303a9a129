/**
 * The inverted index over the pages of a taxonomy: Shou et al. 2014, §6.1. Pages are numbered in the order of their
 * topics, and topics are in preorder, so the pages of a whole subtree are one run of every list. One index replaces the
 * hierarchy of indices I[t].
 */
export interface PageColumns {
  /** Maps each page to its topic. Ascending. */
  topic: Int32Array
  /** Word i is wordArena[wordOffsets[i], wordOffsets[i + 1]). Words are in byte order. */
  wordArena: Uint8Array
  wordOffsets: Uint32Array
  /** Word i occurs in the pages postings[postingOffsets[i], postingOffsets[i + 1]), ascending, each once. */
  postingOffsets: Uint32Array
  postings: Uint32Array
}

/** True if the columns form an index over a tree with this many topics. */
export function isPageIndex(pages: PageColumns, topics: number): boolean {
  const { topic, wordArena, wordOffsets, postingOffsets, postings } = pages
  const words = wordOffsets.length - 1
  if (words < 0 || wordOffsets[0] !== 0 || wordOffsets[words] !== wordArena.length) return false
  if (postingOffsets.length !== words + 1 || postingOffsets[0] !== 0) return false
  if (postingOffsets[words] !== postings.length) return false
  for (let page = 0; page < topic.length; page++) {
    if (topic[page] < (page === 0 ? 0 : topic[page - 1]) || topic[page] >= topics) return false
  }
  for (let word = 0; word < words; word++) {
    if (wordOffsets[word] > wordOffsets[word + 1] || postingOffsets[word] > postingOffsets[word + 1]) return false
    for (let at = postingOffsets[word]; at < postingOffsets[word + 1]; at++) {
      if (postings[at] >= topic.length) return false
      if (at > postingOffsets[word] && postings[at] <= postings[at - 1]) return false
    }
  }
  return true
}
