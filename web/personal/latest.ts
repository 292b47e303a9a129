/**
 * Asks at most once per frame, with the newest question. Passes on an answer only if no newer question was asked, so
 * the last answer wins, in whatever order answers arrive.
 */
export class Latest<Q, A> {
  readonly #ask: (question: Q) => Promise<A>
  readonly #onAnswer: (answer: A) => void
  readonly #onError: (error: unknown) => void
  #newest = 0
  #frame: number | undefined

  constructor(ask: (question: Q) => Promise<A>, on: { answer(answer: A): void; error(error: unknown): void }) {
    this.#ask = ask
    this.#onAnswer = on.answer
    this.#onError = on.error
  }

  ask(question: Q): void {
    this.cancel()
    this.#frame = requestAnimationFrame(() => void this.#send(question, this.#newest))
  }

  /** Discards the answers to all questions so far. */
  cancel(): void {
    this.#newest++
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  async #send(question: Q, number: number): Promise<void> {
    try {
      const answer = await this.#ask(question)
      if (number === this.#newest) this.#onAnswer(answer)
    } catch (error) {
      if (number === this.#newest) this.#onError(error)
    }
  }
}
