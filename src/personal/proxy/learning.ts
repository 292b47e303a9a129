import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { detectTopic } from "../detect-topic.ts"
import { dayOf, type Interests } from "../interests.ts"
import { wordsOfUrl } from "../learn.ts"
import type { RelevantTopics } from "../relevant-topics.ts"

/** Something that was learned from use in this run. */
export interface LearnedNow {
  path: string
  /** UTC seconds. */
  time: number
  from: "search" | "click"
}

interface Step extends LearnedNow {
  topic: number
  query: string
}

/** Pr(t | q) from which on a search without a click is taken to mean t. */
const certain = 0.8
/** So many steps can be undone. */
const mostSteps = 1000

/**
 * Learns from searches and clicks, and can take each back. A click takes the place of the search that it came from, as a
 * click in a log is one document with its query. Queries stay in memory, and only until something else is forgotten.
 */
export class Learning {
  readonly #interests: Interests
  readonly #searcher: TopicSearcher
  #steps: Step[] = []

  constructor(interests: Interests, searcher: TopicSearcher) {
    this.#interests = interests
    this.#searcher = searcher
  }

  /**
   * The path that was learned, or undefined. A search alone teaches something only where its words leave little doubt: of an
   * ambiguous one the commonest sense would be learned, whatever the person meant.
   */
  learnSearch(query: string, { relevant, time }: { relevant: RelevantTopics; time: number }): string | undefined {
    if (this.#steps.at(-1)?.query === query) return undefined // the same search again: another δ, another engine
    const likeliest = relevant.probability.findIndex((probability) => probability >= certain)
    return this.#add(likeliest < 0 ? -1 : relevant.topic[likeliest], { query, time, from: "search" })
  }

  /**
   * The path that was learned from a clicked result, or undefined. It takes the place of the search that it came
   * from.
   */
  learnClick(
    clicked: { query: string; title: string; snippet: string; url: string | null },
    time: number,
  ): string | undefined {
    const { query, title, snippet, url } = clicked
    const text = [query, title, snippet, url === null ? "" : wordsOfUrl(url)].join(" ")
    const topic = detectTopic(this.#searcher, { query, text })
    if (topic <= 0) return undefined
    const searched = this.#steps.findLastIndex((step) => step.query === query && step.from === "search")
    const [old] = searched < 0 ? [] : this.#steps.splice(searched, 1)
    if (old !== undefined) this.#interests.remove(old.topic, { day: dayOf(old.time) })
    return this.#add(topic, { query, time, from: "click" })
  }

  #add(topic: number, step: Omit<Step, "topic" | "path">): string | undefined {
    if (topic <= 0) return undefined
    const path = this.#interests.taxonomy.path(topic)
    this.#interests.add(topic, { day: dayOf(step.time) })
    this.#steps.push({ ...step, topic, path })
    if (this.#steps.length > mostSteps) this.#steps.shift()
    return path
  }

  /** Forgets the last thing learned; gives its path. */
  undo(): string | undefined {
    const last = this.#steps.pop()
    if (last !== undefined) this.#interests.remove(last.topic, { day: dayOf(last.time) })
    return last?.path
  }

  /** The newest first. */
  list(): LearnedNow[] {
    return this.#steps.map(({ path, time, from }) => ({ path, time, from })).reverse()
  }

  /** Nothing of what was learned before can be taken back any more. */
  forgetSteps(): void {
    this.#steps = []
  }
}
