import { breathe, type RunContext } from "../../kernels/context.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { isOver, type Trials } from "../../kernels/linkage/judge-names.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { scoreLinkage } from "../../kernels/linkage/score-linkage.ts"
import type { LargestLinkage } from "../swap-guarantee.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import type { Swapped } from "./swap-log.ts"

/** The stream as those see it who receive it, with the truth beside it. */
export function releasedStream(
  { user, text, time }: ArrivingRecords,
  { as, closing, sequence }: Swapped,
  { category, ownTimes }: { category: Int32Array; ownTimes: boolean },
): ReleasedStream {
  return {
    user: sequence.map((record) => user[as[record]]),
    text: sequence.map((record) => text[record]),
    category: sequence.map((record) => category[record]),
    time: sequence.map((record) => time[ownTimes ? record : closing[record]]),
    truth: sequence.map((record) => user[record]),
  }
}

/** Naming a handful right by luck says nothing. */
const fewest = 100

/** The chance, at most, that all attackers together seem to refute 1/k where it holds: a promise is given up early. */
const falseAlarms = 0.01

interface Known {
  k: number
  cells: boolean
  once: boolean
  /** By record the cell it left with; where nothing is to be refuted it is not needed. */
  cellOf: Int32Array | undefined
}

/**
 * Lets all attackers loose, and gives the largest share of records that one named rightly, of those he named at all. Where
 * some of them refute that a name is right with chance 1/k at most, it is the largest share among those, of however few.
 */
export async function measureLinkage(
  stream: ReleasedStream,
  { cellOf, ...known }: Known,
  context: RunContext,
): Promise<LargestLinkage> {
  const tried = linkageAttackers.length
  let largest: LargestLinkage = { attacker: "none", share: 0, named: 0, tried, over: false }
  for (const [i, { name, link }] of linkageAttackers.entries()) {
    await breathe(context, { stage: "attacking", done: i, total: tried })
    const choice = link(stream, { ...known, random: context.random })
    const { shareOfNamed: share, named } = scoreLinkage(choice, stream)
    const level = { k: known.k, level: falseAlarms / tried }
    const over = cellOf !== undefined && isOver(countTrials(choice, stream, cellOf), level)
    const counts = over || (!largest.over && named >= fewest)
    if (counts && (share > largest.share || over !== largest.over))
      largest = { attacker: name, share, named, tried, over }
  }
  return largest
}

/** What an attacker named, in units: records in a row of one cell that show one user have one issuer. */
function countTrials(choice: Int32Array, { user, truth }: ReleasedStream, cellOf: Int32Array): Trials {
  const trials = { named: 0, right: 0, pairs: 0 }
  for (let start = 0; start < choice.length; ) {
    let names = 0
    let end = start
    for (; end < choice.length && cellOf[end] === cellOf[start]; end++) {
      const goesOn = end > start && user[end] === user[end - 1]
      if (goesOn || choice[end] < 0) continue
      names++
      if (choice[end] === truth[end]) trials.right++
    }
    trials.named += names
    trials.pairs += names * (names - 1)
    start = end
  }
  return trials
}
