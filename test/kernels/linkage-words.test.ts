import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkBySelfTraining } from "#dist/kernels/linkage/self-trained.js"
import { linkBySharedWords } from "#dist/kernels/linkage/shared-words.js"
import { seededRandom } from "#dist/kernels/random.js"
import {
  anyWordStream,
  largestOf,
  type Unit,
  unitsByCell,
  type WordRow,
  weigher,
  wordStreamOf,
  wordsOf,
} from "../support/word-streams.ts"

interface Given {
  rows: WordRow[]
  words: number[][]
  k: number
}

/** How much a unit of another cell counts if the member at this place of its cell issued it. */
type Trust = (unit: Unit, cell: readonly Unit[], place: number) => number

/**
 * By member of a unit's cell, except the name shown on it: from each other cell of the member, the best unit of others.
 */
function votesFor(unit: Unit, given: { cells: Unit[][]; weight: ReturnType<typeof weigher>; trust: Trust }) {
  const { cells, weight, trust } = given
  const own = cells.find((cell) => cell.includes(unit)) ?? []
  const members = new Set(own.map(({ name }) => name).filter((name) => name !== unit.name))
  const votes = new Map<number, number>()
  for (const member of members) {
    let sum = 0
    for (const cell of cells) {
      const place = cell.findIndex(({ name }) => name === member)
      if (cell === own || place < 0) continue
      const others = cell.filter(({ name }) => name !== member)
      sum += Math.max(0, ...others.map((other) => weight(unit, other) * trust(other, cell, place)))
    }
    votes.set(member, sum)
  }
  return votes
}

/** By unit of a cell that is not too large: the attacker's estimate of how likely each name is. */
type Odds = Map<Unit, Map<number, number>>

function sharePlainly({ rows, words, k }: Given): Odds {
  const cells = unitsByCell(rows)
  const weight = weigher(cells, words)
  const targets = cells.filter((cell) => cell.length <= largestOf(k)).flat()
  return new Map(targets.map((unit) => [unit, votesFor(unit, { cells, weight, trust: () => 1 })]))
}

function balancePlainly(matrix: number[][]): number[][] {
  let rows = matrix
  const divide = (row: number[]) => {
    const sum = row.reduce((total, value) => total + value, 0)
    return sum === 0 ? row : row.map((value) => value / sum)
  }
  const transpose = (of: number[][]) => of.map((_, column) => of.map((row) => row[column]))
  for (let sweep = 0; sweep < 20; sweep++) rows = transpose(transpose(rows).map(divide)).map(divide)
  return rows
}

/** The same rounds on dense matrices of units and places. */
function trainPlainly({ rows, words, k }: Given): Odds {
  const cells = unitsByCell(rows)
  const weight = weigher(cells, words)
  const taking = cells.filter((cell) => cell.length <= largestOf(k))
  let chance = new Map<Unit, number[]>(
    taking.flatMap((cell) => cell.map((unit) => [unit, cell.map(() => 1 / Math.max(1, cell.length - 1))])),
  )
  for (let round = 0; round < 4; round++) {
    const before = chance
    const trust: Trust = (unit, cell, place) => (before.get(unit)?.[place] ?? 1 / (cell.length - 1)) * (cell.length - 1)
    chance = new Map(
      taking.flatMap((cell) => {
        const matrix = cell.map((unit) => {
          const votes = votesFor(unit, { cells, weight, trust })
          return cell.map(({ name }) => (name === unit.name ? 0 : 0.3 + (votes.get(name) ?? 0)))
        })
        const balanced = balancePlainly(matrix)
        return cell.map((unit, i): [Unit, number[]] => [unit, balanced[i]])
      }),
    )
  }
  return new Map(
    taking.flatMap((cell) =>
      cell.map((unit): [Unit, Map<number, number>] => {
        const odds = new Map<number, number>()
        for (const [place, { name }] of cell.entries())
          odds.set(name, Math.max(odds.get(name) ?? 0, chance.get(unit)?.[place] ?? 0))
        return [unit, odds]
      }),
    ),
  )
}

/**
 * Expects that every record is given to one of the likeliest names of its unit, or to nobody if none is as likely as
 * `least`. Kernels use single precision, so values within `slack` are equal.
 */
function expectLikeliest(
  named: Int32Array,
  odds: Odds,
  { rows, least, slack }: Record<"least" | "slack", number> & Pick<Given, "rows">,
) {
  for (const [i, { user, text, cell }] of rows.entries()) {
    const found = [...odds].find(([unit]) => unit.cell === cell && unit.name === user && unit.text === text)
    const best = found === undefined ? 0 : Math.max(0, ...found[1].values())
    const likeliest = [...(found?.[1] ?? [])].filter(([, chance]) => chance >= best * (1 - slack)).map(([name]) => name)
    if (best < least * (1 - slack)) expect(named[i]).toBe(-1)
    else expect([...likeliest, ...(best < least * (1 + slack) ? [-1] : [])]).toContain(named[i])
  }
}

describe("names by shared words", () => {
  test("are those with the most votes by plain lists, and none if there are no votes", () => {
    fc.assert(
      fc.property(anyWordStream, fc.nat(), ({ rows, words, k }, seed) => {
        const { stream, cell } = wordStreamOf(rows)
        const named = linkBySharedWords(stream, { k, cell, words: wordsOf(words), random: seededRandom(seed) })
        expectLikeliest(named, sharePlainly({ rows, words, k }), { rows, least: 1e-9, slack: 1e-5 })
      }),
      { numRuns: 300 },
    )
  })

  test("are drawn among equals", () => {
    // Names 1 and 2 are both in the other cell with word 7, and neither is shown with it.
    const rows = [
      { user: 0, text: 0, cell: 0, truth: 1 },
      { user: 1, text: 1, cell: 0, truth: 2 },
      { user: 2, text: 2, cell: 0, truth: 0 },
      { user: 3, text: 3, cell: 1, truth: 1 },
      { user: 1, text: 4, cell: 1, truth: 2 },
      { user: 2, text: 5, cell: 1, truth: 3 },
    ]
    const { stream, cell } = wordStreamOf(rows)
    const words = wordsOf([[7], [1], [2], [7], [3], [4]])
    const names = Array.from({ length: 200 }, (_, seed) => {
      return linkBySharedWords(stream, { k: 2, cell, words, random: seededRandom(seed) })[0]
    })
    // Fewer than 60 of one: a false alarm in 10⁸ choices of seeds.
    for (const name of [1, 2]) expect(names.filter((one) => one === name).length).toBeGreaterThan(60)
    expect(new Set(names)).toEqual(new Set([1, 2]))
  })
})

describe("names by self-training", () => {
  test("are those of the same rounds on dense matrices, but for near ties", () => {
    fc.assert(
      fc.property(anyWordStream, ({ rows, words, k }) => {
        const { stream, cell } = wordStreamOf(rows)
        const named = linkBySelfTraining(stream, { k, cell, words: wordsOf(words), random: seededRandom(1) })
        expectLikeliest(named, trainPlainly({ rows, words, k }), { rows, least: 1.2 / k, slack: 1e-3 })
      }),
      { numRuns: 300 },
    )
  })
})
