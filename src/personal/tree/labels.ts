/** One more child: pruned (pick -1), or kept as a point of its front. */
interface Addition {
  pick: number
  risk: number
  priced: number
  /** Maximum risk of a label. */
  budget: number
}

/** What a child adds: preference and public support if it is pruned, the value of a point if it is kept. */
interface ChildValues {
  preference: number
  support: number
  values: readonly number[]
}

/** Choices for the first children of a family, as rows of rising risk and rising priced value. */
export class Labels {
  size = 0
  /** Sum of risks. */
  risk = new Float64Array(16)
  /** Value of what is kept. */
  value = new Float64Array(16)
  /** Preference and support of what is pruned. */
  preference = new Float64Array(16)
  support = new Float64Array(16)
  /** Value including the pruned children at their price. Labels compete by it. */
  priced = new Float64Array(16)
  /** The label that this one extends, and the pick that was added. */
  from = new Int32Array(16)
  pick = new Int32Array(16)

  /** Resets to one row in which no child is chosen yet. */
  begin({
    risk,
    value,
    preference,
    support,
  }: {
    risk: number
    value: number
    preference: number
    support: number
  }): void {
    this.size = 1
    this.risk[0] = risk
    this.value[0] = value
    this.preference[0] = preference
    this.support[0] = support
    this.priced[0] = 0
  }

  /** Computes the value and the pruned sums. It runs last, because dominated rows never need them. */
  complete(labels: Labels, { preference, support, values }: ChildValues): void {
    for (let i = 0; i < this.size; i++) {
      const from = this.from[i]
      const pick = this.pick[i]
      this.value[i] = labels.value[from] + (pick < 0 ? 0 : values[pick])
      this.preference[i] = labels.preference[from] + (pick < 0 ? preference : 0)
      this.support[i] = labels.support[from] + (pick < 0 ? support : 0)
    }
  }

  /** Adds a child to every label that stays within the budget. Call `complete` afterwards. */
  extend(labels: Labels, add: Addition): void {
    this.#reserve(this.size + labels.size)
    for (let i = 0; i < labels.size; i++) if (labels.risk[i] + add.risk <= add.budget) this.#extended(labels, i, add)
  }

  /**
   * Becomes the union of `made` and the labels with one more child, without dominated rows. Call `complete` afterwards.
   */
  merge(made: Labels, labels: Labels, add: Addition): void {
    this.size = 0
    this.#reserve(made.size + labels.size)
    let highest = Number.NEGATIVE_INFINITY
    for (let i = 0, j = 0; ; ) {
      const risk = j < labels.size ? labels.risk[j] + add.risk : Number.POSITIVE_INFINITY
      const isOver = risk > add.budget
      if (i >= made.size && isOver) return
      const priced = isOver ? 0 : labels.priced[j] + add.priced
      if (isOver || (i < made.size && (made.risk[i] < risk || (made.risk[i] === risk && made.priced[i] >= priced)))) {
        if (made.priced[i] > highest) {
          highest = made.priced[i]
          this.#copy(made, i)
        }
        i++
      } else {
        if (priced > highest) {
          highest = priced
          this.#extended(labels, j, add)
        }
        j++
      }
    }
  }

  /** Keeps only these rows, given in order. */
  select(stay: readonly number[]): void {
    this.size = 0
    for (const at of stay) this.#copy(this, at)
  }

  #extended(labels: Labels, from: number, add: Addition): void {
    const at = this.size++
    this.risk[at] = labels.risk[from] + add.risk
    this.priced[at] = labels.priced[from] + add.priced
    this.from[at] = from
    this.pick[at] = add.pick
  }

  #copy(labels: Labels, from: number): void {
    const at = this.size++
    this.risk[at] = labels.risk[from]
    this.priced[at] = labels.priced[from]
    this.from[at] = labels.from[from]
    this.pick[at] = labels.pick[from]
  }

  #reserve(rows: number): void {
    if (rows <= this.risk.length) return
    const larger = (column: Float64Array) => {
      const grown = new Float64Array(rows * 2)
      grown.set(column)
      return grown
    }
    this.risk = larger(this.risk)
    this.value = larger(this.value)
    this.preference = larger(this.preference)
    this.support = larger(this.support)
    this.priced = larger(this.priced)
    const [from, pick] = [new Int32Array(rows * 2), new Int32Array(rows * 2)]
    from.set(this.from)
    pick.set(this.pick)
    this.from = from
    this.pick = pick
  }
}

/** Records how labels were made, child by child. */
export class Trail {
  readonly #most: number
  readonly #children: number
  readonly #from: Int32Array
  readonly #pick: Int32Array

  /** `most`: maximum number of labels of one child. */
  constructor(children: number, most: number) {
    this.#children = children
    this.#most = most
    this.#from = new Int32Array(children * most)
    this.#pick = new Int32Array(children * most)
  }

  note(child: number, { size, from, pick }: Labels): void {
    for (let i = 0; i < size; i++) {
      this.#from[child * this.#most + i] = from[i]
      this.#pick[child * this.#most + i] = pick[i]
    }
  }

  /** The picks of each child's front that lead to a label of the last child. */
  picksOf(label: number): Int32Array {
    const picks = new Int32Array(this.#children)
    for (let child = this.#children - 1, at = label; child >= 0; child--) {
      const row = child * this.#most + at
      picks[child] = this.#pick[row]
      at = this.#from[row]
    }
    return picks
  }
}
