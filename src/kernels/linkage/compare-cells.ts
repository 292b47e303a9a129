import { shuffle } from "../random.ts"
import { type ComparedCells, gatherCells, groupPairs, type PairGroups } from "./cell-pairs.ts"
import { CellMatcher } from "./match-cell.ts"
import { countIds, type LinkageOptions, type ReleasedStream } from "./released-stream.ts"
import { findTimeRuns } from "./time-runs.ts"

export interface ComparisonOptions extends LinkageOptions {
  /** Largest number of pairs of a unit and a user of its cell that are compared in all (default 2²²). */
  most?: number
}

const rounds = 8

/** How much likelier than by chance a user must be to be named. */
const sure = 1.2

/**
 * Compares the cells that a text left with, for streams in which a text leaves once for each user. Three rules follow:
 * 1. A user who issued the text in one cell did not issue it in the others.
 * 2. The user shown with a unit did not issue it.
 * 3. Each user of a cell issued one of its units.
 * A user who is in few cells of a text is therefore likelier, in each of them, than a user who is in many. A user who
 * is likely for one unit is unlikely for the others.
 *
 * Sum-product applies all three rules to the pairs of a unit and a user of its cell. `CellMatcher` applies the two
 * rules of a cell. Among the pairs of one user and one text in several cells, at most one is true. So each such pair
 * receives 1 / (1 + Σ odds of the others), and takes the geometric mean of that and its previous weight.
 *
 * Names the likeliest user, if their probability is at least 1.2/k; the first of the cell among equals. Names nobody in
 * cells where nothing can be compared.
 *
 * Cells are the runs of one time in a category, with at most min(4 (k + 1), 1024) units. O(k) per record and round. If
 * cells with a repeated text have more than `most` pairs, categories are compared in random order until `most` is
 * reached. Of a category with more than a quarter of `most`, only a stretch of cells at a random place is compared.
 */
export function linkByComparison(stream: ReleasedStream, options: ComparisonOptions): Int32Array {
  const { k, random, most = 2 ** 22 } = options
  const named = new Int32Array(stream.user.length).fill(-1)
  const runs = findTimeRuns(stream)
  const { categories, order, isUnit } = runs
  const [texts, users] = [countIds(stream.text), countIds(stream.user)]
  const [seen, lastOf] = [new Int32Array(texts), new Int32Array(texts).fill(-1)]
  const [metIn, groupOf] = [new Int32Array(users), new Int32Array(users).fill(-1)]
  const chance = new Float64Array(users)
  const largest = Math.min(4 * (k + 1), 1024)
  const matcher = new CellMatcher({ largest })
  const shuffled = Uint32Array.from({ length: categories.length - 1 }, (_, category) => category)
  shuffle(shuffled, random)
  let left = most
  for (const category of shuffled) {
    if (left <= 0) break
    let [from, to] = [categories[category], categories[category + 1]]
    let compared = gatherCells(stream, runs, { from, to, largest, seen })
    const share = Math.min(left, Math.ceil(most / 4)) / compared.pairs
    if (share < 1) {
      const length = Math.max(2, Math.floor((to - from) * share))
      from += random.below(Math.max(1, to - from - length + 1))
      to = Math.min(to, from + length)
      compared = gatherCells(stream, runs, { from, to, largest, seen })
    }
    left -= compared.pairs
    const weighed = weighPairs(compared, groupPairs(compared, { lastOf, metIn, groupOf }), matcher)
    chooseUsers(compared, weighed, { matcher, chance, least: sure / k }, (unit, user) => {
      let p = compared.at[unit]
      do named[order[p++]] = user
      while (p < order.length && isUnit[p] === 0)
    })
  }
  return named
}

interface WeighedPairs extends PairGroups {
  /** By pair: the odds that the other cells of its text leave for it. */
  weight: Float64Array
}

/** Passes messages between cells and groups of pairs. */
function weighPairs(compared: ComparedCells, pairs: PairGroups, matcher: CellMatcher): WeighedPairs {
  const { cells } = compared
  const { first, group, groups } = pairs
  const weight = new Float64Array(group.length).fill(1)
  const said = new Float64Array(group.length)
  const sums = new Float64Array(groups)
  for (let round = 0; round < rounds && groups > 0; round++) {
    sums.fill(0)
    for (let cell = 0; cell + 1 < cells.length; cell++) {
      const size = matchCell(compared, { ...pairs, weight }, { matcher, cell })
      for (let unit = cells[cell]; unit < cells[cell + 1]; unit++) {
        for (let place = 0; place < size && first[unit] >= 0; place++) {
          const pair = first[unit] + place
          if (group[pair] < 0) continue
          said[pair] = matcher.said[(unit - cells[cell]) * size + place]
          sums[group[pair]] += said[pair]
        }
      }
    }
    for (let pair = 0; pair < group.length; pair++) {
      if (group[pair] < 0) continue
      weight[pair] = Math.sqrt(weight[pair] / (1 + Math.max(0, sums[group[pair]] - said[pair])))
    }
  }
  return { ...pairs, weight }
}

/** Gives the matcher the weights of a cell. Returns the number of its units. */
function matchCell(
  { cells, user }: ComparedCells,
  { first, weight }: WeighedPairs,
  { matcher, cell }: { matcher: CellMatcher; cell: number },
): number {
  const start = cells[cell]
  const size = cells[cell + 1] - start
  for (let unit = 0, e = 0; unit < size; unit++) {
    const own = first[start + unit]
    for (let place = 0; place < size; place++, e++) {
      const isShown = user[start + place] === user[start + unit]
      matcher.weight[e] = isShown ? 0 : own < 0 ? 1 : weight[own + place]
    }
  }
  matcher.match(size)
  return size
}

/**
 * Names the likeliest user of each unit, if likely enough. `chance` is indexed by user; it is 0 before and after the
 * call.
 */
function chooseUsers(
  compared: ComparedCells,
  pairs: WeighedPairs,
  { matcher, chance, least }: { matcher: CellMatcher; chance: Float64Array; least: number },
  name: (unit: number, user: number) => void,
): void {
  const { cells, user } = compared
  for (let cell = 0; cell + 1 < cells.length && pairs.groups > 0; cell++) {
    const start = cells[cell]
    const size = matchCell(compared, pairs, { matcher, cell })
    for (let unit = 0; unit < size; unit++) {
      let sum = 0
      for (let place = 0; place < size; place++) {
        const odds = matcher.weight[unit * size + place] * matcher.said[unit * size + place]
        chance[user[start + place]] += odds / (1 + odds)
        sum += odds / (1 + odds)
      }
      let best = start
      for (let place = 0; place < size; place++) {
        // Values that differ only by rounding are equal.
        if (chance[user[start + place]] > chance[user[best]] * (1 + 1e-9)) best = start + place
      }
      if (chance[user[best]] >= least * sum) name(start + unit, user[best])
      for (let place = 0; place < size; place++) chance[user[start + place]] = 0
    }
  }
}
