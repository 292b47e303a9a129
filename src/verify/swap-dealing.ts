import { chiSquareTail, chiSquareTest } from "../kernels/statistics/chi-square.ts"
import { cycleOdds, pairOdds } from "./derangement-odds.ts"
import type { Check } from "./verifier.ts"

/**
 * How cells were dealt: by cell and position, in order of arrival, the position of the user whose name the record has.
 */
export interface Dealing {
  size: number
  to: Int32Array
}

/** Largest chance of a false alarm, over all tests. */
const falseAlarms = 1e-6

/**
 * Outcomes are merged until at least this many are expected. χ² is an approximation, and its tail is too thin this far
 * out. So the level of each of the four tests is a tenth of its quarter of the false alarms. The tests of this file
 * compute exactly that this is enough.
 */
const expectedInBin = 10
export const dealingLevel = falseAlarms / 4 / 10

interface Outcomes {
  odds: ArrayLike<number>
  /** The outcome of a cell, whose positions begin at `from`. */
  of(from: number): number
}

/**
 * Four statistics, each with one outcome per cell, so that outcomes are independent: where the first record went; where
 * the last record went; whether the first two moved by the same offset; and the length of the cycle of the first
 * record. The first catches a rotation. The third catches a rotation by an offset drawn for each cell. The fourth
 * catches users who swap in pairs or in one large cycle.
 */
function outcomesOf({ size, to }: Dealing): Outcomes[] {
  const offset = (from: number, place: number) => (to[from + place] - place + size) % size
  const even = new Float64Array(size - 1).fill(1 / (size - 1))
  const ends = [0, size - 1].map((place): Outcomes => ({ odds: even, of: (from) => offset(from, place) - 1 }))
  if (size === 3) return ends // both derangements of three are rotations: nothing else can be tested
  const apart = (from: number) => (offset(from, 1) - offset(from, 0) + size) % size
  return [...ends, { odds: pairOdds(size), of: apart }, { odds: cycleOdds(size), of: (from) => ring(to, from) - 2 }]
}

function ring(to: Int32Array, from: number): number {
  let length = 1
  for (let place = to[from]; place !== 0; place = to[from + place]) length++
  return length
}

/**
 * Pearson's χ² test over the cells. If there are too few cells to form two bins, `p` is 1. `blind` is true if there are
 * too few for the test to notice even that all had the same outcome.
 */
function testOutcomes(cells: number, size: number, { odds, of }: Outcomes): { p: number; blind: boolean } {
  const binOf = new Int32Array(odds.length)
  const expected: number[] = []
  let gathered = 0
  for (let outcome = 0; outcome < odds.length; outcome++) {
    binOf[outcome] = expected.length
    gathered += odds[outcome] * cells
    if (gathered < expectedInBin) continue
    expected.push(gathered)
    gathered = 0
  }
  if (expected.length < 2) return { p: 1, blind: true }
  expected[expected.length - 1] += gathered
  const observed = new Float64Array(expected.length)
  for (let cell = 0; cell < cells; cell++) observed[Math.min(binOf[of(cell * size)], observed.length - 1)]++
  // All in one bin: Σ o²/e − n = n²/e − n.
  const alike = cells ** 2 / expected.reduce((most, one) => Math.max(most, one)) - cells
  const blind = chiSquareTail(alike, expected.length - 1) > dealingLevel
  return { p: chiSquareTest(observed, expected).p, blind }
}

export const dealingPromise = {
  name: "dealing",
  promise: "users were dealt out by a uniform derangement (χ², false alarms below one in a million)",
}

/**
 * Tests whether the dealing looks like uniform derangements. The check is never passed if there are too few cells to
 * tell.
 */
export function checkDealing(dealing: Dealing): Check {
  const { size, to } = dealing
  const cells = to.length / size
  const tests = outcomesOf(dealing).map((outcomes) => testOutcomes(cells, size, outcomes))
  const value = Math.min(...tests.map(({ p }) => p))
  if (value < dealingLevel) return { ...dealingPromise, state: "failed", value, bound: dealingLevel }
  if (tests.some(({ blind }) => blind))
    return { ...dealingPromise, state: "not checked", detail: `too few cells to judge (${cells})` }
  return { ...dealingPromise, state: "passed", value, bound: dealingLevel }
}
