import { linkByComparison } from "./compare-cells.ts"
import { linkByDate } from "./date-texts.ts"
import { type IntersectionOptions, linkByIntersection } from "./intersect-users.ts"
import { linkToLargestShare } from "./largest-share.ts"
import { linkByMemberCells } from "./member-cells.ts"
import { linkByCells } from "./read-cells.ts"
import { linkByOrder } from "./read-order.ts"
import { rebuildCells } from "./released-cells.ts"
import type { LinkageOptions, ReleasedStream } from "./released-stream.ts"
import { linkBySelfTraining } from "./self-trained.ts"
import { linkBySharedWords, type SharedWordsOptions } from "./shared-words.ts"
import type { TextWords } from "./text-words.ts"
import { linkAtRandom, linkByHistory, linkToMostFrequent } from "./undo-swaps.ts"

/** What an attacker of a swapped stream knows. */
interface AttackOptions extends LinkageOptions, IntersectionOptions {
  /** True if records leave in cells, false if they leave one by one. */
  cells: boolean
  /** True if a text leaves at most once for each user. */
  once: boolean
  /** The words of each text. Without them, or if no name lasts longer than a cell, nobody is named by words. */
  words?: TextWords | undefined
  /**
   * Largest number of units that the attackers who compare words name (default 2¹⁸). In larger releases they name
   * units of random cells.
   */
  mostUnits?: number | undefined
  /** By text: its group. One attacker treats all texts of a group as the same text. */
  similarTexts?: Int32Array | undefined
  /** By record: its cell, if the attacker knows it. Otherwise the cell is rebuilt from category and time. */
  cell?: Int32Array | undefined
}

/** Tries to give each record of a swapped log back to the user who issued it. */
export interface LinkageAttacker {
  name: string
  summary: string
  /** By record: the user named, or -1 for nobody. */
  link(stream: ReleasedStream, options: AttackOptions): Int32Array
}

type WordAttacker = (stream: ReleasedStream, options: SharedWordsOptions) => Int32Array

/** Attackers who compare words need cells and words. */
const byWords = (link: WordAttacker) => (stream: ReleasedStream, options: AttackOptions) => {
  const { k, words, random, mostUnits: most, cell = rebuildCells(stream) } = options
  return options.cells && words !== undefined ? link(stream, { k, words, cell, random, most }) : nobody(stream)
}

const nobody = ({ user }: ReleasedStream) => new Int32Array(user.length).fill(-1)

/** The attackers who give records back to names. */
export const linkageAttackers: readonly LinkageAttacker[] = [
  { name: "record-linkage-1", summary: "swaps back at random", link: linkAtRandom },
  { name: "record-linkage-2", summary: "swaps back to the user who waits most often", link: linkToMostFrequent },
  {
    name: "record-linkage-3",
    summary: "swaps back to the user who waits most often, weighted by the user's history in the category",
    link: linkByHistory,
  },
  { name: "largest-share", summary: "names the user with the largest share of the category", link: linkToLargestShare },
  { name: "intersection", summary: "intersects the users around equal or similar texts", link: linkByIntersection },
  {
    name: "times-and-order",
    summary: "infers from times and order who waited",
    link: (stream, options) => (options.cells ? linkByCells(stream, options) : linkByOrder(stream, options)),
  },
  {
    name: "outdated-texts",
    summary: "gives an outdated text to the user who was there at every closing since",
    link: (stream, options) => (options.cells ? linkByDate(stream, options) : nobody(stream)),
  },
  {
    name: "compared-cells",
    summary: "rules out users who are in several cells of a text that leaves once for each user",
    link: (stream, options) => (options.cells && options.once ? linkByComparison(stream, options) : nobody(stream)),
  },
  {
    name: "similar-texts",
    summary: "intersects the users around texts with the same content words",
    link: (stream, { similarTexts: textGroup, ...options }) =>
      textGroup === undefined ? nobody(stream) : linkByIntersection(stream, { ...options, textGroup }),
  },
  {
    name: "shared-words",
    summary: "names the member of a cell who is most often in other cells with the same rare words",
    link: byWords(linkBySharedWords),
  },
  {
    name: "self-trained",
    summary: "votes as shared-words does, for one search of each member of a cell, and learns from round to round",
    link: byWords(linkBySelfTraining),
  },
  {
    name: "member-cells",
    summary: "names the member whose other cells share most words with the search, however common the words",
    link: byWords(linkByMemberCells),
  },
]
