import { QueryveilError } from "../../kernels/error.ts"
import type { OutputStart } from "../live/transport.ts"
import { isAhead } from "../outputs/count-lines.ts"
import { claimedElsewhere } from "./claim.ts"

/** What the cluster knows of an output topic. */
export interface OutputMark {
  /** The store that wrote last; undefined if nothing is noted, because the topic is new or the note has expired. */
  store: string | undefined
  /** Number of releases in the topic, as noted in the last transaction. */
  releases: number
}

/**
 * The number of releases that the topic has: those before it are not sent again. Undefined if the note has expired and
 * the topic itself must be asked. Throws if the topic is not that of this store, or has more than the store knows.
 */
export function resumeOutput(
  topic: string,
  {
    mark,
    start,
    group,
    isEmpty,
    force,
  }: {
    mark: OutputMark
    start: Pick<OutputStart, "store" | "isNew" | "due" | "releases">
    group: string
    isEmpty: boolean
    force: boolean
  },
): number | undefined {
  const { isNew, due, releases } = start
  const place = `kafka topic ${topic}`
  if (mark.store !== undefined && mark.store !== start.store) {
    if (isNew && force) return 0
    throw claimedElsewhere(topic, { group, store: mark.store, does: "writes" })
  }
  if (mark.store === undefined) {
    if (!isNew) return due === 0 ? releases : undefined
    if (isEmpty || force) return 0
    throw new QueryveilError(
      "output-exists",
      `${place}: has messages that are not from this store. Choose another topic, or add to it with --force.`,
    )
  }
  return acceptCount(place, mark.releases, start)
}

/** Checks the number of releases that are in the topic against the store. */
export function acceptCount(
  place: string,
  found: number,
  { due, releases }: Pick<OutputStart, "due" | "releases">,
): number {
  if (found > releases + due) throw isAhead(place)
  if (found >= releases) return found
  throw new QueryveilError(
    "output-changed",
    [
      `${place}: has ${found} releases, but ${releases} were written before.`,
      "Restore the topic, or start with a new store and a new topic.",
    ].join(" "),
  )
}
