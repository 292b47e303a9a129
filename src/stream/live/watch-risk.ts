import { type Lane, openLane } from "../../kernels/parallel.ts"
import type { RiskOptions, RiskVerdict } from "./assess-risk.ts"
import type { RiskShard } from "./risk.worker.ts"
import { RiskWindow } from "./risk-window.ts"
import type { RiskFigures } from "./stream-figures.ts"

const entry = new URL("./risk.worker.js", import.meta.url)

/** The linkage risk of a running stream, assessed in a separate thread: see `assessRisk`. */
export class RiskWatch {
  /** Every release is added to this window. */
  readonly window: RiskWindow
  /** The last assessment of releases under the current k and depth. */
  latest: RiskFigures | undefined
  readonly #pathOf: (category: number) => string
  #lane: Lane<RiskShard, RiskVerdict> | undefined
  #underWay: Promise<RiskFigures | undefined> | undefined
  #generation = 0

  constructor(options: { size?: number; pathOf: (category: number) => string }) {
    this.window = new RiskWindow(options)
    this.#pathOf = options.pathOf
  }

  /** Call after k or the depth changed: earlier results say nothing about later releases. */
  restart(): void {
    this.window.clear()
    this.latest = undefined
    this.#generation++
  }

  /**
   * Assesses the current window and stores the result in `latest`. While an assessment is running, returns that one.
   * Undefined if the window was restarted meanwhile, or holds no releases at all (`size` 0). Rejects when the thread
   * fails; the next call starts another thread.
   */
  assess(options: RiskOptions & { now: number }): Promise<RiskFigures | undefined> {
    if (this.window.size === 0) return Promise.resolve(undefined)
    this.#underWay ??= this.#run(options).finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #run({ now, ...options }: RiskOptions & { now: number }): Promise<RiskFigures | undefined> {
    const generation = this.#generation
    this.#lane ??= openLane<RiskShard, RiskVerdict>(entry)
    const lane = this.#lane
    try {
      const { alarmed, ...verdict } = await lane.send({ window: this.window.take(), options })
      if (generation !== this.#generation) return undefined
      this.latest = {
        at: now,
        promise: 1 / options.k,
        ...verdict,
        alarmed: alarmed.map(({ category, ...found }) => ({ path: this.#pathOf(category), ...found })),
      }
      return this.latest
    } catch (error) {
      if (this.#lane === lane) this.#lane = undefined
      await lane.close()
      throw error
    }
  }

  /** Resolves when no attack is running any more. */
  async close(): Promise<void> {
    const lane = this.#lane
    this.#lane = undefined
    await lane?.close()
  }
}
