import type { RunContext } from "../kernels/context.ts"
import { dictionaryOf } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import { closeLog } from "../log/assemble-log.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../log/search-log.ts"
import { scrubLog } from "../release/scrub.ts"
import { kindSet } from "../text/identifiers/kinds.ts"
import { normaliseQuery } from "../text/normalise.ts"
import type { RemoteDecision, RemoteRequest } from "./remote-log.ts"

/** The decision on queries, and the text under which each is released. */
export type DecidedQueries = Omit<RemoteDecision, "withheld" | "writeParts"> & {
  /** Maps each text as the engine gave it to the released text. A missing text must not be released. */
  shown: ReadonlyMap<string, string>
}

/**
 * Decides on this machine which queries of a remote log may be released, for a method that decides query by query. The
 * input is the log's distinct pairs of user and query text. Texts are normalised and scrubbed here. The engine applies
 * the decision to its rows.
 */
export async function decideQueries(
  pairs: Iterable<readonly [user: string, query: string]>,
  request: RemoteRequest,
  context: RunContext,
): Promise<DecidedQueries> {
  const { log, texts } = logOfPairs(pairs)
  const scrubbed = await scrubLog(log, { kinds: kindSet(request.scrub), exempt: new Set(request.exempt) }, context)
  const result = await request.method.run(scrubbed.log, request.parameters, context)
  if (result.kind !== "queries")
    throw new QueryveilError("remote-refused", `${request.method.name}: does not decide query by query.`)
  const { guarantee, audit, warnings = [], measured, decision } = result
  const held = new Uint8Array(log.queries.size)
  for (const query of scrubbed.log.query) held[query] = 1
  const shown = new Map<string, string>()
  for (const [text, query] of texts) {
    if (held[query] === 0 || decision.released[query] === 0) continue
    const { shown: instead } = decision
    shown.set(text, instead === undefined ? log.queries.text(query) : instead.texts.text(instead.text[query] ?? 0))
  }
  const { exempted } = scrubbed
  return { guarantee, audit, warnings, ...(measured && { measured }), ...(exempted && { exempted }), shown }
}

/** A log with one row per pair, and the query id of each text as given. */
function logOfPairs(pairs: Iterable<readonly [user: string, query: string]>): {
  log: SearchLog
  texts: Map<string, number>
} {
  const users = new Map<string, number>()
  const queries = new Map<string, number>()
  const texts = new Map<string, number>()
  const user: number[] = []
  const query: number[] = []
  for (const [name, text] of pairs) {
    let id = texts.get(text)
    if (id === undefined) {
      const normalised = normaliseQuery(text)
      if (normalised === "") continue
      id = idOf(queries, normalised)
      texts.set(text, id)
    }
    user.push(idOf(users, name))
    query.push(id)
  }
  const columns = {
    user: sharedInt32(user.length),
    query: sharedInt32(user.length),
    time: sharedInt32(user.length),
    rank: sharedUint16(user.length).fill(unknownRank),
    url: sharedInt32(user.length).fill(-1),
    line: sharedUint32(user.length),
  }
  columns.user.set(user)
  columns.query.set(query)
  const names = { users: dictionaryOf([...users.keys()]), queries: dictionaryOf([...queries.keys()]) }
  return { log: closeLog(columns, { unit: "user", ...names, urls: dictionaryOf([]) }), texts }
}

/** The number of a text. A new text gets the next number. */
function idOf(ids: Map<string, number>, text: string): number {
  const known = ids.get(text)
  if (known !== undefined) return known
  ids.set(text, ids.size)
  return ids.size - 1
}
