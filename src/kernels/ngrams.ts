import type { RunContext } from "./context.ts"
import { indexNgrams, type NgramIndex, type TokenRuns } from "./index-ngrams.ts"
import { type CsrSets, countSetUsers } from "./set-users.ts"

/** The n-grams of one length, with their counts. */
export interface Ngrams extends Omit<NgramIndex, "repeated"> {
  /** Distinct users who issued a query with the n-gram. */
  users: Uint32Array
}

/** The rows of a log, grouped by user; and by query its events and distinct users. */
export interface NgramRows {
  user: Int32Array
  query: Int32Array
  queryEvents: Uint32Array
  queryUsers: Uint32Array
}

/**
 * The n-grams of length 1 … `longest` of the queries, with occurrences over events, events and distinct users; exact.
 * An n-gram of a query without events is listed with zeros.
 *
 * Texts are read once for each length, by distinct query. Users are read once, by row, for the n-grams that occur at
 * more than one token. The other n-grams have the users of the only query that contains them. O(tokens + Σ over
 * distinct (user, query) of the query's n-grams).
 */
export async function countNgrams(
  runs: TokenRuns,
  options: { rows: NgramRows; longest?: number },
  context: RunContext,
): Promise<Ngrams[]> {
  const { rows, longest = 3 } = options
  const { user, query, queryEvents, queryUsers } = rows
  const indexes: NgramIndex[] = []
  for (let n = 1; n <= longest; n++) {
    const shorter = indexes.at(-1)
    indexes.push(await indexNgrams(runs, { queryEvents, ...(shorter && { shorter }) }, context))
  }
  const { sets, memberOf } = gatherRepeated(runs, indexes)
  const counted = await countSetUsers(sets, { user, query }, context)
  return indexes.map(({ repeated, ...index }, i) => {
    const users = new Uint32Array(index.size)
    for (let id = 0; id < users.length; id++) if (repeated[id] === 1) users[id] = counted[memberOf[i][id]]
    spreadUsers(runs, { index, repeated, queryUsers }, users)
    return { ...index, users }
  })
}

/** The repeated n-grams of each query. N-grams of all lengths share one numbering. */
function gatherRepeated({ offsets, tokens }: TokenRuns, indexes: readonly NgramIndex[]) {
  let size = 0
  const memberOf = indexes.map(({ repeated }) => {
    const members = new Int32Array(repeated.length)
    for (let id = 0; id < repeated.length; id++) members[id] = repeated[id] === 1 ? size++ : -1
    return members
  })
  const setOffsets = new Uint32Array(new SharedArrayBuffer(offsets.length * 4))
  const members = new Int32Array(new SharedArrayBuffer(tokens.length * indexes.length * 4))
  let length = 0
  for (let query = 0; query + 1 < offsets.length; query++) {
    for (let i = 0; i < indexes.length; i++) {
      const { at, n } = indexes[i]
      const memberOfId = memberOf[i]
      for (let token = offsets[query], stop = offsets[query + 1] - n; token <= stop; token++) {
        const member = memberOfId[at[token]]
        if (member >= 0) members[length++] = member
      }
    }
    setOffsets[query + 1] = length
  }
  const sets: CsrSets = { offsets: setOffsets, members: members.subarray(0, length), size }
  return { sets, memberOf }
}

/** Gives an n-gram that occurs at only one token the users of its query. */
function spreadUsers(
  { offsets }: TokenRuns,
  of: { index: Pick<NgramIndex, "n" | "at">; repeated: Uint8Array; queryUsers: Uint32Array },
  users: Uint32Array,
): void {
  const { index, repeated, queryUsers } = of
  for (let query = 0; query + 1 < offsets.length; query++) {
    for (let token = offsets[query], stop = offsets[query + 1] - index.n; token <= stop; token++) {
      const id = index.at[token]
      if (repeated[id] === 0) users[id] = queryUsers[query]
    }
  }
}
