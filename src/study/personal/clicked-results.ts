import { type SearchLog, unknownRank } from "../../log/search-log.ts"
import { wordsOfUrl } from "../../personal/learn.ts"
import type { Results } from "./judge.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

/** The most queries of other users that the text of a result takes in. */
const mostQueries = 20

/** A url that was clicked for a query: the sum and number of its known ranks, and the clicks of each user. */
interface ClickedUrl {
  url: number
  ranks: number
  ranked: number
  clicks: Map<number, number>
}

/** What the log says about results: the urls clicked for some queries, and the other queries that led to those urls. */
export interface ClickIndex {
  /** The results of a search; undefined unless the log has some that the person clicked and some that they did not. */
  resultsOf(situation: Situation): Results | undefined
}

/**
 * Builds results from real clicks. A log has no result lists, so the results of a query are all urls that anyone
 * clicked for it, in the order of their mean rank in the log. Without ranks the order is by the clicks of other users.
 *
 * The text of a result is the words of its url and the other queries through which other users reached it. Relevant are
 * the urls that the person clicked, in the half of their searches that their profile was not learned from.
 */
export function indexClicks({ log }: World, situations: readonly Situation[]): ClickIndex {
  const wanted = new Set(situations.filter(({ query }) => query.clicked.size > 0).map(({ query }) => query.id))
  const byQuery = gatherClicks(log, wanted)
  const urls = new Set([...byQuery.values()].flatMap((clicked) => [...clicked.keys()]))
  const led = gatherQueries(log, urls)
  return {
    resultsOf: ({ person, query }) => {
      const clicked = [...(byQuery.get(query.id)?.values() ?? [])]
      const own = clicked.filter(({ url }) => query.clicked.has(url)).length
      if (own === 0 || own === clicked.length) return undefined
      const order = clicked.sort(byRank(person.user)).map(({ url }) => url)
      return {
        texts: order.map((url) => {
          const queries = (led.get(url) ?? []).filter(({ id, user }) => id !== query.id && user !== person.user)
          return [
            wordsOfUrl(log.urls.text(url)),
            ...queries.slice(0, mostQueries).map(({ id }) => log.queries.text(id)),
          ].join(" ")
        }),
        isRelevant: (item) => query.clicked.has(order[item] ?? -1),
      }
    },
  }
}

function gatherClicks(log: SearchLog, wanted: ReadonlySet<number>): Map<number, Map<number, ClickedUrl>> {
  const byQuery = new Map<number, Map<number, ClickedUrl>>()
  for (let row = 0; row < log.rows; row++) {
    const [query = 0, url = -1, user = 0, rank = unknownRank] = [
      log.query[row],
      log.url[row],
      log.user[row],
      log.rank[row],
    ]
    if (url < 0 || !wanted.has(query)) continue
    const clicked = byQuery.get(query) ?? new Map<number, ClickedUrl>()
    byQuery.set(query, clicked)
    const found = clicked.get(url) ?? { url, ranks: 0, ranked: 0, clicks: new Map<number, number>() }
    clicked.set(url, found)
    found.clicks.set(user, (found.clicks.get(user) ?? 0) + 1)
    if (rank === unknownRank) continue
    found.ranks += rank
    found.ranked++
  }
  return byQuery
}

/** The queries that led to a click on each url, each paired with a user who issued it, in log order. */
function gatherQueries(log: SearchLog, urls: ReadonlySet<number>): Map<number, { id: number; user: number }[]> {
  const led = new Map<number, { id: number; user: number }[]>()
  for (let row = 0; row < log.rows; row++) {
    const [url = -1, id = 0, user = 0] = [log.url[row], log.query[row], log.user[row]]
    if (url < 0 || !urls.has(url)) continue
    const found = led.get(url) ?? []
    led.set(url, found)
    if (found.length < mostQueries * 4 && !found.some((one) => one.id === id && one.user === user))
      found.push({ id, user })
  }
  return led
}

/** Orders by mean rank. Equal or unknown ranks are ordered by the clicks of other users, then by url number. */
const byRank = (person: number) => (a: ClickedUrl, b: ClickedUrl) => {
  const rankOf = ({ ranks, ranked }: ClickedUrl) => (ranked === 0 ? Number.POSITIVE_INFINITY : ranks / ranked)
  const othersOf = ({ clicks }: ClickedUrl) => {
    let sum = 0
    for (const [user, count] of clicks) if (user !== person) sum += count
    return sum
  }
  const [first, second] = [rankOf(a), rankOf(b)]
  return first === second ? othersOf(b) - othersOf(a) || a.url - b.url : first - second
}
