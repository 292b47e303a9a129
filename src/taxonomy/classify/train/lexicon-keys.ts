import { Interner } from "../../../kernels/dictionary.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import { englishFunctionWords, parseFunctionWords } from "../../../text/function-words.ts"
import type { TokenisedQueries } from "../../../text/tokens.ts"
import { lexiconKey } from "../read-words.ts"
import { internText } from "../word-index.ts"

/** The words that a log can teach something about. */
export interface LexiconKeys {
  /** In byte order, so that their order reveals nothing. */
  texts: string[]
  /** For each word of the log: its key, or -1 if too few users searched for it or it is not a key. */
  keyOf: Int32Array
}

const longestKey = 64

/** Finds the words that have at least `minUsers` users, without function words and numbers. */
export function findKeys(log: SearchLog, tokens: TokenisedQueries, options: { minUsers: number }): LexiconKeys {
  const functionWords = parseFunctionWords(englishFunctionWords)
  const known = new Interner({ expected: tokens.words.size })
  const raw = new Int32Array(tokens.words.size).fill(-1)
  for (let word = 0; word < raw.length; word++) {
    const key = lexiconKey(tokens.words.text(word))
    if (key.length > 1 && key.length <= longestKey && /\p{L}/u.test(key) && !functionWords.has(key))
      raw[word] = internText(known, key)
  }
  const users = countUsers(log, tokens, { raw, keys: known.size })
  const dictionary = known.freeze()
  const kept: { id: number; text: string }[] = []
  for (let id = 0; id < known.size; id++)
    if (users[id] >= options.minUsers) kept.push({ id, text: dictionary.text(id) })
  kept.sort((a, b) => Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)))
  const place = new Int32Array(known.size).fill(-1)
  kept.forEach(({ id }, i) => {
    place[id] = i
  })
  const keyOf = raw.map((id) => (id < 0 ? -1 : place[id]))
  return { texts: kept.map(({ text }) => text), keyOf }
}

/** Counts the distinct users of each key. Rows are grouped by user. */
function countUsers(
  log: SearchLog,
  { offsets, tokens }: TokenisedQueries,
  { raw, keys }: { raw: Int32Array; keys: number },
): Uint32Array {
  const users = new Uint32Array(keys)
  const last = new Int32Array(keys).fill(-1)
  for (let row = 0; row < log.rows; row++) {
    const query = log.query[row]
    for (let i = offsets[query]; i < offsets[query + 1]; i++) {
      const key = raw[tokens[i]]
      if (key < 0 || last[key] === log.user[row]) continue
      last[key] = log.user[row]
      users[key]++
    }
  }
  return users
}
