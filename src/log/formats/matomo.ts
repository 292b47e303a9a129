import type { Cells, Converter } from "./convert-block.ts"
import { cellOf, isObject, parseRecord } from "./json-record.ts"
import type { Conversion } from "./parsed-block.ts"

/**
 * Matomo's `Live.getLastVisitsDetails` in JSON: an array of visits, or one visit per line. Searches are the actions of
 * type `search`. The user is `userId` if the site sets one, or else `visitorId`. A session is a visit. Matomo does not
 * say which page was opened from the results, so there are no clicks.
 */
export function matomoConverter({ unit }: Conversion): Converter {
  return (line) => {
    const visit = parseRecord(line)
    if (visit === undefined || !Array.isArray(visit.actionDetails)) return "syntax"
    const user = unit === "session" ? cellOf(visit.idVisit) : (cellOf(visit.userId) ?? cellOf(visit.visitorId))
    return visit.actionDetails.flatMap((action: unknown): Cells[] => {
      if (!isObject(action) || action.type !== "search") return []
      const time = cellOf(action.timestamp) ?? cellOf(visit.serverTimestamp)
      return [{ user, query: cellOf(action.siteSearchKeyword), time }]
    })
  }
}
