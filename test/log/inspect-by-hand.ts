import type { SearchLog } from "#dist/log/search-log.js"
import { englishFunctionWords, parseFunctionWords } from "#dist/text/function-words.js"
import { identifierKinds, kindBit } from "#dist/text/identifiers/kinds.js"
import { detectKinds } from "#dist/text/identifiers/registry.js"
import { groupBy } from "../support/group-by.ts"

const sizeOf = (values: Iterable<unknown>) => new Set(values).size

/** What `inspect` says about the words of a log, counted again with strings, Maps and Sets. */
export function inspectByHand(log: SearchLog) {
  const rows = Array.from({ length: log.rows }, (_, row) => ({
    user: log.users.text(log.user[row]),
    query: log.queries.text(log.query[row]),
    time: log.time[row],
    url: log.url[row] < 0 ? undefined : log.urls.text(log.url[row]),
  }))
  const events = [...new Map(rows.map((row) => [`${row.user}\t${row.query}\t${row.time}`, row])).values()]
  const usersOf = groupBy(events, ({ query }) => query)
  const users = (query: string) => sizeOf((usersOf.get(query) ?? []).map(({ user }) => user))
  const distinct = [...usersOf.keys()]
  const allUsers = sizeOf(rows.map(({ user }) => user))
  const part = (holds: (query: string) => boolean) => {
    const some = { queries: distinct.filter(holds).length, events: events.filter(({ query }) => holds(query)).length }
    return { ...some, queryShare: some.queries / distinct.length, eventShare: some.events / events.length }
  }
  const leastUsers = Math.max(1, Math.ceil(allUsers / 10_000))
  const times = rows.map(({ time }) => time)
  const kinds = new Map(distinct.map((query) => [query, detectKinds(query)]))
  const identified = (kind: string, bits: number) => {
    const holds = ({ query }: { query: string }) => ((kinds.get(query) ?? 0) & bits) !== 0
    const count = (list: { query: string }[]) => list.filter(holds).length
    return { kind, queries: count(distinct.map((query) => ({ query }))), events: count(events), rows: count(rows) }
  }
  const unique = sizeOf(events.filter(({ query }) => users(query) === 1).map(({ user }) => user))
  const everyKind = identifierKinds.reduce((bits, kind) => bits | kindBit(kind), 0)
  return {
    tokens: "words",
    size: {
      rows: rows.length,
      events: events.length,
      users: allUsers,
      queries: distinct.length,
      urls: sizeOf(rows.flatMap(({ url }) => url ?? [])),
    },
    time: {
      first: new Date(Math.min(...times) * 1000).toISOString().replace(".000", ""),
      last: new Date(Math.max(...times) * 1000).toISOString().replace(".000", ""),
      days: (Math.max(...times) - Math.min(...times)) / 86400,
    },
    lengths: [1, 2, 3, 4, 5].map((words) => ({
      words,
      orMore: words === 5,
      ...part((query) => Math.min(5, query.split(" ").length) === words),
    })),
    ngrams: { leastUsers, lengths: [1, 2, 3].map((n) => countNgramsByHand(events, { n, leastUsers })) },
    exposure: {
      queries: [2, 5, 10, 100].map((fewerThan) => ({ fewerThan, ...part((query) => users(query) < fewerThan) })),
      usersWithUniqueQuery: { users: unique, share: unique / allUsers },
    },
    identifiers: [
      ...identifierKinds.map((kind) => identified(kind, kindBit(kind))),
      identified("any but person", everyKind & ~kindBit("person")),
      identified("any", everyKind),
    ],
  }
}

function countNgramsByHand(
  events: readonly { user: string; query: string }[],
  { n, leastUsers }: { n: number; leastUsers: number },
) {
  const functionWords = parseFunctionWords(englishFunctionWords)
  const found = new Map<string, string[]>()
  for (const { user, query } of events) {
    const words = query.split(" ")
    for (let i = 0; i + n <= words.length; i++) {
      const name = words.slice(i, i + n).join(" ")
      const list = found.get(name)
      if (list === undefined) found.set(name, [user])
      else list.push(user)
    }
  }
  const count = (list: [string, string[]][]) => ({ unique: list.length, total: list.flatMap(([, all]) => all).length })
  const frequent = [...found].filter(
    ([name, all]) => sizeOf(all) >= leastUsers && !name.split(" ").every((word) => functionWords.has(word)),
  )
  return { n, ...count([...found]), frequent: count(frequent) }
}
