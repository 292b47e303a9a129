import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { countTrials, isOver } from "../../kernels/linkage/judge-names.ts"
import { createKnownSearches } from "../../kernels/linkage/known-searches.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import type { TextWords } from "../../kernels/linkage/text-words.ts"
import { groupSimilarTexts } from "../../text/content-words.ts"
import type { LargestLinkage } from "../swap-guarantee.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import type { NamedStream } from "./name-records.ts"
import type { Swapped } from "./swap-log.ts"

/** The stream as its receivers see it, together with the truth. Users are those shown, whatever their names. */
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

/** Shares of fewer named units are not reported, unless they refute the promise. */
const fewest = 100

/** How many known searches the manifest reports on, and how many the receipt does. */
const usuallyKnown = 2
const mostKnown = 6

interface Gate {
  k: number
  cells: boolean
  once: boolean
  /** By record: its cell. */
  cell: Int32Array
  /** The words of each text, if names last longer than a cell. */
  words?: TextWords | undefined
  /**
   * The chance that all attackers together seem to refute 1/k although it is true. If undefined, there is nothing to
   * refute.
   */
  falseAlarms?: number | undefined
  /** Most units that attackers who use words name (default 2¹⁸). */
  mostUnits?: number | undefined
}

/** The result of the best attacker: rounded for the manifest, and exact. */
export interface Measured {
  largest: LargestLinkage
  exact: Record<string, string | number>
}

/**
 * Runs all attackers on a release under its names, with its true cells. Reports the attacker with the largest share of
 * right names among the units it named, if it named at least 100. Some attackers may refute that a name is right with a
 * chance of at most 1/k. Then the one of them with the most right names beyond 1/k is reported.
 */
export async function measureLinkage(named: NamedStream, gate: Gate, context: RunContext): Promise<Measured> {
  const { k, words, cell, falseAlarms } = gate
  const { stream, owner } = named
  const tried = linkageAttackers.length
  const options = { ...gate, similarTexts: words && groupSimilarTexts(words), random: context.random }
  let worst = { attacker: "none", share: 0, named: 0, right: 0, over: false }
  for (const [i, { name, link }] of linkageAttackers.entries()) {
    await yieldAndReport(context, { stage: "attacking", done: i, total: tried })
    const choice = link(stream, options).map((who) => (who < 0 ? -1 : owner[who]))
    const trials = countTrials(choice, stream, cell)
    const share = trials.named === 0 ? 0 : trials.right / trials.named
    const over = falseAlarms !== undefined && isOver(trials, { k, level: falseAlarms / tried })
    const found = { attacker: name, share, named: trials.named, right: trials.right, over }
    if (isWorse(found, worst, k)) worst = found
  }
  const few = words !== undefined && falseAlarms !== undefined && hasFew(named, gate, falseAlarms / tried)
  const known = gate.cells && words !== undefined ? findKnown(named, gate, context) : []
  const { attacker, share, over } = worst
  const ofKnown = known[usuallyKnown - 1]
  return {
    largest: {
      attacker,
      share: roundUp(share),
      named: twoDigits(worst.named),
      tried,
      over,
      ...(few && { few }),
      ...(ofKnown === undefined ? {} : { knownSearches: roundUp(ofKnown) }),
    },
    exact: {
      attacker,
      named: worst.named,
      right: worst.right,
      share,
      ...Object.fromEntries(known.map((found, i) => [`known-searches@${i + 1}`, found])),
    },
  }
}

/** True if not even right names for all units would refute 1/k. Of an empty release there is nothing to refute. */
function hasFew({ stream }: NamedStream, { k, cell }: Gate, level: number): boolean {
  const allRight = countTrials(stream.truth, stream, cell)
  return allRight.named > 0 && !isOver(allRight, { k, level })
}

interface Naming {
  share: number
  named: number
  right: number
  over: boolean
}

function isWorse(one: Naming, other: Naming, k: number): boolean {
  if (one.over !== other.over) return one.over
  if (one.over) return one.right - one.named / k > other.right - other.named / k
  return one.named >= fewest && one.share > other.share
}

/** By number of searches that an attacker knows of a person: how often the attacker finds the person's name. */
function findKnown({ stream, owner }: NamedStream, { k, cell }: Gate, { random }: RunContext): number[] {
  const find = createKnownSearches(stream, { k, cell, owner, random })
  return Array.from({ length: mostKnown }, (_, i) => {
    const { targets, right } = find(i + 1)
    return targets === 0 ? 0 : right / targets
  })
}

/** Rounds up to hundredths, because the exact share would reveal something about the truth. */
const roundUp = (share: number) => Math.max(0, Math.ceil(share * 100 - 1e-9)) / 100 // never -0

const twoDigits = (count: number) => Number(count.toPrecision(2))
