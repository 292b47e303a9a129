import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { linkageAttackers } from "../kernels/linkage/attackers.ts"
import { countTrials, isOver } from "../kernels/linkage/judge-names.ts"
import type { ReleasedStream } from "../kernels/linkage/released-stream.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { endsWithCell, type NameLifetime } from "../methods/name-lifetime.ts"
import { findContentWords, groupSimilarTexts } from "../text/content-words.ts"
import type { Units } from "./swap-cells.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

export const attackersPromise = {
  name: "attackers",
  promise: "no attacker who holds the release names users more often than promised (false alarms: 1 in 10,000)",
}

/**
 * The largest chance that an honest release fails. A release that passed the method's own check must not fail by
 * chance.
 */
const falseAlarms = 1e-4

/** At this level, if not even right names for all searches would refute a promise, nothing was tested. */
const mostLenient = 0.01

interface Attacked {
  users: NameLifetime
  records: Records
  units: Units
  k: number
  once: boolean
  /** By record: its category; undefined if the topics could not be determined again. */
  category: Int32Array | undefined
}

/**
 * Attacks the release as it is read: its own names, texts and times. The attackers also get the cells of the audit,
 * which is more than a real attacker has. The measurements in the manifest are not used. The attackers are those of
 * `kernels/linkage`.
 */
export async function checkAttackers(subject: SwapSubject, attacked: Attacked, context: RunContext): Promise<Check> {
  const { released, release } = subject
  if (release.manifest.parameters.users === "drop")
    return { ...attackersPromise, state: "passed", detail: "no names are shown" }
  const { k, once, users } = attacked
  const { stream, cell, owner } = readStream(subject, attacked)
  const words = await findContentWords(released.queries, context)
  const options = { k, cells: true, once, cell, words, similarTexts: groupSimilarTexts(words), random: context.random }
  const tried = linkageAttackers.length
  for (const [i, { name, link }] of linkageAttackers.entries()) {
    await yieldAndReport(context, { stage: "attacking", done: i, total: tried })
    const choice = link(stream, options).map((who) => (who < 0 ? -1 : owner[who]))
    const trials = countTrials(choice, stream, cell)
    if (!isOver(trials, { k, level: falseAlarms / tried })) continue
    const detail = `${name} named the right user for ${trials.right} of ${trials.named} searches that it named`
    return { ...attackersPromise, state: "failed", value: trials.right / trials.named, bound: 1 / k, detail }
  }
  const all = countTrials(stream.truth, stream, cell)
  const isTested = all.named === 0 || isOver(all, { k, level: mostLenient / tried })
  if (!endsWithCell(users) && !isTested)
    return { ...attackersPromise, state: "not checked", detail: `too few searches to judge (${all.named})` }
  return { ...attackersPromise, state: "passed", bound: 1 / k, detail: `${tried} attackers` }
}

/** The release ordered by time, then by cell. */
function readStream(
  { released, log }: SwapSubject,
  { records, units, category }: Attacked,
): { stream: ReleasedStream; cell: Int32Array; owner: Int32Array } {
  const shown = (column: Int32Array) => Uint32Array.from(records.row, (row) => column[row])
  const time = shown(released.time).map((seconds) => seconds ^ 0x80000000) // before 1970 comes first
  const order = orderByNumbers([time, units.cellOf, shown(released.user), shown(released.query)])
  const column = (of: (record: number) => number) => Int32Array.from(order, of)
  const owner = new Int32Array(released.users.size).fill(-1)
  for (let i = 0; i < records.count; i++) owner[released.user[records.row[i]]] = log.user[records.donor[i]]
  const stream = {
    user: column((record) => released.user[records.row[record]]),
    text: column((record) => released.query[records.row[record]]),
    category: column((record) => category?.[record] ?? 0),
    time: column((record) => released.time[records.row[record]]),
    truth: column((record) => log.user[records.source[record]]),
  }
  return { stream, cell: column((record) => units.cellOf[record]), owner }
}
