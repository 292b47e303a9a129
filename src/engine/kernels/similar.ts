import { Type, Value } from "#typebox"
import { type JoinShard, joinShard } from "../../kernels/join-similar.ts"
import { isObject, type JsonObject } from "../../log/formats/json-record.ts"
import { GroupOrder } from "./group-order.ts"
import type { Kernel, KernelRun } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const similarOptions = Type.Object({ theta: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) })

/**
 * Finds the pairs of similar vectors among those that share a dimension, with the loop of the single process. A
 * document of the input is a vector in a group: the name of the group (`p`), the number of the vector (`v`), the
 * dimension that the group shares (`r`), and all dimensions of the vector in the common order with their weights (`e`).
 * A large dimension is cut into blocks, and a group has one block or the pairs between two: `b` is the block of the
 * vector, `o` the other, or `b` again. `a` is 1 if the vector is certain to be released.
 *
 * Documents are sorted by group and vector. The output has each pair as `x` and `y`. A vector that is similar to one
 * that is certain to be released comes once for the group, with -1 for the other.
 */
export const similar: Kernel = {
  name: "similar",
  start: async (options) => {
    if (!Value.Check(similarOptions, options)) throw brokenInput("similar")
    return new SimilarRun(options.theta)
  },
}

interface Member {
  vector: number
  block: number
  isCertain: boolean
  ranks: number[]
  /** Scaled to length one. */
  weights: number[]
  /** The place of the common dimension in `ranks`. */
  place: number
}

class SimilarRun implements KernelRun {
  readonly #theta: number
  readonly #order = new GroupOrder("similar")
  #group: string | undefined
  #isWithin = true
  #members: Member[] = []
  #out: object[] = []

  constructor(theta: number) {
    this.#theta = theta
  }

  take(documents: readonly JsonObject[]): object[] {
    for (const document of documents) {
      const { p: group, v: vector } = document
      if (typeof group !== "string" || typeof vector !== "number") throw brokenInput("similar")
      this.#order.check(group, vector)
      if (group !== this.#group) this.#join()
      this.#group = group
      this.#isWithin = document.b === document.o
      this.#members.push(memberOf(document, vector))
    }
    return this.#flush()
  }

  finish(): object[] {
    this.#join()
    return this.#flush()
  }

  #join(): void {
    const members = this.#members.sort((one, other) => weightOf(other) - weightOf(one))
    this.#members = []
    const pairs = joinShard(shardOf(members, this.#theta))
    const besideCertain = new Set<number>()
    for (let i = 0; i < pairs.length; i += 2) {
      const [one, other] = [members[pairs[i] ?? 0], members[pairs[i + 1] ?? 0]]
      if (one === undefined || other === undefined || (!this.#isWithin && one.block === other.block)) continue
      if (!one.isCertain && !other.isCertain) this.#out.push({ x: one.vector, y: other.vector })
      else if (!one.isCertain) besideCertain.add(one.vector)
      else if (!other.isCertain) besideCertain.add(other.vector)
    }
    for (const x of besideCertain) this.#out.push({ x, y: -1 })
  }

  #flush(): object[] {
    const out = this.#out
    this.#out = []
    return out
  }
}

function memberOf({ r: shared, b: block, a: certain, e: entries }: JsonObject, vector: number): Member {
  if (typeof block !== "number" || !Array.isArray(entries)) throw brokenInput("similar")
  const ranks: number[] = []
  const given: number[] = []
  for (const entry of entries) {
    if (!isObject(entry) || typeof entry.r !== "number" || typeof entry.w !== "number") throw brokenInput("similar")
    ranks.push(entry.r)
    given.push(entry.w)
  }
  const norm = Math.hypot(...given)
  const place = typeof shared === "number" ? ranks.indexOf(shared) : -1
  if (place < 0) throw brokenInput("similar")
  return {
    ...{ vector, block, place, ranks, isCertain: certain === 1 },
    weights: given.map((weight) => weight / norm),
  }
}

const weightOf = ({ weights, place }: Member): number => weights[place] ?? 0

/** The members of a group as a shard of one dimension. They are sorted by their weight in it, the heaviest first. */
function shardOf(members: readonly Member[], theta: number): JoinShard {
  const offsets = new Uint32Array(members.length + 1)
  members.forEach(({ ranks }, at) => {
    offsets[at + 1] = (offsets[at] ?? 0) + ranks.length
  })
  const rest = members.flatMap(({ weights }) => {
    let square = 0
    return weights
      .map((_, at) => weights[weights.length - 1 - at] ?? 0)
      .map((weight) => {
        const norm = Math.sqrt(square)
        square += weight * weight
        return norm
      })
      .reverse()
  })
  const entry = Uint32Array.from(members, ({ place }, at) => (offsets[at] ?? 0) + place)
  return {
    ...{ theta, offsets, entry, rest: Float64Array.from(rest) },
    ranks: Int32Array.from(members.flatMap(({ ranks }) => ranks)),
    weights: Float64Array.from(members.flatMap(({ weights }) => weights)),
    starts: Float64Array.of(0, members.length),
    vector: Int32Array.from(members.keys()),
    postingWeight: Float64Array.from(members, weightOf),
    postingRest: Float64Array.from(entry, (at) => rest[at] ?? 0),
    ...{ fromRank: 0, toRank: 1, fromPosting: 0, toPosting: members.length },
  }
}
