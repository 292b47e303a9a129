import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type SensitiveTopics, sensitiveTopics } from "./cost-layer.ts"
import { ExposureHistory } from "./exposure-history.ts"
import { Interests } from "./interests.ts"
import { isWithin } from "./is-within.ts"
import { type NeverTopics, neverTopics } from "./never-topics.ts"

/** A choice of the person: flags and numbers of whoever runs the search. */
export type Settings = Record<string, string | number | boolean>

/** Everything that is kept of a person, in memory. */
export interface PersonalStore {
  readonly interests: Interests
  sensitive: SensitiveTopics
  /** Topics that are never shown, whatever the bounds. */
  never: NeverTopics
  settings: Settings
  readonly history: ExposureHistory
}

/** Of someone of whom nothing is known yet. */
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
 * Marks a topic as sensitive, or with 0 as not sensitive. Replaces the mark that it had; a mark above or below it is an error.
 */
export function markSensitive(store: PersonalStore, topic: number, sensitivity: number): void {
  const { taxonomy } = store.interests
  const others = pairsOf(store.sensitive).filter(([id]) => id !== topic)
  store.sensitive = sensitiveTopics(taxonomy, sensitivity === 0 ? others : [...others, [topic, sensitivity]])
  store.history.accounts.dropLost(taxonomy.path(topic))
}

/** Marks a topic as never shown, with all below it, or takes that mark away. Gives false where a topic above is marked. */
export function markNever(store: PersonalStore, topic: number, isNever: boolean): boolean {
  const { taxonomy } = store.interests
  const others = [...store.never].filter((id) => id !== topic)
  if (!isNever && others.some((above) => topic > above && topic < taxonomy.end[above])) return false
  store.never = neverTopics(taxonomy, isNever ? [...others, topic] : others)
  return true
}

const pairsOf = ({ topic, sensitivity }: SensitiveTopics) => Array.from(topic, (id, i) => [id, sensitivity[i]] as const)

/**
 * Forgets a topic with all below it: interests, exposures that name it, and that it was sensitive. What an engine was shown it
 * keeps, and so the lifetime bound counts it on: the union of topics shown to each engine stays, and the sensitivity
 * of a topic in it. A mark never show stays too, so that the topic is not shown if it is learned again.
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

/** How many topics below one, itself counted, stay in the accounts of engines though it was forgotten. */
export function countStillShown({ history: { accounts } }: PersonalStore, path: string): number {
  const shown = new Set(accounts.observers.flatMap((observer) => [...accounts.shownTo(observer)]))
  return [...shown].filter((other) => isWithin(other, path)).length
}

/** Forgets what was learned on a day (UTC, from 1970-01-01) and what was exposed on it. */
export function forgetDay(
  { interests, history }: PersonalStore,
  day: number,
): { documents: number; exposures: number } {
  return { documents: interests.forgetDays(day), exposures: history.deleteDay(day) }
}
