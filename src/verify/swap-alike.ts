/** Released rows of one line and text, and the searches of the log that they may be. */
export interface AlikeSearches {
  /** Groups of released rows that left together, in the order in which they left. */
  groups: number[][]
  /** The rows of each search in the log, in order of time. */
  searches: number[][]
  /** True if a released row may be this row of the log. */
  isSame(released: number, row: number): boolean
}

/** Gives up after this many tries: nobody searches for one text in one line so often. */
const mostTries = 100_000

/**
 * Finds whole searches for each group. One line may have the same text several times, with different clicks, and some
 * of these searches may be withheld. The earliest searches go to the groups that left earliest, if possible. Returns
 * pairs of a row of the log and a released row; undefined if there is no solution.
 */
export function matchAlike({ groups, searches, isSame }: AlikeSearches): [row: number, released: number][] | undefined {
  const isTaken = new Uint8Array(searches.length)
  const pairs: [number, number][] = []
  let tries = 0

  const cover = (group: number, left: readonly number[]): boolean => {
    if (left.length === 0) return group + 1 === groups.length || cover(group + 1, groups[group + 1])
    for (let search = 0; search < searches.length; search++) {
      if (isTaken[search] === 1) continue
      if (++tries > mostTries) return false
      const found = pairRows(searches[search], left)
      if (found === undefined) continue
      isTaken[search] = 1
      pairs.push(...found)
      const used = new Set(found.map(([, released]) => released))
      if (cover(group, left.filter((released) => !used.has(released)))) return true // biome-ignore format: a step
      pairs.length -= found.length
      isTaken[search] = 0
    }
    return false
  }

  /** Finds a released row for every row of a search. */
  const pairRows = (rows: readonly number[], left: readonly number[]): [number, number][] | undefined => {
    const found: [number, number][] = []
    const used = new Set<number>()
    for (const row of rows) {
      const released = left.find((one) => !used.has(one) && isSame(one, row))
      if (released === undefined) return undefined
      used.add(released)
      found.push([row, released])
    }
    return found
  }

  return groups.length === 0 || cover(0, groups[0]) ? pairs : undefined
}
