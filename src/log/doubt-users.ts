import { meaningOfName } from "./formats/columns.ts"
import type { Intake } from "./intake.ts"
import type { SearchLog } from "./search-log.ts"

/** With fewer searches than this, nothing can be said about their users. */
const fewest = 3

/**
 * Reasons to doubt that the right column was read as the user: every search has a different user, as if rows were
 * numbered; all searches have the same user; or the column is named like a session.
 */
export function doubtUsers({
  log,
  intake,
}: {
  log: Pick<SearchLog, "events"> & { users: Pick<SearchLog["users"], "size"> }
  intake: Pick<Intake, "unit" | "read">
}): string[] {
  const { unit, read } = intake
  const doubts: string[] = []
  const advice = `If another column distinguishes ${unit}s, name it with --columns user=COLUMN.`
  if (log.events >= fewest && log.users.size === log.events)
    doubts.push(
      `Each of the ${log.events} searches has its own ${unit}. ` +
        `The column may be an id of the row or the request. ${advice}`,
    )
  if (log.events >= fewest && log.users.size === 1)
    doubts.push(`All ${log.events} searches have the same ${unit}. ${advice}`)
  const session = read.find(({ columns }) => meaningOfName(columns.user ?? "") === "session")
  if (unit === "user" && session !== undefined)
    doubts.push(
      `The column ${session.columns.user} is counted as users, but its name means sessions. ` +
        "Add --unit session, or name the user column.",
    )
  return doubts
}
