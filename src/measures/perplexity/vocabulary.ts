import type { WordRuns } from "../../kernels/trigram-index.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { TokenisedQueries } from "../../text/tokens.ts"

/**
 * The words that perplexities are compared on: those that at least two users of the log wrote. All other words form one
 * class. They depend on the log alone, so they are the same for every release.
 */
export interface Vocabulary {
  /** The number of classes: one for each word of at least two users, and the last for all others. */
  classes: number
  /** The number of words of the log in the last class. */
  rare: number
  /** The class of each word of the log, by word id. */
  classOf: Int32Array
  /** The words of the log. */
  words: TokenisedQueries["words"]
}

export function chooseVocabulary(log: SearchLog, { words, offsets, tokens }: TokenisedQueries): Vocabulary {
  const users = new Uint8Array(words.size) // number of users, capped at 2
  const last = new Int32Array(words.size).fill(-1)
  for (let row = 0; row < log.rows; row++) {
    const [user, query] = [log.user[row], log.query[row]]
    if (user < 0 || (row > 0 && user === log.user[row - 1] && query === log.query[row - 1])) continue
    for (let i = offsets[query]; i < offsets[query + 1]; i++) {
      const word = tokens[i]
      if (last[word] === user) continue
      last[word] = user
      if (users[word] < 2) users[word]++
    }
  }
  const classOf = new Int32Array(words.size).fill(-1)
  let known = 0
  for (let word = 0; word < classOf.length; word++) if (users[word] === 2) classOf[word] = known++
  const rare = words.size - known
  return { classes: known + 1, rare, words, classOf: classOf.map((own) => (own < 0 ? known : own)) }
}

/** Texts as sequences of classes. A word that the log does not have is in the last class. */
export function classRuns({ words, offsets, tokens }: TokenisedQueries, vocabulary: Vocabulary): WordRuns {
  const { classes, classOf, words: known } = vocabulary
  const own = Int32Array.from({ length: words.size }, (_, word) => {
    const found = words === known ? word : known.findBytes(words.bytes(word))
    return found < 0 ? classes - 1 : classOf[found]
  })
  return { offsets, tokens: Int32Array.from(tokens, (word) => own[word]) }
}
