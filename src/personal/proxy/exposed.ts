import type { CostLayer } from "../cost-layer.ts"
import { markShown, type Outcome } from "../expose-profile.ts"
import { isNever } from "../never-topics.ts"
import { type Asked, type AskOptions, type PersonalSearch, standardLifetimeDelta } from "../personal-search.ts"
import type { PersonalStore } from "../personal-store.ts"
import { shareInQuery } from "../relevant-topics.ts"
import { riskOfShown } from "../risk.ts"
import { type SeedProfile, seedProfile } from "../seed-profile.ts"
import { pathOf } from "../topic-tree.ts"
import type { AboutTopic, Exposed, SeedTopic } from "./answers.ts"

const percent = (share: number) => `${(100 * share).toPrecision(2)} %`

/** Replaces a risk while none is counted. */
export const noRisk = "no risk is counted: nothing in the profile is marked sensitive"

const reasons: Record<Exclude<Outcome, "exposed">, (facts: { floor: number; delta: number }) => string> = {
  "sensitive-query": () => "The query is about a topic that you marked, so nothing of your profile goes with it.",
  "no-topic": () => "Your profile has nothing about this that may be shown.",
  "distinct-query": () => "The query alone is clear enough. Your profile would add nothing.",
  "over-delta": ({ floor, delta }) =>
    `Showing even the root of your profile would put ${percent(floor)} at risk, more than your limit of ${delta}.`,
  "over-session-delta": () => "The engine has been shown as much of your profile today as your limit allows.",
  "over-lifetime-delta": () => "The engine has been shown as much of your profile as your limit for all time allows.",
  "over-query-delta": () =>
    "Your queries have already told the engine so much that no more of your profile may be shown.",
  "no-gain": () => "The part that your limit allows would help less than the query alone.",
}

/** Risk of the root alone. With a limit below it, nothing can be shown. null: no risk is counted. */
export const floorOf = ({ cost, total }: CostLayer): number | null => (total === 0 ? null : cost[0] / total)

/** A decision in words and numbers for the page: what is shown, what it costs, and what is held back. */
export function describeExposed(
  search: PersonalSearch,
  asked: Asked,
  options: AskOptions & { query: string },
): Exposed {
  const { query, engine, session, delta, sessionDelta } = options
  const { lifetimeDelta = standardLifetimeDelta, queryDelta = 1 } = options
  const { decision, relevant } = asked
  const { outcome, powerWithoutProfile, metrics } = decision
  const costs = search.costs()
  const isShown = outcome === "exposed"
  const seen = search.store.history.seen(engine, session)
  const union = markShown(costs, { paths: [...seen, ...decision.exposure.paths] })
  const counted = (costs: CostLayer, risk: number) => (costs.total === 0 ? null : risk)
  const life = search.lifetime(engine).costs
  const about = describeAbout(search, asked)
  // Includes topics that are never shown, for the person to see.
  const seed = seedProfile(search.store.interests.profile(), relevant)
  return {
    query,
    exposure: decision.exposure.paths.filter((path) => path !== ""),
    decision: isShown ? "exposed" : "nothing",
    ...(outcome !== "exposed" && { reason: reasons[outcome]({ floor: floorOf(costs) ?? 0, delta }) }),
    ...(about.length > 0 && {
      warning: [
        "The query itself is about topics that you marked sensitive or never show:",
        `${about.map(({ name }) => name).join(", ")}. The engine reads the query.`,
      ].join(" "),
    }),
    about,
    risk: counted(costs, isShown ? (metrics?.risk ?? 0) : 0),
    sessionRisk: counted(costs, riskOfShown(costs, union)),
    lifetimeRisk: counted(life, asked.lifetimeRisk),
    queryRisk: counted(life, asked.queryRisk),
    delta,
    sessionDelta,
    lifetimeDelta,
    queryDelta,
    dp: isShown ? (metrics?.DP ?? 0) : powerWithoutProfile,
    dpWithout: powerWithoutProfile,
    utility: isShown ? (decision.util ?? 0) : 0,
    seed: seed === undefined ? [] : describeSeed(seed, { store: search.store, asked }),
  }
}

function describeAbout({ searcher: { taxonomy } }: PersonalSearch, { relevant, decision }: Asked): AboutTopic[] {
  return decision.sensitiveInQuery.map((topic) => ({
    path: taxonomy.path(topic),
    name: taxonomy.name(topic).replaceAll("_", " "),
    share: shareInQuery(taxonomy, relevant, topic),
  }))
}

function describeSeed(seed: SeedProfile, { store, asked }: { store: PersonalStore; asked: Asked }): SeedTopic[] {
  const { taxonomy } = seed
  const { sensitive, never } = store
  const shown = new Set(asked.decision.exposure.paths)
  const sensitivity = new Map(Array.from(sensitive.topic, (topic, i) => [topic, sensitive.sensitivity[i]]))
  const inQuery = new Set(asked.relevant.topic)
  return Array.from(seed.topic, (topic, node) => {
    const path = pathOf(seed, node)
    return {
      path,
      name: taxonomy.name(topic).replaceAll("_", " "),
      parent: seed.parent[node],
      share: seed.preference[node],
      exposed: shown.has(path),
      sensitive: sensitivity.get(topic) ?? 0,
      never: isNever(taxonomy, never, topic),
      relevant: inQuery.has(topic),
    }
  })
}
