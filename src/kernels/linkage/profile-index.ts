import { orderByNumbers } from "../order-by-numbers.ts"
import { classifySets } from "../set-classes.ts"
import type { CsrSets } from "../set-users.ts"

/** The searches of users as sets of words, indexed by word. Searches with the same set of words are one text. */
export interface ProfileIndex {
  /** By user: the number of searches in the profile; 0 if the user has no profile. */
  searches: Uint32Array
  /** The number of users who have a profile. */
  profiles: number
  /** The distinct lengths of texts, in words; and by text the index of its length. */
  lengths: Uint32Array
  lengthOf: Uint32Array
  /**
   * By text t: the users who searched for it, user[postings[t], postings[t + 1]), and how often, in `times` at the same
   * place.
   */
  postings: Uint32Array
  user: Int32Array
  times: Uint32Array
  /** By word: texts[starts[w], starts[w + 1]). */
  starts: Uint32Array
  texts: Int32Array
}

/**
 * Indexes searches. Each is given as a set of words and a user. A search without a word is in its user's profile, but
 * no query is similar to it.
 */
export function indexProfiles(
  sets: CsrSets,
  searches: { set: Int32Array; user: Int32Array; users: number },
): ProfileIndex {
  const { classOf } = classifySets(sets, { weight: new Uint8Array(sets.offsets.length - 1) })
  const perUser = new Uint32Array(searches.users)
  for (const user of searches.user) perUser[user]++
  const { from, ...postings } = countPostings(searches, classOf)
  const length = Uint32Array.from(from, (set) => sets.offsets[set + 1] - sets.offsets[set])
  const lengths = Uint32Array.from(new Set(length))
  const place = new Map(Array.from(lengths, (words, i) => [words, i]))
  return {
    searches: perUser,
    profiles: perUser.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0),
    lengths,
    lengthOf: length.map((words) => place.get(words) ?? 0),
    ...postings,
    ...invert(sets, from),
  }
}

interface Postings {
  postings: Uint32Array
  user: Int32Array
  times: Uint32Array
  /** By text: one of its sets. */
  from: Uint32Array
}

/** Orders searches by text, then by user. Equal ones become one posting. */
function countPostings({ set, user }: { set: Int32Array; user: Int32Array }, classOf: Int32Array): Postings {
  const order = orderByNumbers([Uint32Array.from(set, (of) => classOf[of] + 1), Uint32Array.from(user)])
  const postings: number[] = []
  const from: number[] = []
  const users = new Int32Array(order.length)
  const times = new Uint32Array(order.length)
  let at = -1
  let text = -1
  for (const search of order) {
    if (classOf[set[search]] < 0) continue
    const isNew = text < 0 || classOf[set[search]] !== classOf[from[text]]
    if (isNew) text++
    if (isNew) from.push(set[search])
    if (isNew) postings.push(at + 1)
    if (isNew || users[at] !== user[search]) users[++at] = user[search]
    times[at]++
  }
  postings.push(at + 1)
  return {
    postings: Uint32Array.from(postings),
    user: users.slice(0, at + 1),
    times: times.slice(0, at + 1),
    from: Uint32Array.from(from),
  }
}

/** By word: the texts that have it. */
function invert({ offsets, members, size }: CsrSets, from: Uint32Array): Pick<ProfileIndex, "starts" | "texts"> {
  const starts = new Uint32Array(size + 1)
  for (const set of from) for (let i = offsets[set]; i < offsets[set + 1]; i++) starts[members[i] + 1]++
  for (let word = 0; word < size; word++) starts[word + 1] += starts[word]
  const texts = new Int32Array(starts[size])
  const next = starts.slice()
  from.forEach((set, text) => {
    for (let i = offsets[set]; i < offsets[set + 1]; i++) texts[next[members[i]]++] = text
  })
  return { starts, texts }
}
