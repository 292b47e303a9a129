import { createHmac } from "node:crypto"
import type { RunContext } from "../../kernels/context.ts"
import { type DealingSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import { waitingParts } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { changeSettings } from "../live/change-settings.ts"
import type { EncodedRecords } from "../live/encode-releases.ts"
import { RecordCollector } from "../live/record-collector.ts"
import type { RiskWindow } from "../live/risk-window.ts"
import { type StreamSettings, settingsText } from "../live/settings.ts"
import { StreamCore } from "../live/stream-core.ts"
import type { ClassifiedMessage } from "./classified-message.ts"
import { forgetMoved, type MovedState, orderMoved, pairsMoved } from "./hand-over.ts"
import { type ChangelogLimits, PartitionChangelog, type StateMessage } from "./partition-changelog.ts"
import { type RestoredState, restoreCore } from "./restore-state.ts"
import type { WorkerSecrets } from "./secret-file.ts"
import { requireSecrets } from "./worker-plan.ts"

/** What all partitions of a group of workers share. */
export interface SwapOptions {
  taxonomy: Taxonomy
  /** The settings with which partitions begin. */
  settings: StreamSettings
  backlog: number
  distinctTexts: boolean
  remember: number
  secrets: WorkerSecrets
  /** For tests: smaller messages of the changelog. */
  limits?: Partial<ChangelogLimits>
}

/** The total that says with which number the releases of a partition began. */
const firstReleaseKey = "first release"

/** The key from which the names of users are derived. */
const nameKey = ({ key }: DealingSecret) => createHmac("sha256", key).update("queryveil names of workers").digest()

/**
 * One partition of the classified topic: the searches of its categories wait, change users and leave. It does no I/O.
 * What it releases depends on the messages in their order and on the secret, and on nothing else. So a worker that
 * takes messages again, after another one failed, makes the same releases.
 */
export class SwapPartition {
  readonly core: StreamCore
  readonly changelog: PartitionChangelog
  /**
   * True after the secret has changed. Once that is committed, the partition must be restored from its changelog: only
   * there is everything that must be encrypted again.
   */
  isToRestore = false
  readonly #taxonomy: Taxonomy
  readonly #secrets: WorkerSecrets
  #changed = true
  /** Partitions of the input that send no more. */
  readonly #ended = new Set<number>()
  /** Messages that delete what was adopted. */
  #toForget: StateMessage[] = []

  constructor(
    { partition, epoch }: { partition: number; epoch: number },
    options: SwapOptions,
    { window, context }: { window: RiskWindow; context: Pick<RunContext, "now" | "random"> },
  ) {
    const { secrets, settings, limits, ...rest } = options
    const first = secrets.of(1)
    let changelog: PartitionChangelog | undefined
    this.core = new StreamCore(
      {
        ...rest,
        settings,
        repeats: settings.repeats,
        key: nameKey(first),
        cellScope: ` of partition ${partition}, plan ${epoch}`,
        secrets: { dealing: first, seeds: positionSeeds(first) },
        dealingOf: (version) => secrets.of(version),
        random: context.random,
        window,
        now: context.now,
      },
      (records) => {
        changelog = new PartitionChangelog(records, limits)
        return changelog
      },
    )
    if (changelog === undefined) throw new Error("the core made no changelog")
    this.changelog = changelog
    this.#taxonomy = options.taxonomy
    this.#secrets = secrets
  }

  /** Goes on with the state that the changelog has. */
  restore(state: RestoredState): void {
    restoreCore(this.core, state)
    this.changelog.restore(state)
    for (const input of state.facts?.ended ?? []) this.#ended.add(input)
    this.#changed = state.facts === undefined
  }

  /** Begins with what partitions of the plan before handed over. */
  adopt(moved: ReadonlyMap<number, MovedState>): void {
    const { core, changelog } = this
    const states = [...moved.values()]
    const gated = new Set([...core.settings.gated, ...states.flatMap(({ facts }) => facts.gated)])
    core.use({ ...core.settings, gated: [...gated] })
    const collector = new RecordCollector()
    const order = orderMoved(moved)
    for (const { of, index } of order) collector.addStored(of.records, index)
    const number = Float64Array.from(order.keys())
    core.restore({ records: collector.take(), number, parts: new Uint8Array(order.length).fill(waitingParts.both) })
    for (const slot of order.keys()) changelog.add(slot) // a new core fills its slots in order
    for (const pair of pairsMoved(moved)) {
      changelog.setTopic(pair[2])
      core.remember(pair.subarray(0, 2))
    }
    core.nextRecord = order.length
    core.nextRelease = Math.max(0, ...states.map(({ facts }) => facts.nextRelease))
    core.totals[firstReleaseKey] = core.nextRelease
    for (const { facts } of states)
      core.cellCounts.restore(facts.cells.filter(([category, cells]) => cells > core.cellCounts.of(category)))
    changelog.noteCells(core.cellCounts)
    core.resume()
    this.#toForget = forgetMoved(moved)
  }

  /** Number of searches that it has released. Their numbers go on from those of the plan before. */
  get released(): number {
    return this.core.nextRelease - (this.core.totals[firstReleaseKey] ?? 0)
  }

  /** True if these partitions of the input send no more searches. */
  hasEnded(inputs: number): boolean {
    return Array.from({ length: inputs }, (_, input) => input).every((input) => this.#ended.has(input))
  }

  take(message: ClassifiedMessage): void {
    if ("records" in message) {
      this.core.takeClassified(message.records)
      return
    }
    if ("end" in message) {
      this.#ended.add(message.end.input)
      return
    }
    requireSecrets(message, this.#secrets)
    const { secret } = this.core.settings
    this.core.change(changeSettings(this.core.settings, message.change, this.#taxonomy))
    if (this.core.settings.secret !== secret) this.isToRestore = true
    this.#changed = true
  }

  /** The content of a transaction after the messages before `offset`: releases, and changes of the state. */
  commit(
    offset: number,
    { isMoved = false }: { isMoved?: boolean } = {},
  ): { released: EncodedRecords; state: StateMessage[] } {
    const { core } = this
    const { nextRecord, nextRelease, cellCounts: counts } = core
    const settings = settingsText(core.settings)
    const facts = {
      offset,
      nextRecord,
      nextRelease,
      settings: this.#changed ? settings : "",
      totals: { ...core.totals },
      ended: [...this.#ended],
      isMoved,
    }
    this.#changed = false
    const state = [...this.changelog.take(facts, { counts, settings }), ...this.#toForget]
    this.#toForget = []
    return { released: core.finish(), state }
  }
}
