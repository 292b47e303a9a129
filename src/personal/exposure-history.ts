import { createHash } from "node:crypto"
import type { CostLayer } from "./cost-layer.ts"
import { dayOf } from "./interests.ts"

/** What the cost layer was made from: by eq. 6 it follows from these and the taxonomy alone. */
export interface LayerCopy {
  /** Which taxonomy: `taxonomyStamp`. */
  readonly taxonomy: string
  /** The sensitive topics that were in the profile then, as paths in the taxonomy's order, with their sensitivities. */
  readonly sensitive: readonly (readonly [path: string, sensitivity: number])[]
}

/** A relevant topic of a query, and what the profile had of it then. */
export interface RelevantThen {
  readonly path: string
  /** Pr(t | q). */
  readonly probability: number
  /** sup_H(t); 0: the topic was not in the profile. */
  readonly support: number
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
  readonly relevant: readonly RelevantThen[]
  /** What was sent: paths of topics and nothing else. */
  readonly exposed: readonly string[]
  /** The cost layer as it was, by its digest. */
  readonly layer: string
}

/** What was exposed to whom, and why that was allowed. Deleting deletes; that something was deleted is all that stays. */
export class ExposureHistory {
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

  /** Every exposure that names a topic or one below it: in what was shown, in what was relevant, or as a sensitive one. */
  deleteTopic(path: string): number {
    const isBelow = (other: string) => path === "" || other === path || other.startsWith(`${path}/`)
    return this.delete(
      ({ exposed, relevant, layer }) =>
        exposed.some(isBelow) ||
        relevant.some((topic) => isBelow(topic.path)) ||
        (this.#layers.get(layer)?.sensitive.some(([sensitive]) => isBelow(sensitive)) ?? false),
    )
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
export function layerId({ taxonomy, sensitive }: LayerCopy): string {
  return createHash("sha256")
    .update(JSON.stringify([taxonomy, sensitive]))
    .digest("hex")
    .slice(0, 32)
}

/** A copy of a cost layer, for the history. */
export function copyLayer({ profile, sensitive, cost }: CostLayer, stamp: string): LayerCopy {
  const pathOf = (node: number) => profile.taxonomy.path(profile.topic[node])
  return { taxonomy: stamp, sensitive: Array.from(sensitive, (node) => [pathOf(node), cost[node]] as const) }
}
