import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import { type CostLayer, costLayer } from "./cost-layer.ts"
import { type Decision, type ExposeOptions, exposeProfile } from "./expose-profile.ts"
import { copyLayer } from "./exposure-history.ts"
import { type LifetimeCosts, lifetimeCosts } from "./lifetime-costs.ts"
import { mapQuery } from "./map-query.ts"
import { profileWithout } from "./never-topics.ts"
import type { PersonalStore } from "./personal-store.ts"
import type { Profile } from "./profile.ts"
import { type RelevantTopics, shareInQuery } from "./relevant-topics.ts"
import { riskOfShown } from "./risk.ts"
import { taxonomyStamp } from "./taxonomy-stamp.ts"
import { nodeOf } from "./topic-tree.ts"

/** What happens to a query that is itself about a topic marked sensitive or never show. */
export const sensitiveQueryModes = ["ask", "without-profile", "send"] as const
/**
 * One of `sensitiveQueryModes`:
 * - `ask`: nothing is sent until the person decides;
 * - `without-profile`: the query is sent with nothing of the profile;
 * - `send`: the query is sent like any other.
 */
export type SensitiveQueryMode = (typeof sensitiveQueryModes)[number]

/** Maximum risk of everything that one engine is ever shown, unless the person sets another bound. */
export const standardLifetimeDelta = 0.3

/** The engine and session of a query, and its risk limits. */
export interface AskOptions extends Pick<ExposeOptions, "delta" | "algorithm" | "mu" | "decision" | "denominator"> {
  /** The observer who will see the exposure. */
  engine: string
  /** Within a session, the risk of everything the engine sees together is kept under `sessionDelta`. */
  session: string
  sessionDelta: number
  /** Maximum risk of everything the engine was ever shown. Default 0.3; 1 means no bound. */
  lifetimeDelta?: number
  /** Maximum risk of everything shown together with what the queries revealed. Default 1: no bound. */
  queryDelta?: number
  /**
   * Default `ask`: nothing of the profile is sent with a query about a marked topic, and the caller asks the person.
   */
  sensitiveQueries?: SensitiveQueryMode
}

/** What may be shown with a query, and the query's topics, by which results can be ranked. */
export interface Asked {
  relevant: RelevantTopics
  decision: Decision
  /** What the query itself reveals: its share of each sensitive topic that counts. */
  told: readonly (readonly [path: string, share: number])[]
  /**
   * Risk of everything the engine was ever shown, including this exposure. `queryRisk` also counts what queries
   * revealed.
   */
  lifetimeRisk: number
  queryRisk: number
  /** True if the query by itself exceeds `queryDelta`. Send it only if the person agrees. */
  isOverQueryDelta: boolean
}

/**
 * The online half of Shou et al. 2014 for one person, from a query to what may be shown: mapping, seed profile,
 * generalisation and session. It suits a long-running server: the cost layer is computed again only if the profile or
 * the marked topics have changed.
 */
export class PersonalSearch {
  readonly store: PersonalStore
  readonly searcher: TopicSearcher
  readonly #stamp: string
  readonly #topics = new Map<string, number>()
  readonly #lifetimes = new Map<string, { shown: number; lost: number; lifetime: LifetimeCosts }>()
  #made: (Pick<PersonalStore, "sensitive" | "never"> & { profile: Profile; costs: CostLayer }) | undefined

  constructor(store: PersonalStore, searcher: TopicSearcher) {
    this.store = store
    this.searcher = searcher
    this.#stamp = taxonomyStamp(searcher.taxonomy)
  }

  /** The cost layer of the current profile, without the topics that are never shown. */
  costs(): CostLayer {
    const { sensitive, never, interests } = this.store
    const profile = interests.profile()
    const made = this.#made
    if (made?.profile === profile && made.sensitive === sensitive && made.never === never) return made.costs
    const costs = costLayer(profileWithout(profile, never), sensitive)
    this.#made = { profile, sensitive, never, costs }
    this.#lifetimes.clear()
    return costs
  }

  /** The costs that measure the lifetime bound of an engine now. */
  lifetime(engine: string): LifetimeCosts {
    const costs = this.costs()
    const { accounts } = this.store.history
    const [shown, { lost }] = [accounts.shownTo(engine), accounts]
    // Comparing sizes is enough: both sets only grow, unless the marks change too, and then `costs` has cleared the
    // cache.
    const known = this.#lifetimes.get(engine)
    if (known?.shown === shown.size && known.lost === lost.size) return known.lifetime
    const lifetime = lifetimeCosts(costs, { shown, lost })
    this.#lifetimes.set(engine, { shown: shown.size, lost: lost.size, lifetime })
    return lifetime
  }

  /** Decides what to show and changes nothing, so it also serves as a preview. */
  ask(query: string, options: AskOptions): Asked {
    const { engine, session, sessionDelta, ...rest } = options
    const { lifetimeDelta = standardLifetimeDelta, queryDelta = 1, sensitiveQueries = "ask", ...limits } = rest
    const { never, history } = this.store
    const costs = this.costs()
    const { taxonomy } = costs.profile
    const life = this.lifetime(engine).costs
    const relevant = mapQuery(this.searcher, query)
    const told = Array.from(life.sensitive, (node): [string, number] => {
      const topic = life.profile.topic[node]
      return [taxonomy.path(topic), shareInQuery(taxonomy, relevant, topic)]
    }).filter(([, share]) => share > 0)
    const known = {
      shown: this.#marksOf(life, history.accounts.shownTo(engine)),
      told: this.#sharesOf(life, [...history.accounts.toldTo(engine), ...told]),
    }
    const decision = exposeProfile(costs, relevant, {
      ...limits,
      never,
      withholds: sensitiveQueries !== "send",
      session: { shown: this.#marksOf(costs, history.seen(engine, session)), delta: sessionDelta },
      lifetime: { costs: life, shown: known.shown, delta: lifetimeDelta },
      queries: { costs: life, ...known, delta: queryDelta },
    })
    const { paths } = decision.exposure
    const shown = this.#marksOf(life, [...history.accounts.shownTo(engine), ...paths])
    return {
      relevant,
      decision,
      told,
      lifetimeRisk: riskOfShown(life, shown),
      queryRisk: riskOfShown(life, shown, known),
      isOverQueryDelta: queryDelta < 1 && told.length > 0 && riskOfShown(life, known.shown, known) > queryDelta,
    }
  }

  /** Risk of everything an engine was ever shown, without and with what queries revealed. null: no risk is counted. */
  lifetimeRisks(engine: string): { lifetimeRisk: number | null; queryRisk: number | null } {
    const { costs } = this.lifetime(engine)
    if (costs.total === 0) return { lifetimeRisk: null, queryRisk: null }
    const { accounts } = this.store.history
    const shown = this.#marksOf(costs, accounts.shownTo(engine))
    const told = this.#sharesOf(costs, accounts.toldTo(engine))
    return { lifetimeRisk: riskOfShown(costs, shown), queryRisk: riskOfShown(costs, shown, { told }) }
  }

  /** Like `markShown`, for paths of exposures, which include their ancestors. Each path is looked up only once. */
  #marksOf({ profile }: CostLayer, paths: Iterable<string>): Uint8Array {
    const marks = new Uint8Array(profile.size)
    for (const path of paths) {
      const node = nodeOf(profile, this.#topicOf(path))
      if (node >= 0) marks[node] = 1
    }
    return marks
  }

  /** The largest share of each node. */
  #sharesOf({ profile }: CostLayer, shares: Iterable<readonly [path: string, share: number]>): Float64Array {
    const found = new Float64Array(profile.size)
    for (const [path, share] of shares) {
      const node = nodeOf(profile, this.#topicOf(path))
      if (node >= 0) found[node] = Math.max(found[node], share)
    }
    return found
  }

  #topicOf(path: string): number {
    const topic = this.#topics.get(path) ?? this.searcher.taxonomy.find(path)
    this.#topics.set(path, topic)
    return topic
  }

  /**
   * Records what the engine is shown and what the query reveals to it. Call this and save the store before anything is
   * sent.
   */
  record(asked: Asked, options: AskOptions & { time: number }): void {
    const { relevant, decision } = asked
    const { engine, session, sessionDelta, delta, time } = options
    const { lifetimeDelta = standardLifetimeDelta, queryDelta = 1 } = options
    const { history, never } = this.store
    this.noteQuery(asked, options)
    if (decision.outcome !== "exposed") return
    const costs = this.costs()
    const { profile } = costs
    const { gone, costs: life } = this.lifetime(engine)
    const supportOf = (topic: number) => profile.support[nodeOf(profile, topic)] ?? 0
    const counts = new Set(Array.from(life.sensitive, (node) => profile.taxonomy.path(life.profile.topic[node])))
    const told = [...history.accounts.toldTo(engine)].filter(([path]) => counts.has(path))
    history.add(
      {
        time,
        engine,
        session,
        delta,
        sessionDelta,
        lifetimeDelta,
        ...(queryDelta < 1 && { queryDelta, told }),
        relevant: Array.from(relevant.topic, (topic, i) => {
          const probability = Number(relevant.probability[i].toPrecision(6)) // enough to replay, and short
          return { path: profile.taxonomy.path(topic), probability, support: supportOf(topic) }
        }),
        exposed: decision.exposure.paths,
      },
      copyLayer(costs, {
        stamp: this.#stamp,
        gone,
        never: Array.from(never, (topic) => profile.taxonomy.path(topic)),
      }),
    )
  }

  /** Records what a query itself reveals to an engine. Returns true if it reveals more than earlier queries did. */
  noteQuery({ told }: Asked, { engine }: Pick<AskOptions, "engine">): boolean {
    return this.store.history.accounts.noteTold(engine, told)
  }
}
