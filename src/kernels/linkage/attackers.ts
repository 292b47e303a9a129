import { linkByComparison } from "./compare-cells.ts"
import { linkByDate } from "./date-texts.ts"
import { type IntersectionOptions, linkByIntersection } from "./intersect-users.ts"
import { linkToLargestShare } from "./largest-share.ts"
import { linkByCells } from "./read-cells.ts"
import { linkByOrder } from "./read-order.ts"
import type { LinkageOptions, ReleasedStream } from "./released-stream.ts"
import { linkAtRandom, linkByHistory, linkToMostFrequent } from "./undo-swaps.ts"

/** What an attacker of a swapped stream knows. */
export interface AttackOptions extends LinkageOptions, IntersectionOptions {
  /** Whether records leave in cells, or one by one. */
  cells: boolean
  /** Whether a text leaves once for each user, at most. */
  once: boolean
}

/** Tries to give each record of a swapped log back to who issued it. */
export interface LinkageAttacker {
  name: string
  summary: string
  /** By record the user named, -1 nobody. */
  link(stream: ReleasedStream, options: AttackOptions): Int32Array
}

const nobody = ({ user }: ReleasedStream) => new Int32Array(user.length).fill(-1)

/** The eight attackers; the last two name nobody where there are no cells to compare. */
export const linkageAttackers: readonly LinkageAttacker[] = [
  { name: "record-linkage-1", summary: "swaps back at random", link: linkAtRandom },
  { name: "record-linkage-2", summary: "swaps back to the user who waits most often", link: linkToMostFrequent },
  {
    name: "record-linkage-3",
    summary: "swaps back to the user who waits most often, times his history in the category",
    link: linkByHistory,
  },
  { name: "largest-share", summary: "names the user with the largest share of the category", link: linkToLargestShare },
  { name: "intersection", summary: "intersects the users around equal or similar texts", link: linkByIntersection },
  {
    name: "times-and-order",
    summary: "tells from times and order who waited",
    link: (stream, options) => (options.cells ? linkByCells(stream, options) : linkByOrder(stream, options)),
  },
  {
    name: "outdated-texts",
    summary: "gives a text that is out of date to who was there at every closing since",
    link: (stream, options) => (options.cells ? linkByDate(stream, options) : nobody(stream)),
  },
  {
    name: "compared-cells",
    summary: "rules out who is in several cells of a text that leaves once for each user",
    link: (stream, options) => (options.cells && options.once ? linkByComparison(stream, options) : nobody(stream)),
  },
]
