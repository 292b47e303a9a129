import type { Ngrams } from "../kernels/ngrams.ts"

/** How many n-grams of one length there are, and how often they occur. */
export interface NgramCount {
  unique: number
  /** Every occurrence in every event. */
  total: number
}

/** The n-grams of one length: all, and the frequent ones. */
export interface NgramPart extends NgramCount {
  n: number
  /** Those that enough users issued and that are not made of function words only. */
  frequent: NgramCount
}

/**
 * The users that a frequent n-gram needs: one in ten thousand, rounded down, at least one. 65 of the 657,426 of AOL:
 * Carpineto & Romano 2015, §3.1.
 */
export function frequentUsers(users: number): number {
  return Math.max(1, Math.floor(users / 10_000))
}

/**
 * Unique and total n-grams of each length, all and frequent, as Table 2 of Carpineto & Romano 2015. `isFunctionWord` has
 * a 1 for each word that has little content of its own. The lengths must be 1, 2, 3 … in this order.
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

/** 1 for each n-gram whose words are all function words, given the same of the shorter ones. */
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
