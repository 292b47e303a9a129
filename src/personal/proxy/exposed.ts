import type { CostLayer } from "../cost-layer.ts"
import { markShown, type Outcome } from "../expose-profile.ts"
import type { Asked, AskOptions, PersonalSearch } from "../personal-search.ts"
import { riskOfShown } from "../risk.ts"
import { type SeedProfile, seedProfile } from "../seed-profile.ts"
import { nodeOf, pathOf } from "../topic-tree.ts"
import type { Exposed, SeedTopic } from "./answers.ts"

const percent = (share: number) => `${(100 * share).toPrecision(2)} %`

const reasons: Record<Exclude<Outcome, "exposed">, (facts: { floor: number; delta: number }) => string> = {
  "no-topic": () => "Your profile has nothing about this yet.",
  "distinct-query": () => "The query says clearly enough what it is about; a profile would add nothing.",
  "over-delta": ({ floor, delta }) =>
    `Even the root of your profile would put ${percent(floor)} at risk, more than δ = ${delta}.`,
  "over-session-delta": () => "The engine has seen as much of your profile today as it may.",
  "no-gain": () => "What may be shown within δ would say less than the query says by itself.",
}

/** risk of the root alone: below it nothing can be shown. */
export const floorOf = ({ cost, total }: CostLayer): number => (total === 0 ? 0 : cost[0] / total)

/** A decision in words and numbers for the page: what is shown, what it costs, what is held back. */
export function describeExposed(
  search: PersonalSearch,
  asked: Asked,
  options: AskOptions & { query: string },
): Exposed {
  const { query, engine, session, delta, sessionDelta } = options
  const { decision, relevant } = asked
  const { outcome, powerWithoutProfile, metrics } = decision
  const costs = search.costs()
  const { taxonomy } = costs.profile
  const isShown = outcome === "exposed"
  const seen = search.store.history.seen(engine, session)
  const union = markShown(costs, { paths: [...seen, ...decision.exposure.paths] })
  const seed = decision.seed ?? seedProfile(costs.profile, relevant)
  const own = decision.sensitiveInQuery.map((topic) => taxonomy.name(topic))
  return {
    query,
    exposure: decision.exposure.paths.filter((path) => path !== ""),
    decision: isShown ? "exposed" : "nothing",
    ...(outcome !== "exposed" && { reason: reasons[outcome]({ floor: floorOf(costs), delta }) }),
    ...(own.length > 0 && {
      warning: `The query itself is about what you marked sensitive (${own.join(", ")}). Whoever gets it reads that.`,
    }),
    risk: isShown ? (metrics?.risk ?? 0) : 0,
    sessionRisk: riskOfShown(costs, union),
    delta,
    sessionDelta,
    dp: isShown ? (metrics?.DP ?? 0) : powerWithoutProfile,
    dpWithout: powerWithoutProfile,
    utility: isShown ? (decision.util ?? 0) : 0,
    seed: seed === undefined ? [] : describeSeed(seed, { costs, shown: new Set(decision.exposure.paths), relevant }),
  }
}

function describeSeed(
  seed: SeedProfile,
  facts: { costs: CostLayer; shown: ReadonlySet<string>; relevant: Asked["relevant"] },
): SeedTopic[] {
  const { costs, shown, relevant } = facts
  const { taxonomy } = seed
  const sensitivity = new Map(Array.from(costs.sensitive, (node) => [node, costs.cost[node]]))
  const inQuery = new Set(relevant.topic)
  return Array.from(seed.topic, (topic, node) => {
    const path = pathOf(seed, node)
    return {
      path,
      name: taxonomy.name(topic).replaceAll("_", " "),
      parent: seed.parent[node],
      share: seed.preference[node],
      exposed: shown.has(path),
      sensitive: sensitivity.get(nodeOf(costs.profile, topic)) ?? 0,
      relevant: inQuery.has(topic),
    }
  })
}
