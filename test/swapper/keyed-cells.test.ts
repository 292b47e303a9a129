import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type RandomSource, shuffleFirst } from "#dist/kernels/random.js"
import { chiSquareTail } from "#dist/kernels/statistics/chi-square.js"
import { CellCounts } from "#dist/swapper/cell-counts.js"
import { createSwapper } from "#dist/swapper/create-swapper.js"
import { drawDerangement } from "#dist/swapper/derange.js"
import { keyedCells } from "#dist/swapper/keyed-cells.js"
import { type CellIdentity, type Swapper, waitingParts } from "#dist/swapper/swapper.js"
import { type Arrival, columnsOf } from "../stream/collect.ts"
import { groupBy } from "../support/group-by.ts"

const pathOf = (category: number) => `topic ${category}`
const chanceOf = (byte: number, version = 1) =>
  keyedCells({ secret: { key: Buffer.alloc(32, byte), version }, pathOf, seeded: true })

type Position = readonly [time: number, high: number, low: number]

interface Step {
  arrival: Arrival
  position: Position
  /** The value of k from here on. */
  k: number | undefined
  /** True if the swapper is restarted before this step, with what waits. */
  isRestart: boolean
}

interface Rules {
  backlog: number
  distinctTexts: boolean
}

/** The record, the record whose user it is shown with, and the cell. */
type Left = [record: number, as: number, cell: number]

const firstK = 3
const noRandom = {
  seeded: true,
  uint32: (): number => {
    throw new Error("not of the cell")
  },
  below: (): number => {
    throw new Error("not of the cell")
  },
  fill: () => {},
}

interface WaitingList {
  user: number
  category: number
  units: { text: number; records: number[] }[]
}

/** Puts a record into the list of its user. Returns false if it is withheld. */
function joinList(
  lists: WaitingList[],
  { record, user, text, category }: { record: number; user: number; text: number; category: number },
  { backlog, distinctTexts }: Rules,
): boolean {
  const list = lists.find((one) => one.user === user && one.category === category) ?? { user, category, units: [] }
  if (!lists.includes(list)) lists.push(list)
  const known = list.units.find((unit) => unit.text === text)
  if (known !== undefined) {
    known.records.splice(1, 0, record)
    return true
  }
  const place = list.units.length
  const meets = lists.some((other) => other.category === category && other.units[place]?.text === text)
  if (place >= backlog || (distinctTexts && meets)) return false
  list.units.push({ text, records: [record] })
  return true
}

/** The members with the longest lists, random ones among equals, without two of the same text if texts are distinct. */
function longestLists(
  members: readonly WaitingList[],
  { size, distinctTexts, random }: { size: number; distinctTexts: boolean; random: RandomSource },
): WaitingList[] {
  const drawn = Int32Array.from(members, (_, i) => i)
  shuffleFirst(drawn, drawn.length, random)
  const longest = [...drawn].sort((a, b) => (members[b]?.units.length ?? 0) - (members[a]?.units.length ?? 0))
  const seen = new Set<number | undefined>()
  return longest
    .flatMap((i) => members[i] ?? [])
    .filter(({ units }) => !distinctTexts || (!seen.has(units[0]?.text) && seen.add(units[0]?.text)))
    .slice(0, size)
}

/** Takes the first unit of each member, and deals the units by a derangement. */
function dealCell(members: readonly WaitingList[], { cell, random }: { cell: number; random: RandomSource }): Left[] {
  const dealt = new Int32Array(members.length)
  const order = Int32Array.from(members, (_, i) => i)
  drawDerangement(dealt, members.length, random)
  shuffleFirst(order, members.length, random)
  const units = members.map((one) => one.units.shift()?.records ?? [])
  const as = (i: number) => units[dealt[i] ?? -1]?.[0] ?? -1
  return [...order].flatMap((i) => (units[i] ?? []).map((one): Left => [one, as(i), cell]))
}

const wordsOf = ([time, high, low]: Position) => [time + 2 ** 31, high, low]

/** As docs/methods/swap.md describes it, with arrays: what leaves under which user, in order. */
function swapByHand(steps: readonly Step[], rules: Rules, chance: ReturnType<typeof chanceOf>) {
  const { distinctTexts } = rules
  const left: Left[] = []
  const numbers = new Map<number, number>()
  let [k, cells] = [firstK, 0]
  const lists: WaitingList[] = []
  for (const [record, step] of steps.entries()) {
    const [user, text, category] = step.arrival
    k = step.k ?? k
    const there = () => lists.filter((list) => list.category === category && list.units.length > 0)
    if (!joinList(lists, { record, user, text, category }, rules)) continue
    for (;;) {
      const firstOf = (one: WaitingList) => one.units[0]?.records[0] ?? -1
      const keyOf = (one: WaitingList) => wordsOf(steps[firstOf(one)]?.position ?? [0, 0, 0])
      const inOrder = (a: WaitingList, b: WaitingList) =>
        keyOf(a)
          .map((word, i) => word - (keyOf(b)[i] ?? 0))
          .find((difference) => difference !== 0) ?? firstOf(a) - firstOf(b)
      const positionsOf = (some: readonly WaitingList[]) => Uint32Array.from(some.flatMap(keyOf))
      let members = there().sort(inOrder)
      const textsOf = new Set(members.map(({ units }) => units[0]?.text))
      if ((distinctTexts ? textsOf.size : members.length) <= k) break
      const cell = { category, number: numbers.get(category) ?? 0 }
      if (members.length > k + 1) {
        const random = chance({ ...cell, draw: "members", positions: positionsOf(members) })
        members = longestLists(members, { size: k + 1, distinctTexts, random }).sort(inOrder)
      }
      const random = chance({ ...cell, draw: "dealing", positions: positionsOf(members) })
      left.push(...dealCell(members, { cell: cells++, random }))
      numbers.set(category, cell.number + 1)
    }
  }
  return left
}

/** The same with a swapper whose records are in reused slots, and which may be restarted in between. */
function swapInSlots(
  steps: readonly Step[],
  rules: Rules,
  options: { chance: ReturnType<typeof chanceOf>; spread: number },
) {
  const left: Left[] = []
  const stride = 8
  const words = new Int32Array((steps.length + 1) * stride)
  const [user, text, category] = [words, words.subarray(1), words.subarray(2)]
  const position = { time: words.subarray(3), high: words.subarray(4), low: words.subarray(5) }
  const number: number[] = []
  const recordAt: number[] = []
  const free = Array.from({ length: steps.length }, (_, i) => (i * options.spread) % steps.length).reverse()
  const waiting = new Set<number>() // slots, in the order of arrival
  const counts = new CellCounts()
  let [k, taken, cells, cellOfRun] = [firstK, 0, -1, -1]
  let isTaken = true
  let gone: number[] = []
  const sink = {
    release: (slot: number, as: number, cell: number) => {
      if (cell !== cellOfRun) cells++
      cellOfRun = cell
      left.push([recordAt[slot] ?? -1, recordAt[as] ?? -1, cells])
      gone.push(slot)
    },
    withhold: () => {
      isTaken = false
    },
  }
  const open = (): Swapper => {
    cellOfRun = -1
    const columns = { stride, user, text, category, position, arrival: (slot: number) => number[slot] ?? -1 }
    const swapper = createSwapper(columns, {
      mode: "strict",
      k,
      ...rules,
      random: noRandom,
      randomOfCell: options.chance,
      counts,
      sink,
    })
    for (const slot of waiting) swapper.restore(slot, waitingParts.both)
    return swapper
  }
  let swapper = open()
  for (const [record, step] of steps.entries()) {
    if (step.isRestart) swapper = open()
    k = step.k ?? k
    swapper.setK(k)
    const slot = free.pop() ?? -1
    words.set([...step.arrival, ...step.position], slot * stride)
    number[slot] = taken++
    recordAt[slot] = record
    waiting.add(slot)
    isTaken = true
    swapper.offer(slot)
    if (!isTaken) {
      taken--
      gone.push(slot)
    }
    for (const one of gone) waiting.delete(one)
    free.push(...gone)
    gone = []
  }
  return left
}

/** Few values, so that some positions are equal, and some differ only in the last bit. */
const half = fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff)
const steps = fc.array(
  fc.record({
    position: fc.tuple(fc.integer({ min: -2, max: 2 }), half, half),
    arrival: fc
      .tuple(fc.nat({ max: 9 }), fc.nat({ max: 7 }), fc.nat({ max: 1 }))
      .map(([user, text, category]): Arrival => [user, text, category]),
    k: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 8 }),
    isRestart: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  }),
  { maxLength: 150 },
)
const rules = fc.record({ backlog: fc.integer({ min: 1, max: 4 }), distinctTexts: fc.boolean() })

describe("cells under a key", () => {
  test("equal those of a plain program in members, dealing and order, however often the swapper restarts", () => {
    fc.assert(
      fc.property(steps, rules, fc.constantFrom(1, 7, 11), (given, rule, step) => {
        const spread = given.length % step === 0 ? 1 : step
        const chance = chanceOf(1)
        expect(swapInSlots(given, rule, { chance, spread })).toEqual(swapByHand(given, rule, chance))
      }),
      { numRuns: 1000 },
    )
  })

  test("are dealt alike in whatever order and slots their searches were offered", () => {
    const positions = fc.uniqueArray(fc.tuple(fc.integer({ min: -2, max: 2 }), half, half), {
      minLength: 3,
      maxLength: 12,
      selector: (position) => position.join(),
    })
    fc.assert(
      fc.property(positions, fc.infiniteStream(fc.nat({ max: 10_000 })), (given, draws) => {
        const dealIn = (order: readonly number[], spread: number) => {
          const offered = order.map((i, at): Step => {
            const k = at === 0 ? given.length - 1 : undefined
            return { arrival: [i, 100 + i, 0], position: given[i] ?? [0, 0, 0], k, isRestart: at % 3 === 1 }
          })
          const left = swapInSlots(offered, { backlog: 1, distinctTexts: true }, { chance: chanceOf(1), spread })
          return left.map(([record, as]) => [order[record], order[as]])
        }
        const order = [...given.keys()]
        const places = order.map(() => draws.next().value ?? 0)
        const shuffled = order.toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
        const spread = given.length % 7 === 0 ? 1 : 7
        expect(dealIn(order, 1)).toHaveLength(given.length)
        expect(dealIn(shuffled, spread)).toEqual(dealIn(order, 1))
      }),
      { numRuns: 300 },
    )
  })

  const crowd = Array.from({ length: 4000 }, (_, i): Step => {
    return {
      arrival: [i % 40, i, i % 3],
      position: [i >> 2, (i * 0x9e3779b1) % 2 ** 32, i],
      k: i === 2000 ? 2 : undefined,
      isRestart: i % 500 === 0,
    }
  })

  test("have other dealings under another key, and the same members", () => {
    const rule = { backlog: 2, distinctTexts: true }
    const [one, other] = [1, 2].map((byte) =>
      swapInSlots(crowd.slice(0, 1900), rule, { chance: chanceOf(byte), spread: 1 }),
    )
    const dealingOf = (left: readonly Left[] = []) => left.map(([record, as]) => `${record} ${as}`)
    const membersOf = (left: readonly Left[] = []) =>
      [...groupBy(left, ([, , cell]) => cell)].map(([, members]) =>
        members.map(([record]) => record).sort((a, b) => a - b),
      )
    const same = dealingOf(one).filter((pair) => dealingOf(other).includes(pair)).length
    expect(membersOf(one)).toEqual(membersOf(other))
    expect(same / dealingOf(one).length).toBeLessThan(0.5) // 1 in 3 by chance
  })

  test("are numbered from 0 in each category, without a gap and never twice, also after a restart", () => {
    const seen: CellIdentity[] = []
    const source = chanceOf(1)
    const chance = (cell: CellIdentity) => {
      if (cell.draw === "dealing") seen.push({ ...cell, positions: cell.positions.slice() })
      return source(cell)
    }
    swapInSlots(crowd, { backlog: 2, distinctTexts: true }, { chance, spread: 7 })
    for (const category of [0, 1, 2]) {
      const own = seen.filter((cell) => cell.category === category)
      expect(own.length).toBeGreaterThan(100)
      expect(own.map(({ number }) => number)).toEqual(own.map((_, i) => i))
    }
  })

  test("have other dealings under another version of the same key", () => {
    const cell = { category: 0, number: 0, draw: "dealing", positions: Uint32Array.of(1, 2, 3) } as const
    const wordsUnder = (version: number) => {
      const random = chanceOf(1, version)(cell)
      return [random.uint32(), random.uint32()]
    }
    expect(wordsUnder(1)).toEqual(wordsUnder(1))
    expect(wordsUnder(1)).not.toEqual(wordsUnder(2))
  })

  test("are dealt uniformly over cell numbers: each of nine derangements as often (false alarm 1 in 10⁶)", () => {
    const rounds = 18_000
    const arrivals = Array.from({ length: rounds * 4 }, (_, i): Arrival => [i % 4, i, 0])
    const cells: number[][] = []
    const sink = {
      release: (record: number, as: number, cell: number) => {
        const dealt = cells[cell] ?? []
        dealt[record % 4] = as % 4
        cells[cell] = dealt
      },
      withhold: () => {},
    }
    const options = { mode: "strict", k: 3, backlog: 1, random: noRandom, randomOfCell: chanceOf(3), sink } as const
    const swapper = createSwapper(columnsOf(arrivals), options)
    for (let record = 0; record < arrivals.length; record++) swapper.offer(record)
    const counts = [...groupBy(cells, (dealt) => dealt.join())].map(([, same]) => same.length)
    expect(counts.length).toBe(9)
    const statistic = counts.reduce((sum, count) => sum + (count - rounds / 9) ** 2 / (rounds / 9), 0)
    expect(chiSquareTail(statistic, 8)).toBeGreaterThan(1e-6)
  })
})
