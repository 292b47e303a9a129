/** Bytes of input, and of output, that are under way at most before more input has to wait. */
const mostBytes = 16 << 20
/** An output that makes no room for so long is blocked. */
const blockedMilliseconds = 2000

/** How much is under way between input and output, and who waits for less. */
export class Room {
  /** Bytes that were offered and not taken, and that were released and not written. */
  input = 0
  output = 0
  readonly #now: () => number
  readonly #isOver: () => boolean
  #waiting: (() => void)[] = []
  /** Since when the output has not taken enough for more input; undefined while it does. */
  #blockedSince: number | undefined

  /** `isOver`: nobody waits any more, because the stream has failed. */
  constructor({ now, isOver }: { now: () => number; isOver: () => boolean }) {
    this.#now = now
    this.#isOver = isOver
  }

  get isBlocked(): boolean {
    return this.#blockedSince !== undefined && this.#now() - this.#blockedSince >= blockedMilliseconds
  }

  /** Resolves when there is room for another batch. */
  async forInput(): Promise<void> {
    while (this.input >= mostBytes && !this.#isOver()) await this.#change()
  }

  /** Resolves when the output has taken enough for what comes next. */
  async forOutput(): Promise<void> {
    while (this.output >= mostBytes && !this.#isOver()) {
      this.#blockedSince ??= this.#now()
      await this.#change()
    }
    this.#blockedSince = undefined
  }

  /** Lets those who wait look again. */
  notify(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
