import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { type RandomSource, shuffle, shuffleFirst } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { TracedRows } from "../truth/trace-rows.ts"
import type { EarlierSearches } from "./earlier-searches.ts"

/** What the adversary links to a person: released texts of one person, from the later part of the log. */
export interface Target {
  texts: Uint32Array
  person: number
}

interface DrawOptions {
  earlier: EarlierSearches
  /** The most targets to draw. */
  most: number
  random: RandomSource
}

/** The most texts of one name that are examined. If there are more, this many are drawn. */
const textsOfName = 200

/**
 * Draws searches of the later part that are in the release and whose users have a profile. Several rows of one search
 * count once.
 */
export function drawRecords(log: SearchLog, traced: TracedRows, { earlier, most, random }: DrawOptions): Target[] {
  const { released, origin } = traced
  const isTarget = (row: number) => {
    const from = origin[row]
    return (
      from >= 0 && log.time[from] >= earlier.split && log.user[from] >= 0 && earlier.hasProfile[log.user[from]] === 1
    )
  }
  const rows = Uint32Array.from(origin.keys()).filter(isTarget)
  const event = Uint32Array.from(rows, (row) => log.event[origin[row]])
  const text = Uint32Array.from(rows, (row) => released.query[row])
  const order = orderByNumbers([event, text])
  const records = order.filter(
    (record, i) => i === 0 || event[record] !== event[order[i - 1]] || text[record] !== text[order[i - 1]],
  )
  shuffle(records, random)
  return Array.from(records.subarray(0, most), (record) => {
    return { texts: Uint32Array.of(text[record]), person: log.user[origin[rows[record]]] }
  })
}

/**
 * Draws names that show something of the later part and stand for a user with a profile, with the texts that they show
 * of that part.
 */
export function drawNames(log: SearchLog, traced: TracedRows, { earlier, most, random }: DrawOptions): Target[] {
  const { released, ownerOf = () => -1 } = traced
  const starts: number[] = []
  for (let row = 0; row < released.rows; row++) {
    if (row === 0 || released.user[row] !== released.user[row - 1]) starts.push(row)
  }
  const names = Uint32Array.from(starts)
  shuffle(names, random)
  const targets: Target[] = []
  for (const first of names) {
    if (targets.length === most) break
    const texts = new Set<number>()
    for (let row = first; row < released.rows && released.user[row] === released.user[first]; row++) {
      if (isLater(log, traced, { row, split: earlier.split })) texts.add(released.query[row])
    }
    const person = texts.size === 0 ? -1 : ownerOf(released.user[first])
    if (person < 0 || earlier.hasProfile[person] === 0) continue
    const drawn = Uint32Array.from(texts)
    if (drawn.length > textsOfName) shuffleFirst(drawn, drawn.length, random)
    targets.push({ texts: drawn.subarray(0, textsOfName), person })
  }
  return targets
}

/**
 * True if a released row is of the later part: by its search in the log, else by the time it shows. A row without a
 * time counts as later.
 */
function isLater(log: SearchLog, traced: TracedRows, { row, split }: { row: number; split: number }): boolean {
  const { released, origin, isDated, showsTime } = traced
  if (isDated && origin[row] >= 0) return log.time[origin[row]] >= split
  return !showsTime || released.time[row] >= split
}

/**
 * For each user, 1 if they have a profile but the release shows nothing of theirs from the later part. Naming them is
 * always wrong.
 */
export function findAbsent(log: SearchLog, traced: TracedRows, earlier: EarlierSearches): Uint8Array {
  const isAbsent = earlier.hasProfile.slice()
  for (let row = 0; row < log.rows; row++) {
    if (traced.isShown[row] === 1 && log.time[row] >= earlier.split && log.user[row] >= 0) isAbsent[log.user[row]] = 0
  }
  const { released, owners } = traced
  if (owners === undefined) return isAbsent
  for (let row = 0; row < released.rows; row++) {
    const owner = owners[released.user[row]]
    if (owner >= 0 && isLater(log, traced, { row, split: earlier.split })) isAbsent[owner] = 0
  }
  return isAbsent
}
