import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { CellTexts } from "#dist/swapper/cell-texts.js"
import { createSwapper } from "#dist/swapper/create-swapper.js"
import { waitingParts } from "#dist/swapper/swapper.js"
import { type Arrival, columnsOf, swapAll } from "../stream/collect.ts"
import { groupBy } from "../support/group-by.ts"

/** Few texts, so that many users wait with the same one. */
const arrival = fc
  .tuple(fc.nat({ max: 9 }), fc.nat({ max: 6 }), fc.nat({ max: 1 }))
  .map(([user, text, category]): Arrival => [user, text, category])
const step = fc.record({
  arrival,
  /** The value of k from here on. */
  k: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 6 }),
})

/** The waiting lists of a swapper, derived from what it reports: units by category and user, oldest first. */
class Lists {
  readonly #given: readonly Arrival[]
  readonly #units = new Map<string, number[][]>()

  constructor(given: readonly Arrival[]) {
    this.#given = given
  }

  add(record: number): void {
    const list = this.#listOf(record)
    const unit = list.find(([first]) => this.#textOf(first) === this.#textOf(record))
    if (unit === undefined) list.push([record])
    else unit.push(record)
  }

  remove(record: number): void {
    const list = this.#listOf(record)
    const unit = list.find((records) => records.includes(record)) ?? []
    unit.splice(unit.indexOf(record), 1)
    if (unit.length === 0) list.splice(list.indexOf(unit), 1)
  }

  /** Texts of the oldest units of a category's users. */
  oldestTexts(category: number): Set<number | undefined> {
    const lists = [...this.#units].filter(([key, list]) => key.startsWith(`${category} `) && list.length > 0)
    return new Set(lists.map(([, [oldest]]) => this.#textOf(oldest?.[0])))
  }

  #textOf = (record: number | undefined) => this.#given[record ?? -1]?.[1]

  #listOf(record: number): number[][] {
    const key = `${this.#given[record]?.[2]} ${this.#given[record]?.[0]}`
    const list = this.#units.get(key) ?? []
    this.#units.set(key, list)
    return list
  }
}

interface Released {
  record: number
  as: number
}

function expectDistinct(cells: Iterable<readonly Released[]>, given: readonly Arrival[]): void {
  for (const members of cells) {
    const units = new Set(members.map(({ record }) => `${given[record]?.[0]} ${given[record]?.[1]}`))
    const texts = new Set(members.map(({ record }) => given[record]?.[1]))
    expect(texts.size).toBe(units.size)
    // No pair of a user and a text that was issued is shown.
    const issued = new Set(units)
    for (const { record, as } of members) expect(issued.has(`${given[as]?.[0]} ${given[record]?.[1]}`)).toBe(false)
  }
}

describe("with distinct texts in a cell", () => {
  test("no cell has a text twice, whatever k becomes; it closes as soon as k + 1 distinct texts can leave", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), fc.integer({ min: 1, max: 4 }), (steps, backlog) => {
        const given = steps.map(({ arrival }) => arrival)
        const lists = new Lists(given)
        let k = 4
        const cells = new Map<number, Released[]>()
        let isTaken = true
        let at = 0
        const sink = {
          release: (record: number, as: number, cell: number) => {
            if (record === at)
              isTaken = false // came and left
            else lists.remove(record)
            cells.set(cell, [...(cells.get(cell) ?? []), { record, as }])
          },
          withhold: () => {
            isTaken = false
          },
        }
        const swapper = createSwapper(columnsOf(given), {
          mode: "strict",
          k,
          backlog,
          random: seededRandom(1),
          sink,
          distinctTexts: true,
        })
        for (; at < given.length; at++) {
          k = steps[at]?.k ?? k
          swapper.setK(k)
          isTaken = true
          const before = swapper.waiting
          const released = () => [...cells.values()].flat().length
          const left = released()
          swapper.offer(at)
          if (isTaken) lists.add(at)
          const offered = released() - left + swapper.waiting - before
          if (offered === 1) expect(lists.oldestTexts(given[at]?.[2] ?? 0).size).toBeLessThanOrEqual(k)
        }
        expectDistinct(cells.values(), given)
        for (const members of cells.values()) {
          const users = new Set(members.map(({ record }) => given[record]?.[0]))
          expect(new Set(members.map(({ as }) => given[as]?.[0]))).toEqual(users)
          for (const { record, as } of members) expect(given[as]?.[0]).not.toBe(given[record]?.[0])
        }
      }),
      { numRuns: 1000 },
    )
  })

  test("no cell has a text twice after records were put back that wait for the same cell with the same text", () => {
    fc.assert(
      fc.property(
        fc.array(arrival, { maxLength: 60 }),
        fc.array(arrival, { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        (waited, came, k) => {
          const given = [...waited, ...came]
          const cells = new Map<number, Released[]>()
          const withheld: number[] = []
          const sink = {
            release: (record: number, as: number, cell: number) =>
              void cells.set(cell, [...(cells.get(cell) ?? []), { record, as }]),
            withhold: (record: number) => void withheld.push(record),
          }
          const random = seededRandom(2)
          const swapper = createSwapper(columnsOf(given), { mode: "strict", k, backlog: 2, random, sink })
          for (let record = 0; record < waited.length; record++) swapper.restore(record, waitingParts.both)
          expect(swapper.waiting).toBe(waited.length)
          for (let record = waited.length; record < given.length; record++) swapper.offer(record)
          expectDistinct(cells.values(), given)
          const left = [...cells.values()].flat().length
          expect(left + swapper.waiting + withheld.length).toBe(given.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test("records that were put back leave in the end, one of each text per cell", () => {
    // Five users wait with the same text, which a cell takes once.
    const waited = [0, 1, 2, 3, 4].map((user): Arrival => [user, 7, 0])
    const came = Array.from({ length: 20 }, (_, i): Arrival => [10 + i, 100 + i, 0])
    const given = [...waited, ...came]
    const cells: number[][] = []
    const sink = {
      release: (record: number, _as: number, cell: number) => {
        cells[cell] = [...(cells[cell] ?? []), record]
      },
      withhold: () => {
        throw new Error("nothing is withheld")
      },
    }
    const random = seededRandom(3)
    const swapper = createSwapper(columnsOf(given), { mode: "strict", k: 2, backlog: 2, random, sink })
    for (let record = 0; record < 5; record++) swapper.restore(record, waitingParts.both)
    for (let record = 5; record < 25; record++) swapper.offer(record)
    expect(cells.slice(0, 5).map((cell) => cell.filter((record) => record < 5).length)).toEqual([1, 1, 1, 1, 1])
    expect(cells.map((cell) => cell.length)).toEqual(cells.map(() => 3))
    expect(swapper.waiting).toBe(25 - 3 * cells.length)
    expect(swapper.waiting).toBeLessThan(3)
  })

  test("a second user with a text that waits for the same cell is withheld; for a later cell it may wait", () => {
    const given: Arrival[] = [
      [0, 1, 0],
      [1, 1, 0], // for the same cell
      [1, 2, 0],
      [1, 1, 0], // for the cell after it
      [0, 2, 0], // so is this, and there the text is not taken
      [2, 1, 5], // another topic
      [2, 3, 0],
    ]
    const { released, withheld, sameText } = swapAll(given, { mode: "strict", k: 2, backlog: 2 })
    expect({ withheld, sameText }).toEqual({ withheld: [], sameText: [1] })
    expect(released.map(({ record }) => record).sort()).toEqual([0, 2, 6])
  })
})

test("a claim lasts until it is released, for its text, category and cell alone, however many came and went", () => {
  const claim = fc.record({
    unit: fc.nat({ max: 100_000 }),
    text: fc.nat({ max: 3 }),
    category: fc.nat({ max: 2 }),
    cell: fc.nat({ max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 400 }), (claims) => {
      const units = new Map<number, { text: number; category: number; hash: number; key: string }>()
      const table = new CellTexts({
        text: (unit) => units.get(unit)?.text ?? -1,
        category: (unit) => units.get(unit)?.category ?? -1,
        hash: (unit) => units.get(unit)?.hash ?? 0,
      })
      const held = new Map<string, number>()
      for (const { unit, text, category, cell } of claims) {
        const known = units.get(unit)
        if (known !== undefined) {
          table.giveUp(unit)
          if (held.get(known.key) === unit) held.delete(known.key)
          units.delete(unit)
          continue
        }
        const key = `${text} ${category} ${cell}`
        units.set(unit, { text, category, hash: table.hash(text, cell), key })
        expect(table.claim(unit)).toBe(!held.has(key))
        if (!held.has(key)) held.set(key, unit)
      }
      expect([...groupBy([...held], ([, unit]) => unit)].length).toBe(held.size)
    }),
    { numRuns: 300 },
  )
})
