import type { Ngrams } from "../kernels/ngrams.ts"

/** The number of n-grams of one length, and how often they occur. */
export interface NgramCount {
  unique: number
  /** Counts every occurrence in every event. */
  total: number
}

/** The n-grams of one length: all of them, and the frequent ones. */
export interface NgramPart extends NgramCount {
  n: number
  /** N-grams that enough users issued and that do not consist of function words only. */
  frequent: NgramCount
}

/**
 * The number of users that makes an n-gram frequent: one in ten thousand, rounded down, at least one. For AOL that is
 * 65 of 657,426 users: Carpineto & Romano 2015, §3.1.
 */
export function frequentUsers(users: number): number {
  return Math.max(1, Math.floor(users / 10_000))
}

/**
 * Unique and total n-grams of each length, all and frequent, as in Table 2 of Carpineto & Romano 2015. `isFunctionWord`
 * has a 1 for each word with little content of its own. The lengths must be 1, 2, 3 … in this order.
 */
export function summariseNgrams(
  lengths: readonly Ngrams[],
  options: { isFunctionWord: Uint8Array; leastUsers: number },
): NgramPart[] {
  let isEmpty = options.isFunctionWord
  return lengths.map((ngrams) => {
    if (ngrams.n > 1) isEmpty = extendEmpty(ngrams, isEmpty, options.isFunctionWord)
    return summariseLength(ngrams, isEmpty, options.leastUsers)
  })
}

/**
 * 1 for each n-gram that consists of function words only. `shorter` has the same for the n-grams that are one word
 * shorter.
 */
function extendEmpty({ size, prefix, last }: Ngrams, shorter: Uint8Array, isFunctionWord: Uint8Array): Uint8Array {
  const isEmpty = new Uint8Array(size)
  for (let id = 0; id < size; id++) isEmpty[id] = shorter[prefix[id]] & isFunctionWord[last[id]]
  return isEmpty
}

function summariseLength({ n, size, occurrences, users }: Ngrams, isEmpty: Uint8Array, leastUsers: number): NgramPart {
  const part: NgramPart = { n, unique: 0, total: 0, frequent: { unique: 0, total: 0 } }
  for (let id = 0; id < size; id++) {
    if (occurrences[id] === 0) continue
    part.unique++
    part.total += occurrences[id]
    if (users[id] < leastUsers || isEmpty[id] === 1) continue
    part.frequent.unique++
    part.frequent.total += occurrences[id]
  }
  return part
}
