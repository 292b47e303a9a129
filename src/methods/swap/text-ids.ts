/** Numbers for texts that are in use. The number of a text that nobody holds any more is given to another one. */
export class TextIds {
  readonly #ids = new Map<string, number>()
  readonly #texts: string[] = []
  readonly #holders: number[] = []
  readonly #free: number[] = []
  readonly #isKept: boolean

  /** With `keep`, a text keeps its number for ever. */
  constructor({ keep }: { keep: boolean }) {
    this.#isKept = keep
  }

  /** The number of a text, which is held until `drop`. */
  hold(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) {
      this.#holders[known]++
      return known
    }
    const id = this.#free.pop() ?? this.#texts.length
    this.#ids.set(text, id)
    this.#texts[id] = text
    this.#holders[id] = 1
    return id
  }

  drop(id: number): void {
    if (--this.#holders[id] > 0 || this.#isKept) return
    this.#ids.delete(this.#texts[id])
    this.#texts[id] = ""
    this.#free.push(id)
  }
}
