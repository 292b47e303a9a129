import { createHash } from "node:crypto"
import type { CostLayer } from "./cost-layer.ts"
import { dayOf } from "./interests.ts"
import { isWithin } from "./is-within.ts"
import { ObserverAccounts } from "./observer-accounts.ts"

/** What the cost layer was made from: by eq. 6 it follows from these and the taxonomy alone. */
export interface LayerCopy {
  /** Which taxonomy: `taxonomyStamp`. */
  readonly taxonomy: string
  /** The sensitive topics that were in the profile then, as paths in the taxonomy's order, with their sensitivities. */
  readonly sensitive: readonly (readonly [path: string, sensitivity: number])[]
  /** Sensitive topics that the profile no longer had, but the observer had been shown. They count in the lifetime's risk. */
  readonly gone?: readonly (readonly [path: string, sensitivity: number])[]
  /** Topics that were marked never show then. */
  readonly never?: readonly string[]
}

/**
 * One exposure with everything that it was computed from, so that it can be replayed. The query is not kept: its relevant
 * set T(q) is what decided, and of the profile only what it has of T(q), since the seed profile is the trie of T(q) ∩ H.
 */
export interface ExposureRecord {
  /** UTC seconds. */
  readonly time: number
  readonly engine: string
  /** Within a session, what an engine has seen together is kept under `sessionDelta`. */
  readonly session: string
  readonly delta: number
  readonly sessionDelta: number
  /** Most risk of everything that the engine was ever shown; none in exposures of version 0.1. */
  readonly lifetimeDelta?: number
  /** Most risk of that with what the queries told; only where the person set this bound. */
  readonly queryDelta?: number
  /** What queries had told then of sensitive topics, this one counted: shares of a query's meaning. Only with `queryDelta`. */
  readonly told?: readonly (readonly [path: string, share: number])[]
  /** The relevant topics of the query: Pr(t | q), and what the profile had of each then (0: it did not have the topic). */
  readonly relevant: readonly { readonly path: string; readonly probability: number; readonly support: number }[]
  /** What was sent: paths of topics and nothing else. */
  readonly exposed: readonly string[]
  /** The cost layer as it was, by its digest. */
  readonly layer: string
}

/**
 * What was exposed to whom, and why that was allowed. Deleting deletes exposures; what stays is their number and, in
 * `accounts`, the topics that each engine was shown.
 */
export class ExposureHistory {
  /** What each engine knows; not reduced by deleting. */
  readonly accounts = new ObserverAccounts()
  #records: ExposureRecord[] = []
  readonly #layers = new Map<string, LayerCopy>()
  readonly #deleted = new Map<string, number>()
  /** By engine and session. */
  readonly #seen = new Map<string, Set<string>>()

  /** `layer` is copied once for all exposures under it. */
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

  /** The costs under which exposures were decided, by their id; undefined where they are gone. */
  layer(id: string): LayerCopy | undefined {
    return this.#layers.get(id)
  }

  get layers(): ReadonlyMap<string, LayerCopy> {
    return this.#layers
  }

  /** Exposures that were deleted, by engine: the union of what an engine saw cannot be checked without them. */
  get deleted(): ReadonlyMap<string, number> {
    return this.#deleted
  }

  /** Everything that an engine has seen in a session, as paths. */
  seen(engine: string, session: string): ReadonlySet<string> {
    return this.#seen.get(sessionKey({ engine, session })) ?? new Set<string>()
  }

  /** Deletes what is chosen, and the cost layers that nothing else needs; gives how many exposures that were. */
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

  /** Forgets the exposures of a day; gives their number. */
  deleteDay(day: number): number {
    return this.delete(({ time }) => dayOf(time) === day)
  }

  /** Every exposure that names a topic or one below it: in what was shown, in what was relevant, or among the marks. */
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

  /** Takes up what was kept in a file. */
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

/** The digest under which a copy is kept: equal copies are one. */
export function layerId({ taxonomy, sensitive, gone = [], never = [] }: LayerCopy): string {
  // Version 0.1 had the first two only.
  const isOld = gone.length === 0 && never.length === 0
  return createHash("sha256")
    .update(JSON.stringify(isOld ? [taxonomy, sensitive] : [taxonomy, sensitive, gone, never]))
    .digest("hex")
    .slice(0, 32)
}

/** A copy of a cost layer, for the history. */
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
