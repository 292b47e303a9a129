import type { ProfileIndex } from "./profile-index.ts"

/** Users whose profiles are similar to a query, and how similar. The similarity of all other users is 0. */
export interface ProfileMatch {
  users: Int32Array
  similarity: Float64Array
}

/**
 * Similarity of a query to every profile, Petit et al. 2016 (SimAttack). A query is a set of words. Its cosine with a
 * search of the profile is |A ∩ B| / √(|A| |B|). The cosines with all searches of a profile, ascending, are smoothed: m
 * starts as the first, then m ← a·c + (1 − a)·m for each that follows, where a is `smoothing`.
 *
 * Only searches that share a word need a step. The searches before them leave m at 0, or there are none. r equal
 * cosines are one step, m ← c + (1 − a)^r (m − c). So texts are processed in classes of one cosine, for all users at
 * once, and m starts at 0. If every search of a user shares a word, the user also gets (1 − a)^n times their first
 * cosine, where n is the number of their searches. The arrays of a match are valid until the next match.
 */
export function createProfileMatcher(
  index: ProfileIndex,
  { smoothing }: { smoothing: number },
): (words: Int32Array) => ProfileMatch {
  const { searches, lengths, lengthOf, postings, user, times, starts, texts } = index
  const overlap = new Uint32Array(lengthOf.length)
  const [found, sorted] = [new Int32Array(lengthOf.length), new Int32Array(lengthOf.length)]
  const [smoothed, first] = [new Float64Array(searches.length), new Float64Array(searches.length)]
  const matched = new Uint32Array(searches.length)
  const [users, similarity] = [new Int32Array(searches.length), new Float64Array(searches.length)]
  const powers = Float64Array.from({ length: 64 }, (_, times) => (1 - smoothing) ** times)
  const kept = (times: number) => (times < powers.length ? powers[times] : (1 - smoothing) ** times)

  /** Finds the texts that share a word, and counts the words they share. */
  function collectTexts(words: Int32Array): { count: number; most: number } {
    let [count, most] = [0, 0]
    for (const word of words) {
      if (word < 0) continue
      for (let i = starts[word]; i < starts[word + 1]; i++) {
        const text = texts[i]
        if (overlap[text] === 0) found[count++] = text
        if (++overlap[text] > most) most = overlap[text]
      }
    }
    return { count, most }
  }

  /**
   * By class; 0 between two matches. If queries are whole pages there may be millions, so only those found are visited.
   */
  let places = new Uint32Array(0)

  /** Sorts the found texts by ascending cosine. Texts of one overlap and one length form a class. */
  function sortTexts({ count, most }: { count: number; most: number }): void {
    const classOf = (text: number) => (overlap[text] - 1) * lengths.length + lengthOf[text]
    if (places.length < most * lengths.length) places = new Uint32Array(most * lengths.length)
    const classes: number[] = []
    for (let i = 0; i < count; i++) if (places[classOf(found[i])]++ === 0) classes.push(classOf(found[i]))
    const squared = (of: number) => (Math.floor(of / lengths.length) + 1) ** 2 / lengths[of % lengths.length]
    let next = 0
    for (const of of classes.sort((a, b) => squared(a) - squared(b))) {
      const size = places[of]
      places[of] = next
      next += size
    }
    for (let i = 0; i < count; i++) sorted[places[classOf(found[i])]++] = found[i]
    for (const of of classes) places[of] = 0
  }

  return (words) => {
    const collected = collectTexts(words)
    sortTexts(collected)
    let touched = 0
    for (let i = 0; i < collected.count; i++) {
      const text = sorted[i]
      const cosine = overlap[text] / Math.sqrt(words.length * lengths[lengthOf[text]])
      overlap[text] = 0
      for (let at = postings[text]; at < postings[text + 1]; at++) {
        const who = user[at]
        if (matched[who] === 0) {
          users[touched++] = who
          first[who] = cosine
          smoothed[who] = 0
        }
        matched[who] += times[at]
        smoothed[who] = cosine + kept(times[at]) * (smoothed[who] - cosine)
      }
    }
    for (let i = 0; i < touched; i++) {
      const who = users[i]
      const isWhole = matched[who] === searches[who]
      similarity[i] = smoothed[who] + (isWhole ? kept(matched[who]) * first[who] : 0)
      matched[who] = 0
    }
    return { users: users.subarray(0, touched), similarity: similarity.subarray(0, touched) }
  }
}
