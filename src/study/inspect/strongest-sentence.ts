import { count } from "../../kernels/number-words.ts"
import type { Inspection } from "../../log/inspect-log.ts"
import type { Unit } from "../../log/search-log.ts"

/**
 * Formats a share as a percentage. It is truncated, not rounded, so that no share is overstated. A share above 0 is
 * never shown as 0.
 */
function percent(share: number): string {
  const tenths = Math.floor(share * 1000 + 1e-9)
  return tenths === 0 ? "Under 0.1 %" : `${(tenths / 10).toFixed(1)} %`
}

/**
 * The sentence that the owner of a log should read first. Among the true sentences it is the one about the largest
 * share of users or of distinct queries; users win ties. If the log has no users, or if every query has several users,
 * the sentence is about the identifiers that were found.
 */
export function strongestSentence({ exposure, size, identifiers }: Inspection, unit: Unit = "user"): string {
  const [unique] = exposure?.queries.filter(({ fewerThan }) => fewerThan === 2) ?? []
  const all = (share: number, some: string, every: string) => (share === 1 ? every : `${percent(share)} of ${some}`)
  const { share: users = 0 } = exposure?.usersWithUniqueQuery ?? {}
  const queries = unique?.queryShare ?? 0
  const ofQueries = all(queries, "the distinct queries", "Every query")
  const shares = [
    { share: users, text: `${all(users, `${unit}s`, `Every ${unit}`)} issued a query that nobody else did.` },
    { share: queries, text: `${ofQueries} ${queries === 1 ? "was" : "were"} issued by one ${unit} alone.` },
  ]
  const strongest = shares.reduce((most, one) => (one.share > most.share ? one : most))
  if (size.rows > 0 && strongest.share > 0) return strongest.text
  const held = identifiers.find(({ kind }) => kind === "any")?.events ?? 0
  if (held === 0) return "No direct identifier was found in any query, but the detectors miss some."
  return `${count(held)} ${held === 1 ? "search contains" : "searches contain"} a direct identifier or a name.`
}
