import type { RunContext } from "../../kernels/context.ts"
import { indexProfiles, type ProfileIndex } from "../../kernels/linkage/profile-index.ts"
import type { CsrSets } from "../../kernels/set-users.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type TokenisedQueries, tokeniseQueries } from "../../text/tokens.ts"
import { earlierSearches } from "./earlier-searches.ts"

/** Profiles indexed by word, and the words of what a release shows. */
export interface Profiles {
  index: ProfileIndex
  /** The distinct words of a released text; undefined if the adversary cannot use it. */
  wordsOf(text: number): Int32Array | undefined
}

const known = new WeakMap<SearchLog, Map<number, Promise<{ sets: CsrSets; index: ProfileIndex }>>>()

/** Profiles of words as written; in scripts without spaces, as the segmenter cuts them. Built once for a log. */
export async function wordProfiles(
  log: SearchLog,
  { share, released }: { share: number; released: SearchLog },
  context: RunContext,
): Promise<Profiles> {
  const ofLog = known.get(log) ?? new Map<number, Promise<{ sets: CsrSets; index: ProfileIndex }>>()
  known.set(log, ofLog)
  const making = ofLog.get(share) ?? indexLog(log, share, context)
  ofLog.set(share, making)
  making.catch(() => ofLog.delete(share))
  const { sets, index } = await making
  return {
    index,
    wordsOf: (text) => {
      const query = log.queries.findBytes(released.queries.bytes(text))
      return query < 0 ? undefined : sets.members.subarray(sets.offsets[query], sets.offsets[query + 1])
    },
  }
}

async function indexLog(log: SearchLog, share: number, context: RunContext) {
  const sets = distinctWords(await tokeniseQueries(log.queries, { tokens: "segmenter" }, context))
  return { sets, index: indexProfiles(sets, earlierSearches(log, share)) }
}

/** The distinct words of each query, ascending. */
function distinctWords({ words, offsets, tokens }: TokenisedQueries): CsrSets {
  const starts = new Uint32Array(offsets.length)
  const members = new Int32Array(tokens.length)
  let at = 0
  for (let query = 0; query + 1 < offsets.length; query++) {
    const own = tokens.slice(offsets[query], offsets[query + 1]).sort()
    for (let i = 0; i < own.length; i++) if (i === 0 || own[i] !== own[i - 1]) members[at++] = own[i]
    starts[query + 1] = at
  }
  return { offsets: starts, members: members.slice(0, at), size: words.size }
}
