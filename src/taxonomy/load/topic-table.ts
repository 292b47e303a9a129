import { hashBytes, Interner } from "../../kernels/dictionary.ts"
import { assembleTree, maxDepth, type TextParts } from "../assemble-tree.ts"
import { PageGatherer } from "../pages/gather-pages.ts"
import type { TaxonomyColumns } from "../taxonomy.ts"
import { brokenAt, type FilePosition, quoted } from "./file-position.ts"
import { TextGatherer } from "./gather-texts.ts"
import type { Repairs } from "./repairs.ts"

const slash = 47
/**
 * Maximum own support of a topic. Sums of two billion such numbers are finite, and whole numbers up to it are still
 * distinct.
 */
export const maxSupport = 1e15
const maxPathBytes = 1 << 16

/**
 * Topics as a file names them, by path and in any order, until the tree can be built. With `repairs`, errors are
 * repaired where possible, and counted.
 */
export class TopicTable {
  readonly #repairs: Repairs | undefined
  readonly #paths = new Interner()
  readonly #texts: TextGatherer
  readonly #files: string[] = []
  /** For each topic: where it was first named, by the number of the file and the line. */
  readonly #file: number[] = []
  readonly #line: number[] = []
  /**
   * For each topic: the number of the last file that defined it, from 1. 0 for none, -1 for the root, which needs none.
   */
  readonly #definedIn: number[] = []
  readonly #oncePerFile: boolean
  readonly #makesParents: boolean
  readonly #own: number[] = []
  readonly #pages = new PageGatherer()

  /**
   * `oncePerFile`: several files may define a topic, each once, and it is the same topic. Otherwise only one file may
   * define it.
   */
  constructor(options: {
    textLimit: number
    oncePerFile: boolean
    repairs?: Repairs | undefined
    /** Makes topics that are only named as parents of others. */
    makesParents?: boolean
  }) {
    this.#repairs = options.repairs
    this.#makesParents = options.makesParents ?? false
    this.#oncePerFile = options.oncePerFile
    this.#texts = new TextGatherer({ limit: options.textLimit })
    this.#intern("", { file: "", line: 0 })
    this.#definedIn[0] = -1
  }

  /** Number of topics seen, without the root. */
  get size(): number {
    return this.#paths.size - 1
  }

  /** The topic that a file defines at this place. */
  define(path: string, place: FilePosition): number {
    const topic = this.mention(path, place)
    const file = this.#fileNumber(place.file) + 1
    const definedIn = this.#definedIn[topic]
    if (definedIn > 0 && (definedIn === file || !this.#oncePerFile)) {
      if (this.#repairs === undefined) {
        const first = `${definedIn === file ? "" : `${this.#files[definedIn - 1]}, `}line ${this.#line[topic]}`
        throw brokenAt(
          place,
          `the topic ${quoted(path)} was defined before, in ${first}. Keep one, or join them with --lenient.`,
        )
      }
      this.#repairs.duplicate++
    }
    if (definedIn <= 0) {
      this.#file[topic] = file - 1
      this.#line[topic] = place.line
    }
    this.#definedIn[topic] = file
    return topic
  }

  /** The topic with this path. Some file must define it. */
  mention(path: string, place: FilePosition): number {
    const fault = faultOf(path)
    if (fault !== undefined) throw brokenAt(place, `the path ${quoted(path)} ${fault}.`)
    return this.#intern(path, place)
  }

  addSupport(topic: number, support: number): void {
    this.#own[topic] += support
  }

  addText(topic: number, piece: string): void {
    this.#texts.add(topic, piece)
  }

  /** Adds a page to a topic. It counts 1 in the topic's support and is indexed by its words. */
  addPage(topic: number, text: string): void {
    this.#own[topic]++
    this.#pages.add(topic, text)
  }

  /**
   * Builds the tree. Every topic needs a defined parent. If no topic has a support, each leaf gets 1 (Shou et al. 2014,
   * §3.1: supports may be "simulated" as the count of leaves).
   */
  finish(): TaxonomyColumns {
    const parent = this.#findParents()
    const size = parent.length
    const own = Float64Array.from(this.#own)
    if (own.every((support) => support === 0)) {
      own.fill(1)
      for (let topic = 1; topic < size; topic++) own[parent[topic]] = 0
    }
    const names = lastNames({ arena: this.#paths.arena, offsets: this.#paths.offsets }, size)
    const texts = this.#texts.finish(size)
    const { columns, order } = assembleTree({ parent: Int32Array.from(parent), own, names, texts })
    const idOf = new Int32Array(size)
    order.forEach((topic, id) => {
      idOf[topic] = id
    })
    const pages = this.#pages.finish((topic) => idOf[topic])
    return pages === undefined ? columns : { ...columns, pages }
  }

  /** Parents that are made during the loop are visited too, so that they get their own parents. */
  #findParents(): number[] {
    const parent = [-1]
    for (let topic = 0; topic < this.#paths.size; topic++) {
      const place = { file: this.#files[this.#file[topic]], line: this.#line[topic] }
      const path = Buffer.from(this.#paths.arena.subarray(this.#paths.offsets[topic], this.#paths.offsets[topic + 1]))
      if (this.#definedIn[topic] === 0 && !this.#makesParents) {
        if (this.#repairs === undefined) {
          const what = `the topic ${quoted(path.toString())} is used here, but not defined.`
          throw brokenAt(place, `${what} Add it, or create such topics with --lenient.`)
        }
        this.#repairs.missing++
      }
      if (topic > 0) parent[topic] = this.#intern(path.toString("utf8", 0, Math.max(0, path.lastIndexOf(slash))), place)
    }
    return parent
  }

  #intern(path: string, place: FilePosition): number {
    const bytes = Buffer.from(path)
    const hash = hashBytes(bytes, 0, bytes.length, this.#paths.seed)
    const topic = this.#paths.intern(bytes, 0, bytes.length, hash)
    if (topic === this.#own.length) {
      this.#own.push(0)
      this.#definedIn.push(0)
      this.#file.push(this.#fileNumber(place.file))
      this.#line.push(place.line)
    }
    return topic
  }

  #fileNumber(file: string): number {
    const last = this.#files.length - 1
    if (this.#files[last] === file) return last
    const found = this.#files.indexOf(file)
    return found < 0 ? this.#files.push(file) - 1 : found
  }
}

/** Why a text is not a path; undefined if it is one. */
export function faultOf(path: string): string | undefined {
  if (path === "") return undefined
  if (path.startsWith("/") || path.endsWith("/") || path.includes("//")) return "has an empty name in it"
  if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) return "is longer than 64 KiB"
  if (path.length > maxDepth && path.split("/").length > maxDepth) return `has more than ${maxDepth} levels`
  return undefined
}

function lastNames(paths: TextParts, size: number): TextParts {
  const offsets = new Uint32Array(size + 1)
  const arena = new Uint8Array(paths.offsets[size])
  for (let topic = 0; topic < size; topic++) {
    const path = paths.arena.subarray(paths.offsets[topic], paths.offsets[topic + 1])
    const name = path.subarray(path.lastIndexOf(slash) + 1)
    arena.set(name, offsets[topic])
    offsets[topic + 1] = offsets[topic] + name.length
  }
  return { arena, offsets }
}
