import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type SensitiveTopics, sensitiveTopics } from "./cost-layer.ts"
import { ExposureHistory } from "./exposure-history.ts"
import { Interests } from "./interests.ts"

/** A choice of the person: flags and numbers of whoever runs the search. */
export type Settings = Record<string, string | number | boolean>

/** Everything that is kept of a person, in memory. */
export interface PersonalStore {
  readonly interests: Interests
  sensitive: SensitiveTopics
  settings: Settings
  readonly history: ExposureHistory
}

/** Of someone of whom nothing is known yet. */
export function emptyStore(taxonomy: Taxonomy): PersonalStore {
  return {
    interests: new Interests(taxonomy),
    sensitive: sensitiveTopics(taxonomy, []),
    settings: {},
    history: new ExposureHistory(),
  }
}

/**
 * Forgets a topic with all below it, everywhere: interests, exposures that name it, and that it was sensitive. What an engine
 * has seen it keeps; the deleted exposures no longer count against a session's bound.
 */
export function forgetTopic(store: PersonalStore, topic: number): { documents: number; exposures: number } {
  const { interests, history, sensitive } = store
  const { taxonomy } = interests
  const documents = interests.forgetTopic(topic)
  const exposures = history.deleteTopic(taxonomy.path(topic))
  const pairs = Array.from(sensitive.topic, (id, i) => [id, sensitive.sensitivity[i]] as const)
  store.sensitive = sensitiveTopics(
    taxonomy,
    pairs.filter(([id]) => id < topic || id >= taxonomy.end[topic]),
  )
  return { documents, exposures }
}

/** Forgets what was learned on a day (UTC, from 1970-01-01) and what was exposed on it. */
export function forgetDay(
  { interests, history }: PersonalStore,
  day: number,
): { documents: number; exposures: number } {
  return { documents: interests.forgetDays(day), exposures: history.deleteDay(day) }
}
