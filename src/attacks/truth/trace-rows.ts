import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import { type AuditedRelease, followTrail, hasTrail } from "../../release/follow-trail.ts"
import { nameLifetimeOf, type RowsManifest } from "../../release/manifest.ts"
import { matchRows } from "./match-rows.ts"
import { findOwner } from "./owners.ts"

/** Whose searches the rows of a release are, as far as known. */
export interface TracedRows {
  released: SearchLog
  /** For each row of the release, the row of the log that it comes from; -1 if there is none or it is unknown. */
  origin: Int32Array
  /** For each row of the log, 1 if it is, or may be, in the release. */
  isShown: Uint8Array
  /** For each name, the user it stands for, or -1 if unknown. Absent if each name would have to be looked up. */
  owners?: Int32Array
  /** The user that a name stands for, or -1 if no user can be named. Absent if names are not shown or say nothing. */
  ownerOf?: (name: number) => number
  /** True if `origin` is the very row, or one of the same text and time; false if only the text is the same. */
  isDated: boolean
  /** True if rows show a time, although it need not be that of the search. */
  showsTime: boolean
}

const timeUnits: Record<string, number> = { exact: 1, own: 1, hour: 3600, day: 86_400 }

/** Shown times are multiples of this many seconds; undefined if none are shown. */
export const shownUnit = ({ parameters }: RowsManifest): number | undefined => timeUnits[String(parameters.time)]

/** True if it can be determined which users the names of a release stand for: see `traceRows`. */
export function canFindOwners({ release, audit }: AuditedRelease): boolean {
  const { time } = release.manifest.parameters
  const users = nameLifetimeOf(release.manifest)
  if (users === "drop") return false
  return users === "keep" || hasTrail({ release, audit }) || (keepsTimes(release.manifest) && time !== "drop")
}

/** True if rows show the texts of their searches and their times, truncated or not. */
function keepsTimes({ guarantee }: RowsManifest): boolean {
  const { shows, shownUnder } = traitsOf(guarantee)
  return shows === "queries" && shownUnder === "searcher"
}

/**
 * Traces released rows back to the log. With the audit, it follows the trail. Without it, it uses what the rows show.
 * Rows with one text and time are assigned the log's rows with that text and time, in random order, which makes no
 * difference to attacks on texts alone. If the method changes times, rows are matched by text only. A name then stands
 * for a user who has all its texts at their times. A log that lacks what the release shows is refused: the release was
 * not made from it.
 */
export async function traceRows(
  subject: AuditedRelease & { log: SearchLog },
  context: RunContext,
): Promise<TracedRows> {
  const { release, log } = subject
  const { parameters } = release.manifest
  const released = await release.log(context)
  const timeUnit = keepsTimes(release.manifest) ? shownUnit(release.manifest) : undefined
  const lifetime = nameLifetimeOf(release.manifest)
  const named = lifetime !== "drop"
  const shown = { released, showsTime: parameters.time !== "drop" }
  if (hasTrail(subject)) {
    const { origin, person } = await followTrail(subject, released)
    const isShown = new Uint8Array(log.rows)
    for (const row of origin) if (row >= 0) isShown[row] = 1
    const userOf = new Int32Array(released.users.size).fill(-1)
    for (let row = 0; row < released.rows; row++) {
      if (released.user[row] >= 0 && person[row] >= 0) userOf[released.user[row]] = log.user[person[row]]
    }
    return { ...shown, origin, isShown, isDated: true, ...(named && known(userOf)) }
  }
  const { foreign, ...matched } = matchRows(log, released, { timeUnit, random: context.random })
  // The people behind foreign rows would be in no score. Concepts are in no log.
  if (foreign > 0 && traitsOf(release.manifest.guarantee).shows !== "concepts") throw otherLog()
  const traced = { ...shown, ...matched, isDated: timeUnit !== undefined }
  if (lifetime === "keep") {
    const { users } = released
    const userOf = Array.from({ length: users.size }, (_, name) => log.users.findBytes(users.bytes(name)))
    return { ...traced, ...known(Int32Array.from(userOf)) }
  }
  if (!named || timeUnit === undefined) return traced
  return { ...traced, ownerOf: findOwner(log, released, { timeUnit, random: context.random }) }
}

const known = (owners: Int32Array) => ({ owners, ownerOf: (name: number) => owners[name] })

const otherLog = () =>
  new QueryveilError(
    "input-foreign",
    [
      "The release shows searches that are not in the log.",
      "Give the log that it was made from, whole and read with the same options.",
    ].join(" "),
    { flag: "--against" },
  )
