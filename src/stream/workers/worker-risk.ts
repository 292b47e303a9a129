import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { KafkaLink } from "../kafka/kafka-link.ts"
import type { RiskWindow } from "../live/risk-window.ts"
import type { StreamSettings } from "../live/settings.ts"
import type { RiskFigures } from "../live/stream-figures.ts"
import { RiskWatch } from "../live/watch-risk.ts"
import { changeGroup, plansInUse } from "./change-group.ts"
import { encodeChange } from "./classified-message.ts"
import type { PlanWatch } from "./plan-topic.ts"
import { namesOf, type WorkerPlan } from "./worker-plan.ts"

/** How often the risk is assessed, and after how many new releases. */
const everyMilliseconds = 10_000
const fewReleases = 1000

interface RiskParts {
  link: KafkaLink
  group: string
  plans: PlanWatch
  taxonomy: Taxonomy
  /** Releases that the running attack sees; 0 turns it off. */
  size: number
  /** True if topics in which the attack is right too often are withheld. */
  gate: boolean
  now(): number
  warn(text: string): void
}

/**
 * The running attack on what one swapper releases, over all its partitions. A decision to withhold a topic is a message
 * in the topic's partition, so that it takes effect at one place among the searches, whoever swaps them.
 */
export class WorkerRisk {
  readonly #parts: RiskParts
  readonly #watch: RiskWatch
  readonly #timer: NodeJS.Timeout
  /** The settings of the partition that released last. */
  #settings: StreamSettings | undefined

  constructor(parts: RiskParts) {
    const { taxonomy, size } = parts
    this.#parts = parts
    this.#watch = new RiskWatch({ size, pathOf: (category) => taxonomy.path(category) })
    this.#timer = setInterval(() => this.#assess(), everyMilliseconds)
    this.#timer.unref()
  }

  /** Every release is added to this window. */
  get window(): RiskWindow {
    return this.#watch.window
  }

  get latest(): RiskFigures | undefined {
    return this.#watch.latest
  }

  /** A partition has released under these settings. Releases under another k are judged apart. */
  see(settings: StreamSettings): void {
    if (this.#settings !== undefined && this.#settings.k !== settings.k) this.#watch.restart()
    this.#settings = settings
  }

  /**
   * Call when the work on a partition fails: what was not committed will be released a second time. The window has the
   * releases of all partitions in one order, so all are forgotten. A partition that comes or goes in peace has
   * committed what is in the window.
   */
  restart(): void {
    this.#watch.restart()
  }

  async #assess(): Promise<void> {
    const { gate, now, warn } = this.#parts
    if (this.#settings === undefined || this.window.fresh < fewReleases) return
    const { k, repeats } = this.#settings
    try {
      const found = await this.#watch.assess({ k, cells: true, once: repeats === "once", now: now() })
      if (found === undefined || !found.alarm) return
      warn(
        [
          `The running attack (${found.attacker}) names more than 1/${k} of the users correctly:`,
          `at least ${found.lower.toFixed(3)}.`,
        ].join(" "),
      )
      const named = found.alarmed.map(({ path }) => path)
      if (gate && named.length > 0) await this.#withhold(named)
    } catch (error) {
      warn(`The running attack failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Sends the decision to the partitions of the topics, also to those that have not handed over yet. */
  async #withhold(paths: readonly string[]): Promise<void> {
    const { link, group, plans } = this.#parts
    const sent = new Set<number>()
    // A plan that comes while the decision is sent must have it too: partitions may have handed over before it.
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const plan of await plansInUse(link, group, plans)) {
        if (sent.has(plan.epoch)) continue
        sent.add(plan.epoch)
        isNew = true
        await this.#withholdUnder(plan, paths)
      }
      await plans.look()
    }
  }

  async #withholdUnder({ table, epoch, secretChecks }: WorkerPlan, paths: readonly string[]): Promise<void> {
    const { link, group } = this.#parts
    const { classified: topic } = namesOf(group, epoch)
    const partitionOf = new Map(table)
    for (const path of paths) {
      const partition = partitionOf.get(path)
      if (partition === undefined) continue
      const value = encodeChange({ change: { withhold: [path] }, secretChecks })
      await changeGroup(link, `${group}.gate.${partition}`, (write) => write([{ topic, partition, value }]))
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#watch.close()
  }
}
