import { createHash } from "node:crypto"
import type { CostLayer } from "./cost-layer.ts"
import { dayOf } from "./interests.ts"
import { isWithin } from "./is-within.ts"
import { ObserverAccounts } from "./observer-accounts.ts"

/** The inputs of a cost layer. By eq. 6 it follows from these and the taxonomy alone. */
export interface LayerCopy {
  /** Identifies the taxonomy: its `taxonomyStamp`. */
  readonly taxonomy: string
  /** The sensitive topics in the profile at that time, as paths in taxonomy order, with their sensitivities. */
  readonly sensitive: readonly (readonly [path: string, sensitivity: number])[]
  /**
   * Sensitive topics that the profile no longer had but the observer had been shown. They count in the lifetime risk.
   */
  readonly gone?: readonly (readonly [path: string, sensitivity: number])[]
  /** Topics that were marked never show at that time. */
  readonly never?: readonly string[]
}

/**
 * One exposure with everything it was computed from, so that it can be replayed. The query itself is not kept, because
 * only its relevant set T(q) decides. Of the profile, only its support of the topics in T(q) is kept, because the seed
 * profile is the trie of T(q) ∩ H.
 */
export interface ExposureRecord {
  /** UTC seconds. */
  readonly time: number
  readonly engine: string
  /** Within a session, the risk of everything an engine has seen together is kept under `sessionDelta`. */
  readonly session: string
  readonly delta: number
  readonly sessionDelta: number
  /** Maximum risk of everything the engine was ever shown. Missing in exposures of version 0.1. */
  readonly lifetimeDelta?: number
  /** Maximum risk of the same together with what the queries revealed. Set only if the person chose this bound. */
  readonly queryDelta?: number
  /**
   * What queries had revealed of sensitive topics, including this query, as shares of a query's meaning. Only with
   * `queryDelta`.
   */
  readonly told?: readonly (readonly [path: string, share: number])[]
  /**
   * The query's relevant topics: Pr(t | q), and the topic's support in the profile at that time (0: not in the
   * profile).
   */
  readonly relevant: readonly { readonly path: string; readonly probability: number; readonly support: number }[]
  /** What was sent: paths of topics and nothing else. */
  readonly exposed: readonly string[]
  /** Digest of the cost layer at that time. */
  readonly layer: string
}

/**
 * What was exposed to which engine, and why it was allowed. Deleting removes exposures but keeps their number and, in
 * `accounts`, the topics that each engine was shown.
 */
export class ExposureHistory {
  /** What each engine knows. Deleting exposures does not reduce it. */
  readonly accounts = new ObserverAccounts()
  #records: ExposureRecord[] = []
  readonly #layers = new Map<string, LayerCopy>()
  readonly #deleted = new Map<string, number>()
  /** Exposed paths by engine and session. */
  readonly #seen = new Map<string, Set<string>>()

  /** Adds an exposure. Equal layers are stored once. */
  add(record: Omit<ExposureRecord, "layer">, layer: LayerCopy): void {
    const id = layerId(layer)
    if (!this.#layers.has(id)) this.#layers.set(id, layer)
    this.#take({ ...record, layer: id })
  }

  #take(record: ExposureRecord): void {
    this.#records.push(record)
    const key = sessionKey(record)
    const seen = this.#seen.get(key) ?? new Set<string>()
    for (const path of record.exposed) seen.add(path)
    this.#seen.set(key, seen)
    this.accounts.noteShown(record.engine, record.exposed)
  }

  get records(): readonly ExposureRecord[] {
    return this.#records
  }

  /** The cost layer under which exposures were decided, by its id; undefined if it was deleted. */
  layer(id: string): LayerCopy | undefined {
    return this.#layers.get(id)
  }

  get layers(): ReadonlyMap<string, LayerCopy> {
    return this.#layers
  }

  /** Number of deleted exposures by engine. Without them, the union of what an engine saw cannot be checked. */
  get deleted(): ReadonlyMap<string, number> {
    return this.#deleted
  }

  /** Everything an engine has seen in a session, as paths. */
  seen(engine: string, session: string): ReadonlySet<string> {
    return this.#seen.get(sessionKey({ engine, session })) ?? new Set<string>()
  }

  /**
   * Deletes the chosen exposures and the cost layers that no other exposure needs. Returns the number of exposures
   * deleted.
   */
  delete(isChosen: (record: ExposureRecord) => boolean): number {
    const kept: ExposureRecord[] = []
    for (const record of this.#records) {
      if (!isChosen(record)) kept.push(record)
      else this.#deleted.set(record.engine, (this.#deleted.get(record.engine) ?? 0) + 1)
    }
    const count = this.#records.length - kept.length
    this.#records = []
    this.#seen.clear()
    for (const record of kept) this.#take(record)
    const needed = new Set(kept.map(({ layer }) => layer))
    for (const id of this.#layers.keys()) if (!needed.has(id)) this.#layers.delete(id)
    return count
  }

  /** Deletes the exposures of a day. Returns their number. */
  deleteDay(day: number): number {
    return this.delete(({ time }) => dayOf(time) === day)
  }

  /**
   * Deletes every exposure that names a topic or one below it: as shown, as relevant, or as marked. Returns their
   * number.
   */
  deleteTopic(path: string): number {
    const isBelow = (other: string) => isWithin(other, path)
    const isNamed = ({ sensitive, gone = [], never = [] }: LayerCopy) =>
      [...sensitive, ...gone].some(([marked]) => isBelow(marked)) || never.some(isBelow)
    return this.delete(({ exposed, relevant, told = [], layer: id }) => {
      const layer = this.#layers.get(id)
      const paths = [...exposed, ...relevant.map((topic) => topic.path), ...told.map(([topic]) => topic)]
      return paths.some(isBelow) || (layer !== undefined && isNamed(layer))
    })
  }

  /** Restores a history that was saved in a file. */
  restore(saved: {
    records: Iterable<ExposureRecord>
    layers: Iterable<readonly [id: string, layer: LayerCopy]>
    deleted: Iterable<readonly [engine: string, count: number]>
  }): void {
    for (const record of saved.records) this.#take(record)
    for (const [id, layer] of saved.layers) this.#layers.set(id, layer)
    for (const [engine, count] of saved.deleted) this.#deleted.set(engine, count)
  }
}

const sessionKey = ({ engine, session }: Pick<ExposureRecord, "engine" | "session">) =>
  JSON.stringify([engine, session])

/** The digest that identifies a copy. Equal copies have equal digests. */
export function layerId({ taxonomy, sensitive, gone = [], never = [] }: LayerCopy): string {
  // Version 0.1 had only the first two fields.
  const isOld = gone.length === 0 && never.length === 0
  return createHash("sha256")
    .update(JSON.stringify(isOld ? [taxonomy, sensitive] : [taxonomy, sensitive, gone, never]))
    .digest("hex")
    .slice(0, 32)
}

/** Copies a cost layer for the history. */
export function copyLayer(
  { profile, sensitive, cost }: CostLayer,
  options: { stamp: string } & Pick<LayerCopy, "gone" | "never">,
): LayerCopy {
  const { stamp, gone = [], never = [] } = options
  const pathOf = (node: number) => profile.taxonomy.path(profile.topic[node])
  return {
    taxonomy: stamp,
    sensitive: Array.from(sensitive, (node) => [pathOf(node), cost[node]] as const),
    ...(gone.length > 0 && { gone }),
    ...(never.length > 0 && { never }),
  }
}
