import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { scoreLinkage } from "../../kernels/linkage/score-linkage.ts"
import type { TextWords } from "../../kernels/linkage/text-words.ts"
import { unitIntervals } from "../../kernels/linkage/unit-intervals.ts"
import type { SwapSubject } from "../../measures/swap-curves.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"
import { releasedStream } from "../../methods/swap/measure-linkage.ts"
import { type SwapSettings, swapArrivals } from "../../methods/swap/swap-log.ts"
import { groupSimilarTexts } from "../../text/content-words.ts"

/**
 * The settings under study disable the repairs, so that their effect can be seen: names last, texts come back, lists
 * are long.
 */
export const settingsOf = (mode: SwapSettings["mode"], k: number): SwapSettings => ({
  k,
  mode,
  backlog: 1000,
  minQueryUsers: 1,
  repeats: mode === "strict" ? "once" : "keep",
  cellTexts: "any",
})

export interface SwapRun extends SwapSubject {
  settings: SwapSettings
  /** The stream as a live subscriber sees it, in the order of release. */
  stream: ReleasedStream
  /** The cell of each record of the stream. */
  cell: Int32Array
  /** Time of the swapper for all records together. */
  microseconds: number
}

export async function runSwap(
  records: ArrivingRecords,
  { category, settings }: { category: Int32Array; settings: SwapSettings },
  context: RunContext,
): Promise<SwapRun> {
  const start = performance.now()
  const swapped = await swapArrivals(records, category, settings, context)
  const microseconds = since(start)
  const stream = releasedStream(records, swapped, { category, ownTimes: settings.mode === "paper" })
  const cell = swapped.sequence.map((record) => swapped.cell[record] ?? 0)
  return { records, category, settings, swapped, stream, cell, microseconds }
}

/**
 * How often one attacker was right, among all records and among those for which they named someone, each with its
 * interval.
 */
export interface AttackerResult {
  attacker: string
  records: number
  share: number
  low: number
  high: number
  named: number
  shareOfNamed: number
  lowOfNamed: number
  highOfNamed: number
  /** Time for all records together. */
  microseconds: number
  /** The user that the attacker named for each record. */
  choice: Int32Array
}

interface AttackSettings extends Pick<SwapSettings, "k" | "mode" | "repeats"> {
  /** One attacker alone (default: all). */
  only?: string
  /** The cell of each record. */
  cell?: Int32Array
  /** The words of each text. Without them the attackers that use words name nobody. */
  words?: TextWords | undefined
}

/** Runs the attackers on a stream whose names last. The attackers know k, the categories and the cells. */
export async function runAttackers(
  stream: ReleasedStream,
  { k, mode, repeats, only, cell, words }: AttackSettings,
  context: RunContext,
): Promise<AttackerResult[]> {
  const results: AttackerResult[] = []
  const attackers = linkageAttackers.filter(({ name }) => only === undefined || name === only)
  const similarTexts = words && groupSimilarTexts(words)
  const known = { k, cells: mode === "strict", once: repeats !== "keep", cell, words, similarTexts }
  for (const [i, { name, link }] of attackers.entries()) {
    await yieldAndReport(context, { stage: "attacking", done: i, total: attackers.length })
    const start = performance.now()
    const choice = link(stream, { ...known, random: context.random })
    const microseconds = since(start)
    const { records, share, named, shareOfNamed } = scoreLinkage(choice, stream)
    const { ofAll, ofNamed: intervalOfNamed } = unitIntervals(choice, stream)
    const [low, high] = ofAll
    const [lowOfNamed, highOfNamed] = intervalOfNamed
    const ofNamed = { named, shareOfNamed, lowOfNamed, highOfNamed }
    results.push({ attacker: name, records, share, low, high, ...ofNamed, microseconds, choice })
  }
  return results
}

/** Not processor time: that of the process would include other threads. */
const since = (start: number) => (performance.now() - start) * 1000
