import { orderByNumbers } from "../order-by-numbers.ts"
import { type RandomSource, shuffle } from "../random.ts"
import { gatherReleasedCells, largestCell, type ReleasedCells } from "./released-cells.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"

/** Options of the attacker who knows some searches of a person. */
export interface KnownSearchesOptions {
  k: number
  /** By record: its cell. */
  cell: Int32Array
  /** By name: the user it stands for. Used only for scoring. */
  owner: Int32Array
  /** Largest number of people to look for (default 2,000). */
  most?: number
  random: RandomSource
}

/** How many people were looked for, and for how many the right name was found. */
export interface NamesFound {
  targets: number
  right: number
}

/**
 * Makes the function that looks for people of whom `known` searches are known. It may be called for several numbers.
 *
 * The attacker knows the texts of some released searches of a person and looks for the person's name. The person is a
 * member of a cell of each text, and is not the name shown on it. The attacker names the member who occurs for the most
 * texts, a random one among equals. The answer is right if that name stands for the person.
 *
 * Targets are people with at least `known` different released texts. The attacker knows a random selection of these.
 */
export function createKnownSearches(
  stream: ReleasedStream,
  options: KnownSearchesOptions,
): (known: number) => NamesFound {
  const { cell, owner, most = 2000, random } = options
  const everybody = textsByPerson(stream)
  const cells = gatherReleasedCells(stream, cell)
  const members = new CommonMembers(cells, { stream, largest: largestCell(options) })
  return (known) => {
    const people = everybody.filter(({ texts }) => texts.length >= known)
    const chosen = Uint32Array.from(people.keys())
    shuffle(chosen, random)
    const targets = chosen.subarray(0, most)
    let right = 0
    for (const target of targets) {
      const { person, texts } = people[target]
      const drawn = texts.slice()
      shuffle(drawn, random)
      const name = members.commonest(drawn.subarray(0, known), random)
      if (name >= 0 && owner[name] === person) right++
    }
    return { targets: targets.length, right }
  }
}

/** The different released texts of each person, for records whose issuer is known. */
function textsByPerson({ truth, text }: ReleasedStream): { person: number; texts: Uint32Array }[] {
  const order = orderByNumbers([Uint32Array.from(truth), Uint32Array.from(text)])
  const people: { person: number; texts: Uint32Array }[] = []
  for (let start = 0; start < order.length; ) {
    const person = truth[order[start]]
    let end = start
    while (end < order.length && truth[order[end]] === person) end++
    if (person >= 0)
      people.push({ person, texts: new Uint32Array(new Set(order.subarray(start, end).map((r) => text[r]))) })
    start = end
  }
  return people
}

/** Counts for how many texts each name is a member of a cell. */
class CommonMembers {
  readonly #cells: ReleasedCells
  readonly #largest: number
  /** Units in the order of their texts, and where those of each text begin. */
  readonly #units: Uint32Array
  readonly #starts: Uint32Array
  /** By name: for how many texts it was met, and the last of these texts. */
  readonly #met: Uint32Array
  readonly #last: Int32Array

  constructor(cells: ReleasedCells, { stream, largest }: { stream: ReleasedStream; largest: number }) {
    this.#cells = cells
    this.#largest = largest
    this.#starts = new Uint32Array(countIds(stream.text) + 1)
    for (const text of cells.text) this.#starts[text + 1]++
    for (let text = 0; text + 1 < this.#starts.length; text++) this.#starts[text + 1] += this.#starts[text]
    this.#units = orderByNumbers([Uint32Array.from(cells.text)])
    this.#met = new Uint32Array(countIds(stream.user))
    this.#last = new Int32Array(this.#met.length).fill(-1)
  }

  /** The name that is a member for the most of these texts, a random one among equals; -1 if there is none. */
  commonest(texts: Uint32Array, random: RandomSource): number {
    const names: number[] = []
    for (const text of texts) {
      this.#visit(text, (name) => {
        if (this.#last[name] === text) return
        this.#last[name] = text
        if (++this.#met[name] === 1) names.push(name)
      })
    }
    let best = -1
    let equals = 0
    for (const name of names) {
      const ahead = best < 0 ? 1 : this.#met[name] - this.#met[best]
      if (ahead > 0) equals = 1
      else if (ahead < 0 || random.below(++equals) > 0) continue
      best = name
    }
    for (const name of names) {
      this.#met[name] = 0
      this.#last[name] = -1
    }
    return best
  }

  /** Visits the members of the cells of a text, except the name shown on it in that cell. */
  #visit(text: number, see: (name: number) => void): void {
    const { starts, name, cell } = this.#cells
    for (let i = this.#starts[text]; i < this.#starts[text + 1]; i++) {
      const unit = this.#units[i]
      const [from, to] = [starts[cell[unit]], starts[cell[unit] + 1]]
      if (to - from > this.#largest) continue
      for (let other = from; other < to; other++) if (name[other] !== name[unit]) see(name[other])
    }
  }
}
