import type { Progress } from "../kernels/context.ts"

const patience = 1000
const pause = 100

/**
 * Draws progress on one line of a terminal, once a run takes longer than a second: stage, percent, rate, time left.
 * Elsewhere than on a terminal it draws nothing.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  readonly #enabled: boolean
  readonly #begun = performance.now()
  #stage = ""
  #stageBegun = 0
  #drawn = 0
  #visible = false

  constructor(stream: NodeJS.WriteStream, options: { quiet: boolean }) {
    this.#stream = stream
    this.#enabled = stream.isTTY === true && !options.quiet
  }

  report(progress: Progress): void {
    if (!this.#enabled) return
    const now = performance.now()
    if (progress.stage !== this.#stage) {
      this.#stage = progress.stage
      this.#stageBegun = now
      this.#drawn = 0
    }
    if (now - this.#begun < patience || now - this.#drawn < pause) return
    this.#drawn = now
    this.draw(describeProgress(progress, (now - this.#stageBegun) / 1000))
  }

  get enabled(): boolean {
    return this.#enabled
  }

  draw(line: string): void {
    if (!this.#enabled) return
    this.#visible = true
    this.#stream.write(`\r\x1b[2K${line.slice(0, (this.#stream.columns || 80) - 1)}`)
  }

  clear(): void {
    if (this.#visible) this.#stream.write("\r\x1b[2K")
    this.#visible = false
  }
}

/** `reading  45 %  98.1 M/s  12 s left`; `points  3 of 34  4 min 10 s left` where the time left is known */
function describeProgress({ stage, done, total, left }: Progress, seconds: number): string {
  if (left !== undefined && total !== undefined) return `${stage}  ${done} of ${total}  ${shortTime(left)} left`
  const rate = seconds > 0 ? done / seconds : 0
  const parts = [stage]
  if (total !== undefined && total > 0) parts.push(`${Math.floor((100 * done) / total)} %`)
  if (rate > 0) parts.push(`${shortNumber(rate)}/s`)
  if (total !== undefined && rate > 0 && done < total) parts.push(`${shortTime((total - done) / rate)} left`)
  return parts.join("  ")
}

function shortNumber(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`
  if (value >= 1e3) return `${(value / 1e3).toFixed(1)} k`
  return value.toFixed(value < 10 ? 1 : 0)
}

function shortTime(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
