/**
 * Maximum bytes of input in progress before more input has to wait: six of the largest batches, so that the threads
 * that read ahead do not wait for the one that is being taken.
 */
const mostInput = 24 << 20
/** Maximum bytes of output in progress before no further batch is taken. */
const mostOutput = 16 << 20
/** An output that makes no room for this long is blocked. */
const blockedMilliseconds = 2000

/** Tracks how much is in progress between input and output, and wakes waiting callers when it shrinks. */
export class Backpressure {
  /** Bytes that were offered but not accepted yet, and bytes that were released but not written yet. */
  input = 0
  output = 0
  readonly #now: () => number
  readonly #isOver: () => boolean
  #waiting: (() => void)[] = []
  /** When the output stopped taking enough for more input; undefined while it keeps up. */
  #blockedSince: number | undefined

  /** `isOver`: true if waiting has no purpose any more, because the stream has failed. */
  constructor({ now, isOver }: { now: () => number; isOver: () => boolean }) {
    this.#now = now
    this.#isOver = isOver
  }

  get isBlocked(): boolean {
    return this.#blockedSince !== undefined && this.#now() - this.#blockedSince >= blockedMilliseconds
  }

  /** Resolves when there is room for another batch. */
  async forInput(): Promise<void> {
    while (this.input >= mostInput && !this.#isOver()) await this.#change()
  }

  /** Resolves when the output has taken enough for the next releases. */
  async forOutput(): Promise<void> {
    while (this.output >= mostOutput && !this.#isOver()) {
      this.#blockedSince ??= this.#now()
      await this.#change()
    }
    this.#blockedSince = undefined
  }

  /** Wakes the waiting callers, which check again. */
  notify(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
