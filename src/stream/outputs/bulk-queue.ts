import type { ClusterClient } from "../../cluster/cluster-client.ts"
import { backOff, pause } from "../../cluster/cluster-client.ts"
import { type ClusterAnswer, memberOf, nameOfError } from "../../cluster/cluster-errors.ts"
import { QueryveilError } from "../../kernels/error.ts"

/** A release as the lines of a bulk request: what to do, and the document. */
export interface BulkItem {
  seq: number
  lines: string
}

export interface BulkOptions {
  client: ClusterClient
  /** `/INDEX/_bulk` */
  path: string
  /** Tells the operator; never text of a release. */
  warn(text: string): void
  /** Waits before a try, given the number of tries so far. */
  wait?: (tries: number) => Promise<void>
  /** Milliseconds for which a busy cluster or a lost connection is not reported. */
  patience?: number
}

/** Items and characters of a request, and how much may wait before the stream does. */
const mostItems = 2000
const mostCharacters = 4 << 20
const mostWaiting = 4 * mostCharacters
/** Statuses of a request that is more than the cluster takes at once, for good (413) or now (429). */
const tooMuch = [413, 429]
/** Tries without success after which a warning says that the cluster is busy. */
const patientTries = 8
/** Milliseconds for which a busy cluster or a lost connection is nothing to report. */
const standardPatience = 5000

/**
 * Sends releases in order by the bulk interface. Each item is tried until the cluster has it:
 *
 * - 200, 201 and 409 (the document is there) mean done;
 * - 429 and 5xx are tried again, later and later, and in smaller requests if the whole request was refused;
 * - anything else blocks: a warning says so once, and it is tried again until the cause is gone. Nothing is skipped.
 *
 * Releases that come meanwhile form larger requests, which cost less.
 */
export class BulkQueue {
  readonly #options: Required<BulkOptions>
  #queue: BulkItem[] = []
  #characters = 0
  #running: Promise<void> | undefined
  #waiting: (() => void)[] = []
  #mostItems = mostItems
  #warned = ""
  #failure: unknown

  constructor(options: BulkOptions) {
    this.#options = { wait: (tries) => pause(backOff(tries)), patience: standardPatience, ...options }
  }

  get #name(): string {
    return this.#options.client.address.name
  }

  /** Resolves when the next releases may follow. */
  async add(items: readonly BulkItem[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#queue.push(...items)
    this.#characters += items.reduce((sum, { lines }) => sum + lines.length, 0)
    this.#running ??= this.#run()
      .catch((error) => {
        this.#failure = error
      })
      .finally(() => {
        this.#running = undefined
        this.#wake()
      })
    while (this.#characters > mostWaiting && this.#failure === undefined)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Resolves when the cluster has everything that was added. */
  async settle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    if (this.#failure !== undefined) throw this.#failure
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await Promise.resolve() // what is added in this turn goes along
      const group = this.#take()
      await this.#send(group)
      this.#characters -= group.reduce((sum, { lines }) => sum + lines.length, 0)
      this.#wake()
    }
  }

  #take(): BulkItem[] {
    let characters = 0
    let count = 0
    for (const { lines } of this.#queue) {
      if (count > 0 && (count >= this.#mostItems || characters + lines.length > mostCharacters)) break
      characters += lines.length
      count++
    }
    return this.#queue.splice(0, count)
  }

  async #send(group: readonly BulkItem[]): Promise<void> {
    let rest = group
    for (let tries = 0; rest.length > 0; tries++) {
      if (tries > 0) await this.#options.wait(tries)
      const before = rest.length
      rest = await this.#try(rest)
      if (rest.length < before) tries = 0
      else if (tries === patientTries && this.#warned === "")
        this.#warnOnce(`${this.#name}: takes nothing.`, "The stream waits and tries again.")
    }
    if (this.#warned === "") return
    this.#options.warn(`${this.#name}: takes releases again.`)
    this.#warned = ""
  }

  /** Sends items once. Returns those that the cluster does not have yet. */
  async #try(items: readonly BulkItem[]): Promise<readonly BulkItem[]> {
    const { client, path, patience } = this.#options
    const part = items.slice(0, this.#mostItems)
    let answer: ClusterAnswer
    try {
      const lines = part.map((item) => item.lines).join("")
      answer = await client.ask({ method: "POST", path, lines, patience, accepts: tooMuch, mostBytes: 64 << 20 })
    } catch (error) {
      if (!(error instanceof QueryveilError)) throw error
      this.#warnOnce(error.message, "The stream waits, and tries again until it succeeds.")
      return items
    }
    if (tooMuch.includes(answer.status)) {
      if (part.length === 1 && answer.status === 413) this.#refused(part[0], { status: 413, type: undefined })
      this.#mostItems = Math.max(1, Math.floor(part.length / 2))
      return items
    }
    this.#mostItems = Math.min(mostItems, 2 * this.#mostItems)
    const results = memberOf(answer.body, "items")
    if (!Array.isArray(results) || results.length !== part.length) {
      this.#warnOnce(`${this.#name}: its answer does not list the releases.`, "The stream tries again.")
      return items
    }
    const left = part.filter((item, i) => !this.#isDone(item, memberOf(results[i], "create")))
    return [...left, ...items.slice(part.length)]
  }

  #isDone(item: BulkItem, result: unknown): boolean {
    const status = Number(memberOf(result, "status"))
    if ((status >= 200 && status < 300) || status === 409) return true
    if (status === 429 || status >= 500) return false
    this.#refused(item, { status, type: nameOfError(memberOf(result, "error")) })
    return false
  }

  #refused({ seq }: Pick<BulkItem, "seq"> = { seq: -1 }, found: { status: number; type: string | undefined }): void {
    const type = found.type === undefined ? "" : `, ${found.type}`
    this.#warnOnce(
      `${this.#name}: refuses release ${seq} (status ${found.status}${type}).`,
      "The stream waits and tries again. Correct the mapping or the rights of the index; see docs/opensearch.md.",
    )
  }

  /** Tells the operator of each problem once until the cluster takes releases again. */
  #warnOnce(problem: string, advice: string): void {
    if (this.#warned === problem) return
    this.#warned = problem
    this.#options.warn(`${problem} ${advice}`)
  }
}
