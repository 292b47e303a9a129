import { breathe, type RunContext } from "../../kernels/context.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
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

/** Lets all attackers loose, and gives the largest share of records that one named rightly, of those he named at all. */
export async function measureLinkage(
  stream: ReleasedStream,
  { k, cells }: { k: number; cells: boolean },
  context: RunContext,
): Promise<LargestLinkage> {
  let largest: LargestLinkage = { attacker: "none", share: 0, named: 0 }
  for (const [i, { name, link }] of linkageAttackers.entries()) {
    await breathe(context, { stage: "attacking", done: i, total: linkageAttackers.length })
    const { shareOfNamed, named } = scoreLinkage(link(stream, { k, cells, random: context.random }), stream)
    if (named >= fewest && shareOfNamed > largest.share) largest = { attacker: name, share: shareOfNamed, named }
  }
  return largest
}
