import { QueryveilError } from "../../kernels/error.ts"
import type { TextParts } from "../assemble-tree.ts"

const separator = Buffer.from("; ")
const maxArena = 0xffff_ffff
const unevenBlanks = /[^\S ]| {2}/

/** Collects texts of topics piece by piece, in any order, in one arena. */
export class TextGatherer {
  readonly #limit: number
  #arena = new Uint8Array(1 << 16)
  #used = 0
  readonly #topic: number[] = []
  readonly #ends: number[] = []
  readonly #room: number[] = []

  /**
   * `limit`: maximum bytes of one topic's text. The first piece that does not fit and all later pieces are left out.
   */
  constructor(options: { limit: number }) {
    this.#limit = options.limit
  }

  /** Adds a piece. Runs of white space become single spaces. */
  add(topic: number, piece: string): void {
    const room = this.#room[topic] ?? this.#limit
    if (room <= 0 || piece === "") return
    const bytes = Buffer.from((unevenBlanks.test(piece) ? piece.replace(/\s+/g, " ") : piece).trim())
    if (bytes.length === 0) return
    this.#room[topic] = room - bytes.length - separator.length
    if (bytes.length > room) return
    const end = this.#used + bytes.length
    if (end > maxArena) throw new QueryveilError("input-size", "The texts of the taxonomy exceed 4 GB.")
    if (end > this.#arena.length) {
      const arena = new Uint8Array(Math.min(maxArena, Math.max(end, this.#arena.length * 2)))
      arena.set(this.#arena)
      this.#arena = arena
    }
    this.#arena.set(bytes, this.#used)
    this.#used = end
    this.#topic.push(topic)
    this.#ends.push(end)
  }

  /** The texts of topics [0, size). Pieces are in the order of arrival, separated by semicolons. */
  finish(size: number): TextParts {
    const lengths = new Float64Array(size)
    const piece = (i: number) => this.#arena.subarray(i === 0 ? 0 : this.#ends[i - 1], this.#ends[i])
    for (let i = 0; i < this.#topic.length; i++) {
      const topic = this.#topic[i]
      lengths[topic] += piece(i).length + (lengths[topic] > 0 ? separator.length : 0)
    }
    const offsets = new Uint32Array(size + 1)
    let total = 0
    for (let topic = 0; topic < size; topic++) {
      total += lengths[topic]
      if (total > maxArena) throw new QueryveilError("input-size", "The texts of the taxonomy exceed 4 GB.")
      offsets[topic + 1] = total
    }
    const arena = new Uint8Array(total)
    const next = offsets.slice(0, size)
    for (let i = 0; i < this.#topic.length; i++) {
      const topic = this.#topic[i]
      if (next[topic] > offsets[topic]) {
        arena.set(separator, next[topic])
        next[topic] += separator.length
      }
      arena.set(piece(i), next[topic])
      next[topic] += piece(i).length
    }
    return { arena, offsets }
  }
}
