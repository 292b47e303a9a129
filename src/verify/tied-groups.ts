import type { GroupKeys, GroupRows } from "./group-keys.ts"

/** Groups of rows, by their keys. */
interface Side {
  groups: GroupKeys
  rows: GroupRows
}

/**
 * True if two lists of groups are the same, but for the order of rows of the same second within a group. A table has no
 * order of such rows, so a release of one cannot keep it.
 */
export function differOnlyInTies(released: Side, original: Side & { secondAt(row: number): number }): boolean {
  const sequences = groupsWithout(released.groups, original.groups).map((group) => textsOf(released, group))
  const tied = groupsWithout(original.groups, released.groups).map((group) => {
    const blocks: string[][] = []
    textsOf(original, group).forEach((text, i) => {
      const row = original.groups.starts[group] + i
      if (i === 0 || original.secondAt(row) !== original.secondAt(row - 1)) blocks.push([])
      blocks[blocks.length - 1].push(text)
    })
    return blocks
  })
  return matchTiedGroups(sequences, tied)
}

/** The groups that have no group with the same key in the other list. */
function groupsWithout(own: GroupKeys, other: GroupKeys): number[] {
  const keyOf = ({ high, low }: GroupKeys, group: number) => `${high[group]},${low[group]}`
  const left = new Map<string, number>()
  for (let group = 0; group < other.starts.length; group++) {
    const key = keyOf(other, group)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return Array.from(own.starts.keys()).filter((group) => {
    const count = left.get(keyOf(own, group)) ?? 0
    if (count > 0) left.set(keyOf(own, group), count - 1)
    return count === 0
  })
}

/** The rows of a group, each as text. */
function textsOf({ groups, rows }: Side, group: number): string[] {
  const [from, to] = [groups.starts[group], groups.starts[group + 1] ?? groups.rows]
  return Array.from({ length: to - from }, (_, i) => {
    const { query, time, url, rank } = rows.rowAt(from + i)
    return `${query},${time},${url},${rank}`
  })
}

/**
 * Gives each released sequence of rows an original group: rows of the same second together, in the order of time. A
 * sequence may fit several groups with the same rows at other times. It takes the one with the most different times,
 * which fits the fewest other sequences.
 */
export function matchTiedGroups(
  released: readonly (readonly string[])[],
  original: readonly (readonly (readonly string[])[])[],
): boolean {
  const candidates = new Map<string, { sizes: number[]; key: string; left: number }[]>()
  for (const blocks of original) {
    const all = sortedText(blocks.flat())
    const key = blocks.map(sortedText).join("\n\n")
    const known = candidates.get(all) ?? []
    candidates.set(all, known)
    const same = known.find((candidate) => candidate.key === key)
    if (same !== undefined) same.left++
    else known.push({ sizes: blocks.map(({ length }) => length), key, left: 1 })
  }
  for (const known of candidates.values()) known.sort((a, b) => b.sizes.length - a.sizes.length)
  const isMatched = released.every((rows) => {
    const known = candidates.get(sortedText(rows)) ?? []
    const fitting = known.find(({ sizes, key, left }) => left > 0 && cutRows(rows, sizes) === key)
    if (fitting !== undefined) fitting.left--
    return fitting !== undefined
  })
  return isMatched && released.length === original.length
}

const sortedText = (rows: readonly string[]): string => [...rows].sort().join("\n")

/** A sequence cut into blocks of these sizes, in the form of the key of a group. */
function cutRows(rows: readonly string[], sizes: readonly number[]): string {
  let at = 0
  const blocks = sizes.map((size) => {
    at += size
    return sortedText(rows.slice(at - size, at))
  })
  return blocks.join("\n\n")
}
