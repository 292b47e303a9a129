import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { detectTopic } from "../detect-topic.ts"
import { dayOf, type Interests } from "../interests.ts"
import { wordsOfUrl } from "../learn.ts"
import type { RelevantTopics } from "../relevant-topics.ts"

/** Something learned from use in this run. */
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

/** Minimum Pr(t | q) at which a search without a click is taken to mean t. */
const certain = 0.8
/** Maximum number of steps that can be undone. */
const mostSteps = 1000

/**
 * Learns from searches and clicks, and can undo each of them. A click replaces the search that it came from, because a
 * click in a log is one document with its query. Queries are kept in memory only, and only until a topic or a day is
 * forgotten.
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
   * Returns the path that was learned, or undefined. A search alone teaches something only if its words leave little
   * doubt. Otherwise an ambiguous search would teach its commonest sense, whatever the person meant.
   */
  learnSearch(query: string, { relevant, time }: { relevant: RelevantTopics; time: number }): string | undefined {
    if (this.#steps.at(-1)?.query === query) return undefined // the same search again, with another δ or engine
    const likeliest = relevant.probability.findIndex((probability) => probability >= certain)
    return this.#add(likeliest < 0 ? -1 : relevant.topic[likeliest], { query, time, from: "search" })
  }

  /**
   * Returns the path that was learned from a clicked result, or undefined. It replaces the search that the click came
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

  /** Forgets the last thing learned. Returns its path. */
  undo(): string | undefined {
    const last = this.#steps.pop()
    if (last !== undefined) this.#interests.remove(last.topic, { day: dayOf(last.time) })
    return last?.path
  }

  /** What was learned in this run, newest first. */
  list(): LearnedNow[] {
    return this.#steps.map(({ path, time, from }) => ({ path, time, from })).reverse()
  }

  /** Drops the list of steps, so that nothing learned so far can be undone any more. */
  forgetSteps(): void {
    this.#steps = []
  }
}
