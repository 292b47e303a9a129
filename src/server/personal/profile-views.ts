import type { SensitiveTopics } from "../../personal/cost-layer.ts"
import type { ExposureRecord, LayerCopy } from "../../personal/exposure-history.ts"
import { mostUploaded } from "../../personal/import/read-history.ts"
import { dayOf } from "../../personal/interests.ts"
import { isNever } from "../../personal/never-topics.ts"
import type { PersonalStore } from "../../personal/personal-store.ts"
import { floorOf } from "../../personal/proxy/exposed.ts"
import type { PersonalProxy } from "../../personal/proxy/personal-proxy.ts"
import { shownInFull } from "../../personal/shown-in-full.ts"
import { nodeOf } from "../../personal/topic-tree.ts"
import { childrenOf, type Taxonomy } from "../../taxonomy/taxonomy.ts"
import { exposureRisk } from "../../verify/exposure-risk.ts"

/** Maximum characters of a topic's text. */
const mostText = 160

/** Everything that the page's overview shows of settings and profile. */
export function describeState(proxy: PersonalProxy, taxonomyName: string) {
  const { interests } = proxy.store
  const { unsaved } = proxy
  const choices = proxy.choices()
  const days = [...interests.days()]
  const searches = days.reduce((sum, { topics }) => sum + topics.reduce((part, [, count]) => part + count, 0), 0)
  return {
    profile: { topics: interests.profile().size - 1, searches, days: days.length },
    engines: proxy.engines.map((engine) => {
      const { name, kind, acceptsExposure } = engine
      return { name, kind, acceptsExposure, added: proxy.isAdded(name), ...proxy.lifetimeOf(engine) }
    }),
    ...choices,
    ...describeMarks(proxy),
    proposals: proxy.proposals(),
    taxonomy: taxonomyName,
    mostUploaded,
    ...(unsaved !== undefined && { problem: { code: unsaved.code, message: unsaved.message } }),
  }
}

/** What is marked, and what follows from it. */
export function describeMarks(proxy: PersonalProxy) {
  const { store } = proxy
  const { delta, sessionDelta, lifetimeDelta } = proxy.choices()
  const costs = proxy.search.costs()
  return {
    sensitive: describeSensitive(store),
    never: Array.from(store.never, (topic) => store.interests.taxonomy.path(topic)),
    /** Risk of the root alone: below this risk nothing can be shown. null: no risk is counted. */
    floor: floorOf(costs),
    /** Sensitive topics that the limits allow to be shown in full. */
    inFull: shownInFull(costs, [delta, sessionDelta, lifetimeDelta]),
  }
}

function describeSensitive({ sensitive, interests }: PersonalStore): { path: string; sensitivity: number }[] {
  return Array.from(sensitive.topic, (topic, i) => {
    return { path: interests.taxonomy.path(topic), sensitivity: sensitive.sensitivity[i] ?? 0 }
  })
}

const sensitivityOf = ({ topic, sensitivity }: SensitiveTopics, wanted: number) =>
  sensitivity[topic.indexOf(wanted)] ?? 0

/** A topic as the page shows it; the support is that of the person's profile. */
function describeTopic({ interests, sensitive, never }: PersonalStore, topic: number) {
  const profile = interests.profile()
  const { taxonomy } = interests
  const node = nodeOf(profile, topic)
  return {
    path: taxonomy.path(topic),
    name: taxonomy.name(topic).replaceAll("_", " "),
    support: profile.support[node] ?? 0,
    sensitive: sensitivityOf(sensitive, topic),
    never: isNever(taxonomy, never, topic),
    children: node < 0 ? 0 : [...childrenOf(profile, node)].length,
  }
}

/** The topics directly below one in the profile, those with the most documents first. */
export function describeChildren(store: PersonalStore, topic: number) {
  const profile = store.interests.profile()
  const node = nodeOf(profile, topic)
  if (node < 0) return []
  return [...childrenOf(profile, node)]
    .map((child) => describeTopic(store, profile.topic[child] ?? 0))
    .sort((one, other) => other.support - one.support || (one.path < other.path ? -1 : 1))
}

/** Topics that were searched for, each with the beginning of its text. */
export function describeFound(store: PersonalStore, topics: readonly number[]) {
  return topics.map((topic) => {
    const text = store.interests.taxonomy.text(topic)
    return { ...describeTopic(store, topic), text: text.length > mostText ? `${text.slice(0, mostText)}…` : text }
  })
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Days on which something was learned or exposed, newest first. */
export function describeDays({ interests, history }: PersonalStore) {
  const days = new Map<number, { documents: number; exposures: number }>()
  const at = (day: number) => {
    const found = days.get(day) ?? { documents: 0, exposures: 0 }
    days.set(day, found)
    return found
  }
  for (const { day, topics } of interests.days()) for (const [, count] of topics) at(day).documents += count
  for (const { time } of history.records) at(dayOf(time)).exposures++
  return [...days].sort(([a], [b]) => b - a).map(([day, counts]) => ({ day: dateOf(day), ...counts }))
}

/** Exposures with the risk that they had under the cost layer of their time. */
export class HistoryView {
  readonly #taxonomy: Taxonomy
  readonly #risks = new Map<string, (paths: readonly string[]) => number | null>()

  constructor(taxonomy: Taxonomy) {
    this.#taxonomy = taxonomy
  }

  /** Exposures before an id, newest first. The id of an exposure is its place in the history. */
  page({ history }: PersonalStore, { before, count }: { before: number; count: number }) {
    const end = Math.min(before, history.records.length)
    const start = Math.max(0, end - count)
    const entries = history.records
      .slice(start, end)
      .map((record, i) => ({ id: start + i, ...this.#entry(record, history) }))
    return { entries: entries.reverse(), more: start > 0 }
  }

  /** The whole history as it is stored. It does not contain the queries: they were never written down. */
  export({ history }: PersonalStore) {
    const { accounts } = history
    return {
      exposures: history.records.map((record) => ({ ...record, risk: this.#entry(record, history).risk })),
      layers: Object.fromEntries(history.layers),
      deleted: Object.fromEntries(history.deleted),
      engines: Object.fromEntries(
        accounts.observers.map((observer) => [
          observer,
          { shown: [...accounts.shownTo(observer)], told: Object.fromEntries(accounts.toldTo(observer)) },
        ]),
      ),
    }
  }

  #entry(record: ExposureRecord, { layers }: PersonalStore["history"]) {
    const { time, engine, exposed, delta, layer } = record
    const copy = layers.get(layer)
    const riskOf = this.#risks.get(layer) ?? riskUnder(this.#taxonomy, copy)
    this.#risks.set(layer, riskOf)
    return { time, engine, exposure: exposed.filter((path) => path !== ""), risk: riskOf(exposed), delta }
  }
}

/** null: no risk was counted, because nothing was marked sensitive at that time. */
function riskUnder(taxonomy: Taxonomy, copy: LayerCopy | undefined): (paths: readonly string[]) => number | null {
  if (copy === undefined || copy.sensitive.length === 0) return () => null
  return exposureRisk(taxonomy, copy)
}
