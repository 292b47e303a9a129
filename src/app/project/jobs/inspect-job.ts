import { writeFileWhole } from "../../../files/write-file.ts"
import { type RunContext, stopIfCancelled } from "../../../kernels/context.ts"
import { dictionaryOf } from "../../../kernels/dictionary.ts"
import { seededRandom, shuffle } from "../../../kernels/random.ts"
import { inspectLog } from "../../../log/inspect-log.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import { countQueries } from "../../../log/statistics.ts"
import { strongestSentence } from "../../../study/inspect/strongest-sentence.ts"
import { findIdentifiers } from "../../../text/identifiers/find-identifiers.ts"
import { allKinds, identifierKinds, kindBit } from "../../../text/identifiers/kinds.ts"
import { detectors } from "../../../text/identifiers/registry.ts"
import { maskQuery } from "../../../text/mask-query.ts"
import { openTopics } from "../../classify-log.ts"
import { logStamp, type ProjectView, readProjectLog } from "./project-view.ts"

/** Samples of each kind: as many with the most users, and as many drawn at random. */
const samplesOfSort = 10

/** A query that the exposure screen may show. Private: the server sends its text only if it may be seen. */
export interface QuerySample {
  id: number
  users: number
  words: number
  shape: string
  topic?: string
  text: string
}

/** What the exposure screen is made from. Private. */
export interface ExposureFile {
  stamp: string
  at: string
  sentence: string
  inspection: object
  kinds: { kind: string; says: string; queries: number; events: number; samples: QuerySample[] }[]
}

/** Inspects the log and draws samples of queries with identifiers. */
export async function inspectJob(view: ProjectView, _options: object, context: RunContext): Promise<object> {
  const { log, intake } = await readProjectLog(view, context)
  const inspection = await inspectLog(log, {}, context)
  const found = await findIdentifiers(log.queries, allKinds, context)
  const { users } = countQueries(log)
  const drawn = identifierKinds.map((kind) => drawSamples(found, users, kindBit(kind)))
  const topics = await topicsOf(log, drawn.flat(), context)
  const kinds = identifierKinds.flatMap((kind, i) => {
    const part = inspection.identifiers.find((one) => one.kind === kind)
    if (part === undefined || part.queries === 0) return []
    const says = detectors.find((detector) => detector.kind === kind)?.summary ?? ""
    const samples = (drawn[i] ?? []).map((query) => describe(log, query, { users, topics }))
    return [{ kind, says, queries: part.queries, events: part.events, samples }]
  })
  const exposure: ExposureFile = {
    stamp: logStamp(view),
    at: new Date(context.now()).toISOString(),
    sentence: strongestSentence(inspection, intake.unit),
    inspection,
    kinds,
  }
  stopIfCancelled(context)
  await writeFileWhole(view.paths.exposure, `${JSON.stringify(exposure)}\n`, { mode: 0o600 })
  return {}
}

function drawSamples(found: Uint16Array, users: Uint32Array, bit: number): number[] {
  const all = Uint32Array.from(found, (_, query) => query).filter((query) => ((found[query] ?? 0) & bit) !== 0)
  const byUsers = [...all].sort((a, b) => (users[b] ?? 0) - (users[a] ?? 0) || a - b).slice(0, samplesOfSort)
  shuffle(all, seededRandom(1))
  return [...new Set([...byUsers, ...all.subarray(0, samplesOfSort)])]
}

/** The topics of some queries, by query. */
async function topicsOf(log: SearchLog, queries: readonly number[], context: RunContext): Promise<Map<number, string>> {
  const some = [...new Set(queries)]
  if (some.length === 0) return new Map()
  const classifier = await openTopics({}, context)
  const texts = dictionaryOf(some.map((query) => log.queries.text(query)))
  const topicOf = await classifier.classify(texts, context)
  return new Map(
    some.flatMap((query) => {
      const topic = topicOf[texts.find(log.queries.text(query))] ?? -1
      return topic < 0 ? [] : [[query, classifier.taxonomy.path(topic)]]
    }),
  )
}

function describe(
  log: SearchLog,
  query: number,
  { users, topics }: { users: Uint32Array; topics: ReadonlyMap<number, string> },
): QuerySample {
  const text = log.queries.text(query)
  const topic = topics.get(query)
  const words = text.split(" ").length
  return { id: query, users: users[query] ?? 0, words, shape: maskQuery(text), ...(topic && { topic }), text }
}
