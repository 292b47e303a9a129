import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import { type CostLayer, costLayer, type SensitiveTopics } from "./cost-layer.ts"
import { type Decision, type ExposeOptions, exposeProfile } from "./expose-profile.ts"
import { copyLayer } from "./exposure-history.ts"
import { mapQuery } from "./map-query.ts"
import type { PersonalStore } from "./personal-store.ts"
import type { RelevantTopics } from "./relevant-topics.ts"
import { taxonomyStamp } from "./taxonomy-stamp.ts"
import { nodeOf } from "./topic-tree.ts"

/** Who asks whom, and how much risk that may have. */
export interface AskOptions extends Pick<ExposeOptions, "delta" | "algorithm" | "mu"> {
  /** Who will see the exposure. */
  engine: string
  /** What the engine sees within a session is kept under `sessionDelta` together. */
  session: string
  sessionDelta: number
}

/** The answer to "what may be shown with this query", and the query's topics, by which results can be ranked. */
export interface Asked {
  relevant: RelevantTopics
  decision: Decision
}

/**
 * The online half of Shou et al. 2014 for one person, from a query to what may be shown: mapping, seed profile,
 * generalisation and session. For a server that lives long: the cost layer is made again only when the profile or the
 * sensitive topics have changed.
 */
export class PersonalSearch {
  readonly store: PersonalStore
  readonly searcher: TopicSearcher
  readonly #stamp: string
  readonly #topics = new Map<string, number>()
  #costs: CostLayer | undefined
  #sensitive: SensitiveTopics | undefined

  constructor(store: PersonalStore, searcher: TopicSearcher) {
    this.store = store
    this.searcher = searcher
    this.#stamp = taxonomyStamp(searcher.taxonomy)
  }

  /** The cost layer of the profile as it is now. */
  costs(): CostLayer {
    const profile = this.store.interests.profile()
    const { sensitive } = this.store
    if (this.#costs?.profile !== profile || this.#sensitive !== sensitive) {
      this.#costs = costLayer(profile, sensitive)
      this.#sensitive = sensitive
    }
    return this.#costs
  }

  /** Decides, and changes nothing: for a preview. */
  ask(query: string, options: AskOptions): Asked {
    const { engine, session, sessionDelta, ...limits } = options
    const costs = this.costs()
    const relevant = mapQuery(this.searcher, query)
    const shown = this.#marksOf(costs, this.store.history.seen(engine, session))
    return {
      relevant,
      decision: exposeProfile(costs, relevant, { ...limits, session: { shown, delta: sessionDelta } }),
    }
  }

  /** As `markShown`, for paths of exposures, which name what is above them too; a path is looked up once. */
  #marksOf({ profile }: CostLayer, paths: Iterable<string>): Uint8Array {
    const marks = new Uint8Array(profile.size)
    for (const path of paths) {
      const topic = this.#topics.get(path) ?? profile.taxonomy.find(path)
      this.#topics.set(path, topic)
      const node = nodeOf(profile, topic)
      if (node >= 0) marks[node] = 1
    }
    return marks
  }

  /** Writes down that the engine is shown what was decided. Call it before anything is sent; save the store then too. */
  record({ relevant, decision }: Asked, options: AskOptions & { time: number }): void {
    if (decision.outcome !== "exposed") return
    const { engine, session, sessionDelta, delta, time } = options
    const costs = this.costs()
    const { profile } = costs
    const supportOf = (topic: number) => profile.support[nodeOf(profile, topic)] ?? 0
    this.store.history.add(
      {
        time,
        engine,
        session,
        delta,
        sessionDelta,
        relevant: Array.from(relevant.topic, (topic, i) => {
          const probability = Number(relevant.probability[i].toPrecision(6)) // enough to replay, and short
          return { path: profile.taxonomy.path(topic), probability, support: supportOf(topic) }
        }),
        exposed: decision.exposure.paths,
      },
      copyLayer(costs, this.#stamp),
    )
  }
}
