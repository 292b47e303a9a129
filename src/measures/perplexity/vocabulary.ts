import type { WordRuns } from "../../kernels/trigram-index.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { TokenisedQueries } from "../../text/tokens.ts"

/**
 * The words by which perplexities are compared, of the log alone, so that they are the same for every release: those that at least
 * two of its users wrote. All others are of one class.
 */
export interface Vocabulary {
  /** How many classes there are: one for each word of two users, the last for all others. */
  classes: number
  /** How many words of the log are in the last class. */
  rare: number
  /** The class of each word of the log, by its id there. */
  classOf: Int32Array
  /** Words as the log has them. */
  words: TokenisedQueries["words"]
}

export function chooseVocabulary(log: SearchLog, { words, offsets, tokens }: TokenisedQueries): Vocabulary {
  const users = new Uint8Array(words.size) // 0, 1, or 2 for more
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

/** Texts as runs of classes. A word that the log does not have is of the last one. */
export function classRuns({ words, offsets, tokens }: TokenisedQueries, vocabulary: Vocabulary): WordRuns {
  const { classes, classOf, words: known } = vocabulary
  const own = Int32Array.from({ length: words.size }, (_, word) => {
    const found = words === known ? word : known.findBytes(words.bytes(word))
    return found < 0 ? classes - 1 : classOf[found]
  })
  return { offsets, tokens: Int32Array.from(tokens, (word) => own[word]) }
}
