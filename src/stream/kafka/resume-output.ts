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
 * The number of releases that the topic has: those before it are not sent again. Undefined if nothing is noted and the
 * topic itself must be asked. Throws if another store writes the topic, or if it has more than the store knows.
 */
export function resumeOutput(
  topic: string,
  options: {
    mark: OutputMark
    start: Pick<OutputStart, "store" | "isNew" | "due" | "releases">
    group: string
    isEmpty: boolean
    force: boolean
  },
): number | undefined {
  const { mark, start, group, isEmpty, force } = options
  const { isNew } = start
  if (mark.store !== undefined && mark.store !== start.store) {
    if (isNew && force) return 0
    throw claimedElsewhere(topic, { group, store: mark.store, does: "writes" })
  }
  if (mark.store !== undefined) return acceptCount(topic, mark.releases, start)
  if (!isNew) return undefined
  if (isEmpty || force) return 0
  throw new QueryveilError(
    "output-exists",
    `kafka topic ${topic}: has messages that are not from this store. Choose another topic, or add to it with --force.`,
  )
}

/**
 * The number of releases in a topic, by its last messages: `last` is the highest number in it, -1 if it is empty. An
 * empty topic has forgotten what it had. Then everything after the last checkpoint is sent again.
 */
export function countByTopic(
  topic: string,
  { last, start }: { last: number; start: Pick<OutputStart, "due" | "releases"> },
): number {
  return last < 0 ? start.releases : acceptCount(topic, last + 1, start)
}

/** Checks the number of releases that are in the topic against the store. */
function acceptCount(topic: string, found: number, { due, releases }: Pick<OutputStart, "due" | "releases">): number {
  const place = `kafka topic ${topic}`
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
