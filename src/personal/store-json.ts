import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { sensitiveTopics } from "./cost-layer.ts"
import type { ExposureRecord, LayerCopy } from "./exposure-history.ts"
import { neverTopics } from "./never-topics.ts"
import { emptyStore, type PersonalStore } from "./personal-store.ts"
import { taxonomyStamp } from "./taxonomy-stamp.ts"

const index = Type.Integer({ minimum: 0 })
const amount = Type.Number({ minimum: 0 })

const weighed = Type.Array(Type.Tuple([index, amount]))

/** Version of the content. Version 1, written by 0.1, has none of the optional parts. */
const version = 2

/** The content of the file before it is sealed. Topics are indices into `topics`, which has only the paths in use. */
const savedStore = Type.Object({
  version: Type.Union([Type.Literal(1), Type.Literal(version)]),
  taxonomy: Type.String(),
  topics: Type.Array(Type.String()),
  /** A day, followed by alternating topics and counts. */
  days: Type.Array(Type.Array(Type.Integer())),
  sensitive: weighed,
  never: Type.Optional(Type.Array(index)),
  settings: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  layers: Type.Record(
    Type.String(),
    Type.Object({
      taxonomy: Type.String(),
      sensitive: weighed,
      gone: Type.Optional(weighed),
      never: Type.Optional(Type.Array(index)),
    }),
  ),
  exposures: Type.Array(
    Type.Object({
      time: Type.Integer(),
      engine: Type.String(),
      session: Type.String(),
      delta: amount,
      sessionDelta: amount,
      lifetimeDelta: Type.Optional(amount),
      queryDelta: Type.Optional(amount),
      told: Type.Optional(weighed),
      layer: Type.String(),
      relevant: Type.Array(Type.Tuple([index, amount, amount])),
      exposed: Type.Array(index),
    }),
  ),
  deleted: Type.Record(Type.String(), index),
  accounts: Type.Optional(
    Type.Object({
      shown: Type.Record(Type.String(), Type.Array(index)),
      told: Type.Record(Type.String(), weighed),
      lost: weighed,
      unknown: Type.Record(Type.String(), index),
    }),
  ),
})

type SavedStore = Static<typeof savedStore>

/** Cache of topic paths, because a server saves the same ones at every search. */
const knownPaths = new WeakMap<Taxonomy, Map<number, string>>()

function pathsOf(taxonomy: Taxonomy): (topic: number) => string {
  const known = knownPaths.get(taxonomy) ?? new Map<number, string>()
  knownPaths.set(taxonomy, known)
  return (topic) => {
    const path = known.get(topic) ?? taxonomy.path(topic)
    known.set(topic, path)
    return path
  }
}

/** The exposures of a history as JSON, and the numbers of their paths. */
interface EncodedExposures {
  count: number
  numbers: Map<string, number>
  text: string
}

/**
 * Keyed by the history's list. The list grows at its end and is replaced after a deletion, so nothing deleted is kept
 * here.
 */
const encodedExposures = new WeakMap<readonly ExposureRecord[], EncodedExposures>()

/** Encodes only what was added since the last call: a server saves at every search, and a history grows for years. */
function encodeExposures(records: readonly ExposureRecord[]): EncodedExposures {
  const known = encodedExposures.get(records) ?? { count: 0, numbers: new Map<string, number>(), text: "" }
  const numberOf = numberer(known.numbers)
  for (; known.count < records.length; known.count++) {
    const { relevant, exposed, told, ...rest } = records[known.count]
    const saved: SavedStore["exposures"][number] = {
      ...rest,
      ...(told !== undefined && { told: told.map(([path, share]) => [numberOf(path), share]) }),
      relevant: relevant.map(({ path, probability, support }) => [numberOf(path), probability, support]),
      exposed: exposed.map(numberOf),
    }
    known.text += `${known.count === 0 ? "" : ","}${JSON.stringify(saved)}`
  }
  encodedExposures.set(records, known)
  return known
}

function numberer(numbers: Map<string, number>): (path: string) => number {
  return (path) => {
    const number = numbers.get(path) ?? numbers.size
    numbers.set(path, number)
    return number
  }
}

/** Encodes a store as text for `decodeStore`. */
export function encodeStore({ interests, sensitive, never, settings, history }: PersonalStore): string {
  const { taxonomy } = interests
  const nameOf = pathsOf(taxonomy)
  const exposures = encodeExposures(history.records)
  const numbers = new Map(exposures.numbers) // a copy: the other numbers may not be needed next time
  const numberOf = numberer(numbers)
  const weigh = (pairs: Iterable<readonly [path: string, value: number]>) =>
    Array.from(pairs, ([path, value]): [number, number] => [numberOf(path), value])
  const days = Array.from(interests.days(), ({ day, topics }) => [
    day,
    ...topics.flatMap(([topic, count]) => [numberOf(nameOf(topic)), count]),
  ])
  const { accounts } = history
  const byObserver = <T>(listOf: (observer: string) => T[]) =>
    Object.fromEntries(
      accounts.observers.map((observer) => [observer, listOf(observer)] as const).filter(([, list]) => list.length > 0),
    )
  const saved: Omit<SavedStore, "topics" | "exposures"> = {
    version,
    taxonomy: taxonomyStamp(taxonomy),
    days,
    sensitive: Array.from(sensitive.topic, (topic, i) => [numberOf(nameOf(topic)), sensitive.sensitivity[i]]),
    never: Array.from(never, (topic) => numberOf(nameOf(topic))),
    settings,
    layers: Object.fromEntries(
      Array.from(history.layers, ([id, layer]) => [
        id,
        {
          taxonomy: layer.taxonomy,
          sensitive: weigh(layer.sensitive),
          ...(layer.gone !== undefined && { gone: weigh(layer.gone) }),
          ...(layer.never !== undefined && { never: layer.never.map(numberOf) }),
        },
      ]),
    ),
    deleted: Object.fromEntries(history.deleted),
    accounts: {
      shown: byObserver((observer) => [...accounts.shownTo(observer)].map(numberOf)),
      told: byObserver((observer) => weigh(accounts.toldTo(observer))),
      lost: weigh(accounts.lost),
      unknown: Object.fromEntries(accounts.unknown),
    },
  }
  const rest = JSON.stringify({ ...saved, topics: [...numbers.keys()] })
  return `${rest.slice(0, -1)},"exposures":[${exposures.text}]}`
}

/** Decodes a file's content. The taxonomy must have all its topics. */
export function decodeStore(text: string, options: { taxonomy: Taxonomy; file: string }): PersonalStore {
  const { taxonomy, file } = options
  const saved = parse(text, file)
  const store = emptyStore(taxonomy)
  const pathOf = (number: number) => {
    const path = saved.topics[number]
    if (path === undefined) throw broken(file)
    return path
  }
  const topicOf = (number: number) => {
    const topic = taxonomy.find(pathOf(number))
    if (topic >= 0) return topic
    const isOther = saved.taxonomy !== taxonomyStamp(taxonomy)
    throw new QueryveilError(
      "profile-taxonomy",
      [
        `${file}: a topic of the profile is not in the taxonomy.`,
        ...(isOther ? ["The profile was made with another taxonomy. Give that one with --taxonomy."] : []),
      ].join(" "),
      { file },
    )
  }
  for (const [day, ...pairs] of saved.days) {
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const [topic, count] = [topicOf(pairs[i]), pairs[i + 1]]
      if (topic === 0 || count <= 0 || !Number.isSafeInteger(count)) throw broken(file)
      store.interests.add(topic, { day, count })
    }
  }
  store.sensitive = sensitiveTopics(
    taxonomy,
    saved.sensitive.map(([number, value]) => [topicOf(number), value] as const),
  )
  store.never = neverTopics(taxonomy, (saved.never ?? []).map(topicOf))
  store.settings = saved.settings
  const weighed = (pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([number, value]) => [pathOf(number), value] as const)
  const layers = Object.entries(saved.layers).map(([id, layer]): [string, LayerCopy] => {
    const { taxonomy, sensitive, gone, never } = layer
    return [
      id,
      {
        taxonomy,
        sensitive: weighed(sensitive),
        ...(gone !== undefined && { gone: weighed(gone) }),
        ...(never !== undefined && { never: never.map(pathOf) }),
      },
    ]
  })
  const records = saved.exposures.map(({ told, ...exposure }): ExposureRecord => {
    return {
      ...exposure,
      ...(told !== undefined && { told: weighed(told) }),
      relevant: exposure.relevant.map(([number, probability, support]) => {
        return { path: pathOf(number), probability, support }
      }),
      exposed: exposure.exposed.map(pathOf),
    }
  })
  store.history.restore({ records, layers, deleted: Object.entries(saved.deleted) })
  restoreAccounts(store, saved, { pathOf, weighed })
  return store
}

/**
 * Restores what engines were shown. Version 1 kept no accounts: everything its remaining exposures say counts, and the
 * number of deleted exposures is kept as unknown.
 */
function restoreAccounts(
  { history }: PersonalStore,
  saved: SavedStore,
  read: {
    pathOf: (number: number) => string
    weighed: (pairs: readonly (readonly [number, number])[]) => (readonly [path: string, value: number])[]
  },
): void {
  const { pathOf, weighed } = read
  const { shown = {}, told = {}, lost = [], unknown = saved.deleted } = saved.accounts ?? {}
  history.accounts.restore({
    shown: Object.entries(shown).map(([observer, numbers]) => [observer, numbers.map(pathOf)] as const),
    told: Object.entries(told).map(([observer, pairs]) => [observer, weighed(pairs)] as const),
    lost: weighed(lost),
    unknown: Object.entries(unknown),
  })
}

function parse(text: string, file: string): SavedStore {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw broken(file, cause)
  }
  const found = typeof value === "object" && value !== null && "version" in value ? value.version : undefined
  if (typeof found === "number" && found > version)
    throw new QueryveilError(
      "profile-broken",
      [
        `${file}: was written by a newer queryveil (content ${found}; this one reads up to ${version}).`,
        "Update queryveil.",
      ].join(" "),
      { file },
    )
  if (!Value.Check(savedStore, value)) throw broken(file)
  return value
}

function broken(file: string, cause?: unknown): QueryveilError {
  return new QueryveilError("profile-broken", `${file}: the content is not a profile.`, { file, cause })
}
