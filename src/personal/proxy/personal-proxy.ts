import { createContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import type { EngineResult, SearchEngine } from "../engines/engine.ts"
import { openGlossIndex } from "../engines/gloss-cache.ts"
import type { EngineAddress } from "../engines/parse-engine.ts"
import type { Exposure } from "../exposure.ts"
import { topicFinder } from "../find-topics.ts"
import { readUploadedHistory } from "../import/read-history.ts"
import { dayOf } from "../interests.ts"
import { type Learned, learnDocuments } from "../learn.ts"
import { type Asked, type AskOptions, PersonalSearch, type SensitiveQueryMode } from "../personal-search.ts"
import { forgetDay, forgetTopic, markNever, markSensitive, type PersonalStore } from "../personal-store.ts"
import { type Proposal, proposeSensitive } from "../propose-sensitive.ts"
import { rerank } from "../rank.ts"
import { nodeOf } from "../topic-tree.ts"
import type { Exposed, Held, SearchAnswer } from "./answers.ts"
import { type Choices, readChoices } from "./choices.ts"
import { EngineList } from "./engine-list.ts"
import { describeExposed } from "./exposed.ts"
import { Learning } from "./learning.ts"
import { rankResults } from "./rank-results.ts"

/** Holds a person's store, and saves it on request. */
export interface StoreKeeper {
  readonly store: PersonalStore
  /** Resolves when the store is on disk. */
  save(): Promise<void>
}

/** The parts of a proxy. */
export interface ProxyOptions {
  /** Keeps the store: a `ProfileFile`. */
  file: StoreKeeper
  searcher: TopicSearcher
  /** The first is asked unless the person chose another. Engines added on the page come after these. */
  engines: readonly SearchEngine[]
  /** Timeout in milliseconds of engines added on the page (default 8000). */
  timeout?: number
  /** Folder that keeps the index for finding topics, so that it is built only once. */
  folder?: string | undefined
  /** The current time in milliseconds. */
  now?: () => number
  /** Maximum number of results of a search. */
  count?: number
}

/** The query that tests whether an engine answers. */
const trialQuery = "weather"

/** Options of one search. */
export interface FindOptions {
  engine?: string
  delta?: number
  /** The person's answer when the query was held. */
  choice?: Exclude<SensitiveQueryMode, "ask">
}

/**
 * The person's side of Shou et al. 2014, Fig. 1: decides what is sent with a query, records it, asks the engine and
 * ranks the results. A session is one engine (by its observer) and one day, UTC.
 *
 * Guarantee: an exposure is in the file and flushed to disk before a byte of it is sent. Engines that do not accept
 * exposures get the query and nothing else. Everything that one observer is ever shown has a risk of at most the
 * lifetime bound when it is shown (`exposeProfile`). Topics marked never show are in no exposure.
 */
export class PersonalProxy {
  readonly search: PersonalSearch
  readonly learning: Learning
  readonly #engines: EngineList
  readonly #folder: string | undefined
  #finder: Promise<ReturnType<typeof topicFinder>> | undefined
  readonly #file: ProxyOptions["file"]
  readonly #now: () => number
  readonly #count: number
  #isDue = false
  #background = Promise.resolve()
  #unsaved: QueryveilError | undefined

  constructor({ file, searcher, engines, timeout, folder, now = Date.now, count = 50 }: ProxyOptions) {
    const { settings } = file.store
    this.search = new PersonalSearch(file.store, searcher)
    this.learning = new Learning(file.store.interests, searcher)
    this.#engines = new EngineList(engines, { settings, ...(timeout !== undefined && { timeout }) })
    this.#folder = folder
    this.#file = file
    this.#now = now
    this.#count = count
  }

  get store(): PersonalStore {
    return this.#file.store
  }

  /** The initial engines, then those that the person added. */
  get engines(): readonly SearchEngine[] {
    return this.#engines.all
  }

  /** True if the person added the engine on the page and can remove it there. */
  isAdded(engine: string): boolean {
    return this.#engines.isAdded(engine)
  }

  /** Resolves when the store is on disk. */
  async save(): Promise<void> {
    try {
      await this.#file.save()
      this.#unsaved = undefined
    } catch (error) {
      if (error instanceof QueryveilError) this.#unsaved = error
      throw error
    }
  }

  /** Why the last save failed, so that memory differs from the file; undefined if it succeeded. */
  get unsaved(): QueryveilError | undefined {
    return this.#unsaved
  }

  /** The person's choices. Missing or invalid ones are replaced by the defaults. */
  choices(): Choices {
    const { engine } = this.store.settings
    const isThere = this.engines.some(({ name }) => name === engine)
    return { ...readChoices(this.store.settings), engine: isThere ? String(engine) : this.engines[0].name }
  }

  /** Sets new choices and saves them. */
  choose(choices: Partial<Choices>): Promise<void> {
    if (choices.engine !== undefined) this.#engine(choices.engine)
    this.store.settings = { ...this.store.settings, ...choices }
    return this.save()
  }

  /** Adds an engine with the checks of the command line, and saves it. Returns its name. Nothing is sent to it. */
  async addEngine(address: EngineAddress): Promise<string> {
    const name = this.#engines.add(address)
    await this.#keepEngines()
    return name
  }

  /** Removes an engine that was added on the page. What it was shown still counts if it is added again. */
  async removeEngine(name: string): Promise<void> {
    this.#engines.remove(name)
    await this.#keepEngines()
  }

  #keepEngines(): Promise<void> {
    this.store.settings = { ...this.store.settings, engines: this.#engines.kept }
    return this.save()
  }

  /**
   * Sends an engine a fixed word and nothing of the person. Returns the word, and the number of results or the problem.
   */
  async tryEngine(
    name: string,
    { signal }: { signal: AbortSignal },
  ): Promise<{ query: string; results: number; problem?: { code: string; message: string } }> {
    const { results, problem } = await this.#send(this.#engine(name), { query: trialQuery, signal })
    return { query: trialQuery, results: results.length, ...(problem !== undefined && { problem }) }
  }

  /**
   * Learns from a history that a browser uploaded: all of it, or nothing if cancelled. Because there are new topics,
   * sensitive topics are proposed again.
   */
  async importHistory(bytes: Buffer, { signal }: { signal: AbortSignal }): Promise<Learned> {
    const documents = await readUploadedHistory(bytes)
    const context = createContext({ signal })
    const learned = await learnDocuments(this.store.interests, documents, { searcher: this.search.searcher, context })
    const { proposed: _, ...settings } = this.store.settings
    this.store.settings = settings
    await this.save()
    return learned
  }

  /** Topics of the whole taxonomy by words of their names and texts, best first. */
  async findTopics(text: string, { count }: { count: number }): Promise<number[]> {
    const { taxonomy } = this.store.interests
    this.#finder ??= openGlossIndex(taxonomy, { folder: this.#folder }).then((index) => topicFinder(taxonomy, index))
    const find = await this.#finder
    const profile = this.store.interests.profile()
    return find(text, { count, supportOf: (topic) => profile.support[nodeOf(profile, topic)] ?? 0 })
  }

  /** What would be shown. Nothing is sent and nothing is recorded. */
  preview(query: string, { engine, ...given }: FindOptions = {}): Exposed {
    const options = this.#options(this.#engine(engine), given)
    return describeExposed(this.search, this.search.ask(query, options), { ...options, query })
  }

  /** Decides what is shown, asks the engine and ranks its results; or holds the query until the person decides. */
  async find(query: string, given: FindOptions & { signal: AbortSignal }): Promise<SearchAnswer> {
    const begun = performance.now()
    const { signal, choice } = given
    const engine = this.#engine(given.engine)
    const options = this.#options(engine, given)
    const time = Math.floor(this.#now() / 1000)
    const asked = this.search.ask(query, options)
    const exposed = describeExposed(this.search, asked, { ...options, query })
    const held = choice === undefined ? this.#whyHeld(asked) : undefined
    if (held !== undefined) {
      const milliseconds = { engine: 0, proxy: performance.now() - begun }
      return {
        ...exposed,
        engine: engine.name,
        sent: false,
        held,
        learned: null,
        milliseconds,
        results: [],
        original: [],
      }
    }
    const order = this.#homeOrder(asked)
    const isShown = engine.acceptsExposure && asked.decision.outcome === "exposed"
    const tellsMore = this.search.noteQuery(asked, options)
    if (isShown) this.search.record(asked, { ...options, time })
    const learned = this.choices().learning
      ? this.learning.learnSearch(query, { relevant: asked.relevant, time })
      : undefined
    const isAsDecided = this.#watch()
    if (isShown || (tellsMore && options.queryDelta < 1)) await this.save()
    else if (tellsMore || learned !== undefined) this.#saveSoon()
    const sent = isShown && isAsDecided()
    const askedAt = performance.now()
    const { exposure } = asked.decision
    const { results, problem } = await this.#send(engine, { query, signal, ...(sent && { exposure }) })
    const answeredAt = performance.now()
    const isRanked = engine.acceptsExposure && !this.choices().rerank
    const { searcher } = this.search
    const ranked = rankResults(results, { searcher, asked, order: isRanked ? undefined : order })
    const [before, waited] = [askedAt - begun, answeredAt - askedAt]
    return {
      ...exposed,
      ...ranked,
      engine: engine.name,
      sent,
      learned: learned ?? null,
      milliseconds: { engine: waited, proxy: before + performance.now() - answeredAt },
      ...(problem !== undefined && { problem }),
    }
  }

  /** Why the query is held until the person decides; undefined if it may be sent. */
  #whyHeld({ decision, isOverQueryDelta }: Asked): Held | undefined {
    const { sensitiveQueries } = this.choices()
    if (isOverQueryDelta) return { why: "query-delta", choices: ["without-profile"] }
    if (sensitiveQueries !== "ask" || decision.sensitiveInQuery.length === 0) return undefined
    return { why: "sensitive", choices: ["without-profile", "send"] }
  }

  /** Learns from a clicked result. Returns the path, or null if nothing was learned. */
  async click(clicked: Parameters<Learning["learnClick"]>[0]): Promise<string | null> {
    if (!this.choices().learning) return null
    const learned = this.learning.learnClick(clicked, Math.floor(this.#now() / 1000))
    if (learned !== undefined) await this.save()
    return learned ?? null
  }

  /** Undoes what was learned last. Returns its path, or null if there is none. */
  async undo(): Promise<string | null> {
    const forgotten = this.learning.undo()
    if (forgotten !== undefined) await this.save()
    return forgotten ?? null
  }

  /** Marks a topic as sensitive. 0 removes the mark. */
  async mark(path: string, sensitivity: number): Promise<void> {
    markSensitive(this.store, this.#topic(path), sensitivity)
    await this.save()
  }

  /** Marks a topic and all below it as never shown, or removes that mark. */
  async markNever(path: string, isNever: boolean): Promise<void> {
    if (!markNever(this.store, this.#topic(path), isNever))
      throw new QueryveilError(
        "topics-broken",
        "A topic above this one is marked “Never show”. Remove that mark first.",
      )
    await this.save()
  }

  /** Topics of the profile that may be sensitive, by name. Empty once the person has answered. */
  proposals(): Proposal[] {
    return this.store.settings.proposed === true ? [] : proposeSensitive(this.store)
  }

  /** Marks the proposals that the person chose, and proposes nothing more. */
  async answerProposals(paths: readonly string[]): Promise<void> {
    const topics = paths.map((path) => this.#topic(path))
    for (const topic of topics) markSensitive(this.store, topic, 1)
    this.store.settings = { ...this.store.settings, proposed: true }
    await this.save()
  }

  /** Risk of everything an engine was ever shown, without and with what queries revealed. null: no risk is counted. */
  lifetimeOf({ observer }: SearchEngine): { lifetimeRisk: number | null; queryRisk: number | null } {
    return this.search.lifetimeRisks(observer)
  }

  /** Forgets a topic or a day in interests and history. Returns how much was removed. */
  async forget(what: { path: string } | { day: string }): Promise<{ documents: number; exposures: number }> {
    const gone =
      "path" in what
        ? forgetTopic(this.store, this.#topic(what.path))
        : forgetDay(this.store, dayOf(Date.parse(`${what.day}T00:00:00Z`) / 1000))
    this.learning.forgetSteps()
    await this.save()
    return gone
  }

  #topic(path: string): number {
    const topic = this.store.interests.taxonomy.find(path)
    if (topic > 0) return topic
    throw new QueryveilError("unknown-name", "The taxonomy has no topic with this path.")
  }

  #engine(name = this.choices().engine): SearchEngine {
    const engine = this.engines.find((candidate) => candidate.name === name)
    if (engine === undefined) throw new QueryveilError("unknown-name", "There is no engine with this name.")
    return engine
  }

  #options({ observer }: SearchEngine, { delta, choice }: FindOptions) {
    const { engine: _, learning: __, rerank: ___, welcomed: ____, ...choices } = this.choices()
    const session = new Date(this.#now()).toISOString().slice(0, 10)
    return {
      ...choices,
      engine: observer,
      session,
      delta: delta ?? choices.delta,
      sensitiveQueries: choice ?? choices.sensitiveQueries,
    } satisfies AskOptions
  }

  /**
   * Returns a check that nothing was marked or deleted since. If something was, the earlier decision is no longer sent.
   */
  #watch(): () => boolean {
    const { sensitive, never, history } = this.store
    const { records } = history // a new list after a deletion
    return () => this.store.sensitive === sensitive && this.store.never === never && history.records === records
  }

  /**
   * The local order of results: by everything the profile has of the query, with supports. It shows nothing to the
   * engine.
   */
  #homeOrder({ relevant }: Asked): (texts: readonly string[]) => Uint32Array {
    const { searcher } = this.search
    const profile = this.store.interests.profile()
    const weights = Float64Array.from(relevant.topic, (topic) => profile.support[nodeOf(profile, topic)] ?? 0)
    const shown = [...relevant.topic].filter((_, i) => weights[i] > 0)
    return (texts) => rerank(texts, { searcher, relevant, shown, weights })
  }

  async #send(
    engine: SearchEngine,
    { query, ...given }: { query: string; signal: AbortSignal; exposure?: Exposure },
  ): Promise<{ results: EngineResult[]; problem?: { code: string; message: string } }> {
    try {
      return { results: await engine.search(query, { ...given, count: this.#count }) }
    } catch (error) {
      if (!(error instanceof QueryveilError)) throw error
      return { results: [], problem: { code: error.code, message: error.message } }
    }
  }

  /** Saves what was learned without making anyone wait. `unsaved` reports a failure. */
  #saveSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#background = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#isDue = false
      return this.save().catch(() => {})
    })
  }

  /** Saves everything. Call it when no more searches come. */
  async close(): Promise<void> {
    await this.#background
    await this.save()
  }
}
