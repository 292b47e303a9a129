import type { ColumnChoice } from "./columns.ts"
import type { FormatChoice } from "./detect-format.ts"
import { type FormatName, formatRegistry } from "./format-registry.ts"
import type { Reading } from "./reading.ts"

/** What each column is read from, for formats with known columns. */
const known: Partial<Record<FormatName, ColumnChoice & { session?: string }>> = {
  ubi: { user: "user_id or client_id", session: "session_id", query: "user_query", time: "timestamp" },
  slowlog: { user: "user.name", query: "the first full-text clause", time: "@timestamp" },
  solr: { user: "a parameter with a usual name", query: "q", time: "the time of the line" },
  matomo: { user: "userId or visitorId", session: "idVisit", query: "siteSearchKeyword", time: "timestamp" },
  ga4: {
    user: "user_pseudo_id",
    session: "user_pseudo_id with ga_session_id",
    query: "search_term",
    time: "event_timestamp",
  },
}

/** The columns of a format with known columns, replaced by those that the caller named. */
export function knownReading(format: FormatName, { columns = {}, jsonPath, unit }: FormatChoice): Reading {
  const { session, ...usual } = known[format] ?? { session: undefined, ...formatRegistry.findAdded(format)?.columns }
  const isSession = unit === "session" && session !== undefined
  return {
    format,
    columns: {
      ...usual,
      ...(isSession ? { user: session } : {}),
      ...columns,
      ...(jsonPath === undefined ? {} : { query: jsonPath }),
    },
    found: "known",
  }
}
