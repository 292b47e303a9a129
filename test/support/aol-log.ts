/** One row of a log, as a person would write it down. */
export interface Search {
  user: string
  query: string
  /** `YYYY-MM-DD hh:mm:ss` */
  time: string
  rank?: number
  url?: string
}

/** The rows as a file in AOL's format. */
export function aolText(searches: readonly Search[]): string {
  const lines = searches.map(({ user, query, time, rank, url }) =>
    [user, query, time, rank ?? "", url ?? ""].join("\t"),
  )
  return ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", ...lines, ""].join("\n")
}

/** The time this many seconds after 2006-03-01 12:00:00. */
export function timeAfter(seconds: number): string {
  return new Date(Date.UTC(2006, 2, 1, 12) + seconds * 1000).toISOString().slice(0, 19).replace("T", " ")
}

/** A text in user ids, rare queries and urls of logs given to the command line. No output may ever repeat it. */
export const marker = "zyxmarker"

/**
 * Eight people. All search for the weather, five for news, three for maps. Two share a query, and each has a query of
 * their own. Everyone comes back after two hours. Four click on one weather page, one on a page that nobody else
 * clicks.
 */
export function smallTown(): Search[] {
  return Array.from({ length: 8 }, (_, person): Search[] => {
    const user = `${marker}-user-${person}`
    const morning = person * 60
    const search = (query: string, seconds: number, click: Pick<Search, "rank" | "url"> = {}): Search => {
      return { user, query, time: timeAfter(seconds), ...click }
    }
    const weather = { rank: 1 + (person % 2), url: "http://weather.example" }
    const hidden = { rank: 3, url: `http://${marker}.example` }
    return [
      search("Weather", morning, person < 4 ? weather : person === 4 ? hidden : {}),
      ...(person < 5 ? [search("news", morning + 300)] : []),
      ...(person < 2 ? [search(`shared ${marker}`, morning + 400)] : []),
      search(`${marker} of ${person}`, morning + 600, { rank: 1, url: `http://${marker}.example/${person}` }),
      ...(person < 3 ? [search("maps", morning + 7200)] : []),
      search("weather", morning + 7260),
    ]
  }).flat()
}
