import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { boundOf, isOver, type LinkageShare, type Trials } from "../../kernels/linkage/judge-names.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { cryptoRandom, seededRandom } from "../../kernels/random.ts"
import { groupSimilarTexts } from "../../text/content-words.ts"
import { type ReadWindow, readWindow } from "./read-window.ts"
import type { WindowReleases } from "./risk-window.ts"

/** Settings of the running attack, and how readily it raises an alarm. */
export interface RiskOptions {
  k: number
  /** True if records leave in cells (strict mode), false if one by one. */
  cells: boolean
  /** True if a text leaves once for each user (default: the value of `cells`). */
  once?: boolean
  /**
   * A category, or all of them together, is judged only by an attacker who named at least this many units (default
   * 100).
   */
  fewest?: number
  /**
   * The chance of an alarm per assessment if nothing is wrong: once for all categories together, once for the single
   * categories (default 0.001).
   */
  falseAlarms?: number
  /** For tests: seed of the attackers' random numbers. */
  seed?: number
}

/** What the best attacker achieved on a window of releases. */
export interface RiskVerdict extends LinkageShare {
  releases: number
  attacker: string
  alarm: boolean
  /** Categories by their number in the window; each once, with the result of the attacker who found most. */
  alarmed: ({ category: number } & LinkageShare)[]
}

/**
 * An attacker that takes every shown user for the true one. The other attackers rely on no search coming back to its
 * own user, so this one checks it.
 */
const asShown = { name: "as-shown", link: ({ user }: ReleasedStream) => user }
const attackers = [...linkageAttackers, asShown]

/**
 * Runs all attackers on a window, plus one that takes every shown user for the true one. Judges whether any of them
 * names users more often than 1/k. They see names as they were released: a name that lasts for one cell is a different
 * name in the next.
 *
 * A trial is a unit, not a record: the records of a cell that show one user have one issuer. The first of them for
 * which the attacker names anybody counts. Units that share a cell count for less; `judge-names.ts` says why, and which
 * part of it is exact. In paper mode there are no cells and no proof, and records count as independent.
 *
 * Each of the n bounds has level falseAlarms/n, so all of them are true together with probability at least 1 −
 * falseAlarms. With c categories of at least `fewest` units, each bound of a category has level falseAlarms/(n c). Per
 * assessment, therefore, a false alarm over all categories together has a probability of at most `falseAlarms`, and so
 * has a false alarm in any of the categories. There is no correction for repeated assessments: among 1000 windows
 * without a common release, expect at most one false alarm of each kind.
 */
export function assessRisk(window: WindowReleases, options: RiskOptions): RiskVerdict {
  const { k, cells, once = cells, fewest = 100, falseAlarms = 0.001, seed } = options
  const read = readWindow(window)
  const { words, cell } = read
  const similarTexts = groupSimilarTexts(words)
  const random = seed === undefined ? cryptoRandom() : seededRandom(seed)
  const level = falseAlarms / attackers.length
  const judged = countJudged(read, fewest)
  const verdict: RiskVerdict = {
    releases: read.unit.length,
    attacker: "none",
    named: 0,
    share: 0,
    lower: 0,
    alarm: false,
    alarmed: [],
  }
  const worst = new Map<number, LinkageShare>()
  for (const { name, link } of attackers) {
    const named = link(read.stream, { k, cells, once, random, words, cell, similarTexts })
    const trials = countTrials(named, read)
    const all = sumOf(trials)
    if (all.named < fewest) continue
    const found = boundOf(all, { k, level })
    if (verdict.attacker === "none" || isWorse(found, verdict)) Object.assign(verdict, found, { attacker: name })
    for (const [category, some] of trials.entries()) {
      if (some.named < fewest || !isOver(some, { k, level: level / judged })) continue
      const own = boundOf(some, { k, level: level / judged })
      const known = worst.get(category)
      if (known === undefined || isWorse(own, known)) worst.set(category, own)
    }
  }
  verdict.alarm = verdict.lower > 1 / k
  verdict.alarmed = [...worst].map(([category, found]) => ({ category: read.categories[category], ...found }))
  verdict.alarmed.sort((a, b) => b.lower - a.lower)
  return verdict
}

const isWorse = (one: LinkageShare, other: LinkageShare) =>
  one.lower > other.lower || (one.lower === other.lower && one.share > other.share)

/** Number of categories with at least `fewest` units. It does not depend on which attacker was right. */
function countJudged({ stream, unit, units, categories }: ReadWindow, fewest: number): number {
  const categoryOf = new Int32Array(units)
  for (let i = 0; i < unit.length; i++) categoryOf[unit[i]] = stream.category[i]
  const sizes = new Int32Array(categories.length)
  for (const category of categoryOf) sizes[category]++
  return sizes.reduce((count, size) => count + (size >= fewest ? 1 : 0), 0)
}

/** Trials by category. */
function countTrials(named: Int32Array, { stream, unit, units, cellStarts, categories }: ReadWindow): Trials[] {
  const trials = Array.from(categories, () => ({ named: 0, right: 0, pairs: 0 }))
  const seen = new Uint8Array(units)
  for (let cell = 0; cell + 1 < cellStarts.length; cell++) {
    const own = trials[stream.category[cellStarts[cell]]]
    let names = 0
    for (let i = cellStarts[cell]; i < cellStarts[cell + 1]; i++) {
      if (named[i] < 0 || seen[unit[i]] === 1) continue
      seen[unit[i]] = 1
      names++
      if (named[i] === stream.truth[i]) own.right++
    }
    own.named += names
    own.pairs += names * (names - 1)
  }
  return trials
}

function sumOf(trials: readonly Trials[]): Trials {
  const sum = { named: 0, right: 0, pairs: 0 }
  for (const { named, right, pairs } of trials) {
    sum.named += named
    sum.right += right
    sum.pairs += pairs
  }
  return sum
}
