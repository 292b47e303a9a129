import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type SensitiveTopics, sensitiveTopics } from "./cost-layer.ts"
import { ExposureHistory } from "./exposure-history.ts"
import { Interests } from "./interests.ts"
import { isWithin } from "./is-within.ts"
import { type NeverTopics, neverTopics } from "./never-topics.ts"

/** The person's choices: flags and numbers of the program that runs the search. */
export type Settings = Record<string, string | number | boolean>

/** Everything kept about a person, in memory. */
export interface PersonalStore {
  readonly interests: Interests
  sensitive: SensitiveTopics
  /** Topics that are never shown, whatever the bounds. */
  never: NeverTopics
  settings: Settings
  readonly history: ExposureHistory
}

/** The store of a person about whom nothing is known yet. */
export function emptyStore(taxonomy: Taxonomy): PersonalStore {
  return {
    interests: new Interests(taxonomy),
    sensitive: sensitiveTopics(taxonomy, []),
    never: neverTopics(taxonomy, []),
    settings: {},
    history: new ExposureHistory(),
  }
}

/**
 * Marks a topic as sensitive, or as not sensitive if `sensitivity` is 0. Replaces the topic's earlier mark. A mark
 * above or below it is an error.
 */
export function markSensitive(store: PersonalStore, topic: number, sensitivity: number): void {
  const { taxonomy } = store.interests
  const others = pairsOf(store.sensitive).filter(([id]) => id !== topic)
  store.sensitive = sensitiveTopics(taxonomy, sensitivity === 0 ? others : [...others, [topic, sensitivity]])
  store.history.accounts.dropLost(taxonomy.path(topic))
}

/** Marks a topic and all below it as never shown, or removes that mark. Returns false if a topic above is marked. */
export function markNever(store: PersonalStore, topic: number, isNever: boolean): boolean {
  const { taxonomy } = store.interests
  const others = [...store.never].filter((id) => id !== topic)
  if (!isNever && others.some((above) => topic > above && topic < taxonomy.end[above])) return false
  store.never = neverTopics(taxonomy, isNever ? [...others, topic] : others)
  return true
}

const pairsOf = ({ topic, sensitivity }: SensitiveTopics) => Array.from(topic, (id, i) => [id, sensitivity[i]] as const)

/**
 * Forgets a topic and all below it: interests, exposures that name it, and its sensitivity. An engine keeps what it was
 * shown, so the lifetime bound continues to count it: the union of topics shown to each engine stays, and so does the
 * sensitivity of a topic in that union. A never-show mark stays too, so that the topic is not shown if it is learned
 * again.
 */
export function forgetTopic(store: PersonalStore, topic: number): { documents: number; exposures: number } {
  const { interests, history, sensitive } = store
  const { taxonomy } = interests
  const path = taxonomy.path(topic)
  const documents = interests.forgetTopic(topic)
  const exposures = history.deleteTopic(path)
  const isForgotten = (id: number) => id >= topic && id < taxonomy.end[topic]
  const pairs = pairsOf(sensitive)
  for (const [id, value] of pairs) if (isForgotten(id)) history.accounts.keepLost(taxonomy.path(id), value)
  history.accounts.forgetTold(path)
  store.sensitive = sensitiveTopics(
    taxonomy,
    pairs.filter(([id]) => !isForgotten(id)),
  )
  return { documents, exposures }
}

/** Number of topics at or below a path that stay in the accounts of engines although it was forgotten. */
export function countStillShown({ history: { accounts } }: PersonalStore, path: string): number {
  const shown = new Set(accounts.observers.flatMap((observer) => [...accounts.shownTo(observer)]))
  return [...shown].filter((other) => isWithin(other, path)).length
}

/** Forgets what was learned and what was exposed on a day (UTC, counted from 1970-01-01). */
export function forgetDay(
  { interests, history }: PersonalStore,
  day: number,
): { documents: number; exposures: number } {
  return { documents: interests.forgetDays(day), exposures: history.deleteDay(day) }
}
