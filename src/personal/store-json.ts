import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { sensitiveTopics } from "./cost-layer.ts"
import type { ExposureRecord, LayerCopy } from "./exposure-history.ts"
import { emptyStore, type PersonalStore } from "./personal-store.ts"
import { taxonomyStamp } from "./taxonomy-stamp.ts"

const index = Type.Integer({ minimum: 0 })
const amount = Type.Number({ minimum: 0 })

/** What the file holds, before it is sealed. Topics are indices into `topics`, which has only paths that are used. */
const savedStore = Type.Object({
  version: Type.Literal(1),
  taxonomy: Type.String(),
  topics: Type.Array(Type.String()),
  /** A day, then topic and count by turns. */
  days: Type.Array(Type.Array(Type.Integer())),
  sensitive: Type.Array(Type.Tuple([index, amount])),
  settings: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  layers: Type.Record(
    Type.String(),
    Type.Object({ taxonomy: Type.String(), sensitive: Type.Array(Type.Tuple([index, amount])) }),
  ),
  exposures: Type.Array(
    Type.Object({
      time: Type.Integer(),
      engine: Type.String(),
      session: Type.String(),
      delta: amount,
      sessionDelta: amount,
      layer: Type.String(),
      relevant: Type.Array(Type.Tuple([index, amount, amount])),
      exposed: Type.Array(index),
    }),
  ),
  deleted: Type.Record(Type.String(), index),
})

type SavedStore = Static<typeof savedStore>

/** Paths of topics that were written once: a server saves the same ones at every search. */
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

/** By the history's list, which grows at its end and is another after a deletion: nothing deleted is remembered here. */
const encodedExposures = new WeakMap<readonly ExposureRecord[], EncodedExposures>()

/** Encodes what came since the last time: a server saves at every search, and a history grows for years. */
function encodeExposures(records: readonly ExposureRecord[]): EncodedExposures {
  const known = encodedExposures.get(records) ?? { count: 0, numbers: new Map<string, number>(), text: "" }
  const numberOf = numberer(known.numbers)
  for (; known.count < records.length; known.count++) {
    const { relevant, exposed, ...rest } = records[known.count]
    const saved: SavedStore["exposures"][number] = {
      ...rest,
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

/** A store as text, for `decodeStore`. */
export function encodeStore({ interests, sensitive, settings, history }: PersonalStore): string {
  const { taxonomy } = interests
  const nameOf = pathsOf(taxonomy)
  const exposures = encodeExposures(history.records)
  const numbers = new Map(exposures.numbers) // the rest may be gone the next time
  const numberOf = numberer(numbers)
  const days = Array.from(interests.days(), ({ day, topics }) => [
    day,
    ...topics.flatMap(([topic, count]) => [numberOf(nameOf(topic)), count]),
  ])
  const saved: Omit<SavedStore, "topics" | "exposures"> = {
    version: 1,
    taxonomy: taxonomyStamp(taxonomy),
    days,
    sensitive: Array.from(sensitive.topic, (topic, i) => [numberOf(nameOf(topic)), sensitive.sensitivity[i]]),
    settings,
    layers: Object.fromEntries(
      Array.from(history.layers, ([id, layer]) => [
        id,
        { taxonomy: layer.taxonomy, sensitive: layer.sensitive.map(([path, value]) => [numberOf(path), value]) },
      ]),
    ),
    deleted: Object.fromEntries(history.deleted),
  }
  const rest = JSON.stringify({ ...saved, topics: [...numbers.keys()] })
  return `${rest.slice(0, -1)},"exposures":[${exposures.text}]}`
}

/** The store of a file's content, on a taxonomy that has all its topics. */
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
      `${file}: a topic of the profile is not in the taxonomy${isOther ? ": it was made with another. Give that one with --taxonomy." : "."}`,
      { file },
    )
  }
  for (const [day, ...pairs] of saved.days) {
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      if (pairs[i + 1] <= 0) throw broken(file)
      store.interests.add(topicOf(pairs[i]), { day, count: pairs[i + 1] })
    }
  }
  store.sensitive = sensitiveTopics(
    taxonomy,
    saved.sensitive.map(([number, value]) => [topicOf(number), value] as const),
  )
  store.settings = saved.settings
  const layers = Object.entries(saved.layers).map(([id, layer]): [string, LayerCopy] => {
    return [id, { ...layer, sensitive: layer.sensitive.map(([number, value]) => [pathOf(number), value]) }]
  })
  const records = saved.exposures.map((exposure): ExposureRecord => {
    return {
      ...exposure,
      relevant: exposure.relevant.map(([number, probability, support]) => {
        return { path: pathOf(number), probability, support }
      }),
      exposed: exposure.exposed.map(pathOf),
    }
  })
  store.history.restore({ records, layers, deleted: Object.entries(saved.deleted) })
  return store
}

function parse(text: string, file: string): SavedStore {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw broken(file, cause)
  }
  const version = typeof value === "object" && value !== null && "version" in value ? value.version : undefined
  if (typeof version === "number" && version > 1)
    throw new QueryveilError("profile-broken", `${file}: was written by a newer queryveil (content ${version}).`, {
      file,
    })
  if (!Value.Check(savedStore, value)) throw broken(file)
  return value
}

function broken(file: string, cause?: unknown): QueryveilError {
  return new QueryveilError("profile-broken", `${file}: its content is not that of a profile.`, { file, cause })
}
