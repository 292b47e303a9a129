import type { RandomSource } from "../random.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import type { TextWords } from "./text-words.ts"

/** A word is rare if it is in at most so many released searches. */
const mostSearches = 60

/**
 * A person's searches share rare words, and the person is a member of every cell that these searches leave with. Named is
 * the member of the cell, other than the one shown, who is in the cells of the most similar searches: the sum over other
 * cells of that member of the largest weight of a search there. The weight of two searches is Σ log(N/df) over the rare words
 * they share, divided by √(words of one · words of the other). A search does not vote for the member shown on it.
 */
export function linkBySharedWords(
  stream: ReleasedStream,
  options: { words: TextWords; cell: Int32Array; random: RandomSource },
): Int32Array {
  const { user, text } = stream
  const { random } = options
  const records = user.length
  const { offsets, words } = options.words
  const found = new Map<number, number>()
  const cell = options.cell.map((id) => {
    if (!found.has(id)) found.set(id, found.size)
    return found.get(id) ?? 0
  })
  const members = Array.from(found, (): number[] => [])
  for (let i = 0; i < records; i++) if (!members[cell[i]].includes(user[i])) members[cell[i]].push(user[i])
  const searches: number[][] = Array.from({ length: countIds(words) }, () => [])
  for (let i = 0; i < records; i++)
    for (let w = offsets[text[i]]; w < offsets[text[i] + 1]; w++) searches[words[w]].push(i)

  const named = new Int32Array(records).fill(-1)
  const weight = new Float64Array(records)
  const inCell = new Int32Array(countIds(user)).fill(-1)
  for (let i = 0; i < records; i++) {
    const similar: number[] = []
    for (let w = offsets[text[i]]; w < offsets[text[i] + 1]; w++) {
      const sharing = searches[words[w]]
      if (sharing.length < 2 || sharing.length > mostSearches) continue
      for (const other of sharing) {
        if (cell[other] === cell[i]) continue
        if (weight[other] === 0) similar.push(other)
        weight[other] += Math.log(records / sharing.length)
      }
    }
    if (similar.length === 0) continue
    const lengthOf = (record: number) => offsets[text[record] + 1] - offsets[text[record]]
    for (const member of members[cell[i]]) inCell[member] = i
    similar.sort((a, b) => cell[a] - cell[b])
    const votes = new Map<number, number>()
    for (let from = 0, to = 0; from < similar.length; from = to) {
      while (to < similar.length && cell[similar[to]] === cell[similar[from]]) to++
      const weights = similar.slice(from, to).map((other) => ({
        shown: user[other],
        weight: weight[other] / Math.sqrt(lengthOf(i) * lengthOf(other)),
      }))
      for (const member of members[cell[similar[from]]]) {
        if (inCell[member] !== i || member === user[i]) continue
        const best = weights.reduce((most, vote) => (vote.shown === member ? most : Math.max(most, vote.weight)), 0)
        if (best > 0) votes.set(member, (votes.get(member) ?? 0) + best)
      }
    }
    for (const other of similar) weight[other] = 0
    const most = Math.max(0, ...votes.values())
    const best = [...votes].filter(([, sum]) => sum === most).map(([member]) => member)
    if (best.length > 0) named[i] = best[random.below(best.length)]
  }
  return named
}
