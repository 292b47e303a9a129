import { type Dictionary, dictionaryFrom } from "../../kernels/dictionary.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../log/search-log.ts"

/**
 * A copy of the log with new texts, each issued once by each of the new users, at the time of the last row. The ids of
 * the new queries follow those of the log. The texts must be new to the log and all different.
 */
export function injectSearches(
  log: SearchLog,
  { texts, accounts }: { texts: readonly string[]; accounts: number },
): SearchLog {
  const names = newNames(log.users, accounts)
  const added = texts.length * accounts
  const rows = log.rows + added
  const last = log.time.reduce((latest, time) => Math.max(latest, time), 0)
  const lastLine = log.line.reduce((most, line) => Math.max(most, line), 0)
  const extend = <A extends Int32Array | Uint32Array | Uint16Array>(
    whole: A,
    column: A,
    value: (i: number) => number,
  ) => {
    whole.set(column)
    for (let i = 0; i < added; i++) whole[log.rows + i] = value(i)
    return whole
  }
  const columns = {
    user: extend(sharedInt32(rows), log.user, (i) => log.users.size + Math.floor(i / texts.length)),
    query: extend(sharedInt32(rows), log.query, (i) => log.queries.size + (i % texts.length)),
    time: extend(sharedInt32(rows), log.time, () => last),
    rank: extend(sharedUint16(rows), log.rank, () => unknownRank),
    url: extend(sharedInt32(rows), log.url, () => -1),
    line: extend(sharedUint32(rows), log.line, (i) => lastLine + 1 + i),
  }
  const { unit, urls } = log
  return closeLog(columns, { unit, urls, users: append(log.users, names), queries: append(log.queries, texts) })
}

function newNames(users: Dictionary, count: number): string[] {
  const names: string[] = []
  for (let i = 0; names.length < count; i++) if (users.find(`account ${i}`) < 0) names.push(`account ${i}`)
  return names
}

function append(dictionary: Dictionary, texts: readonly string[]): Dictionary {
  const { arena, offsets } = dictionary.parts()
  const used = offsets[dictionary.size]
  const added = texts.map((text) => Buffer.from(text))
  const whole = new Uint8Array(new SharedArrayBuffer(used + added.reduce((sum, { length }) => sum + length, 0)))
  whole.set(arena.subarray(0, used))
  const ends = sharedUint32(dictionary.size + texts.length + 1)
  ends.set(offsets.subarray(0, dictionary.size + 1))
  let end = used
  added.forEach((bytes, i) => {
    whole.set(bytes, end)
    end += bytes.length
    ends[dictionary.size + 1 + i] = end
  })
  return dictionaryFrom({ arena: whole, offsets: ends })
}
