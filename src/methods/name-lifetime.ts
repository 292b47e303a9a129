/**
 * How long a name lasts in a release: one cell, one session, one UTC day, for ever (`pseudonym`), or no names (`drop`).
 * `keep` shows the ids of the log.
 */
export const nameLifetimes = ["cell", "session", "day", "pseudonym", "drop", "keep"] as const
/** One of `nameLifetimes`. */
export type NameLifetime = (typeof nameLifetimes)[number]

/** A session ends when its user is idle for longer than this. */
export const sessionGapSeconds = 30 * 60

/** True if two consecutive rows of one user, at these times, are shown under one name. Ignores cells. */
export function sharesName(users: NameLifetime, time: number, before: number): boolean {
  if (users === "session") return time - before <= sessionGapSeconds
  if (users === "day") return Math.floor(time / 86400) === Math.floor(before / 86400)
  return true
}

/** True if one name joins all searches of a user. */
export const lastsForEver = (users: NameLifetime) => users === "pseudonym" || users === "keep"

/** True if nothing in the release joins searches of different cells. */
export const endsWithCell = (users: NameLifetime) => users === "cell" || users === "drop"
