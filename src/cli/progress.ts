import { progressText } from "../app/progress-text.ts"
import type { Progress } from "../kernels/context.ts"
import { tameText } from "./print.ts"

const patience = 1000
const pause = 100
const tick = 1000

/**
 * Draws progress on one line of a terminal, once a run takes longer than a second: the step, the stage and its
 * progress. The line is redrawn every second, so that the time advances in a stage that reports nothing. If there is no
 * terminal, it draws nothing.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  readonly #enabled: boolean
  readonly #begun = performance.now()
  #last: Progress | undefined
  #place = ""
  #placeBegun = 0
  #drawn = 0
  #visible = false
  #clock: NodeJS.Timeout | undefined

  constructor(stream: NodeJS.WriteStream, options: { quiet: boolean }) {
    this.#stream = stream
    this.#enabled = stream.isTTY === true && !options.quiet
  }

  report(progress: Progress): void {
    if (!this.#enabled) return
    const now = performance.now()
    const place = JSON.stringify([progress.stage, progress.steps])
    if (place !== this.#place) {
      this.#place = place
      this.#placeBegun = now
      this.#drawn = 0
    }
    this.#last = progress
    this.#clock ??= setInterval(() => this.#redraw(), tick).unref()
    if (now - this.#drawn >= pause) this.#redraw()
  }

  #redraw(): void {
    const now = performance.now()
    if (this.#last === undefined || now - this.#begun < patience) return
    this.#drawn = now
    const seconds = (now - this.#placeBegun) / 1000
    this.draw(progressText(this.#last, { seconds, width: this.#width }))
  }

  get #width(): number {
    return (this.#stream.columns || 80) - 1
  }

  get enabled(): boolean {
    return this.#enabled
  }

  draw(line: string): void {
    if (!this.#enabled) return
    this.#visible = true
    this.#stream.write(`\r\x1b[2K${tameText(line).slice(0, this.#width)}`)
  }

  /** Clears the line until the next report, because something else is about to be printed. */
  clear(): void {
    this.#last = undefined
    if (this.#visible) this.#stream.write("\r\x1b[2K")
    this.#visible = false
  }

  /** Clears the line and stops drawing. */
  close(): void {
    clearInterval(this.#clock)
    this.clear()
  }
}
