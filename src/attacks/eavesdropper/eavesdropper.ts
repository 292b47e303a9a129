import type { RandomSource } from "../../kernels/random.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import { type Finding, nameFindings, type Score } from "../../probes/score.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { drawTopic, topicLottery } from "./topic-lottery.ts"

/** The person whom the eavesdropper attacks. */
export interface Victim {
  taxonomy: Taxonomy
  /** The sensitive topics in the profile, none below another, with their sensitivities. */
  sensitive: readonly (readonly [topic: number, sensitivity: number])[]
}

/** What the eavesdropper sees with one query. */
export interface Overheard {
  /** The shown topics, a rooted subtree; empty if none were shown. */
  shown: readonly number[]
  /** T(q) with Pr(t | q). The query is overheard too, and anyone can look up its topics. */
  relevant: readonly (readonly [topic: number, probability: number])[]
}

/** The confidence with which each sensitive topic is recovered, in the victim's order. */
export type Confidence = Float64Array

/**
 * The eavesdropper of Shou et al. 2014, §3.3, who sees exposures and knows the public taxonomy, but not the profile.
 * They recover pruned topics by walking down from the topics they see. A sensitive topic s is confirmed with Pr(s | a)
 * = sup(s) / sup(a), where a is the deepest shown topic at or above s. The score is Σ sen(s) · Pr(s | a) / Σ sen(s).
 * The baseline is the same from the root, before any exposure.
 *
 * This is at least the paper's risk. Eq. 14 takes the larger of a topic's cost and its children's risks; this attack
 * also adds what is hidden next to the visible children.
 *
 * `query`: the eavesdropper also uses the query. A shown leaf a that is not itself in T(q) remained when topics of T(q)
 * below it were pruned, and the seed profile has a only if the profile has at least one of them. The mass of a is then
 * shared only by the topics of T(q) below a, by Pr(t | q), not by everything below a.
 *
 * `session`: the eavesdropper joins all exposures, which the paper leaves to future work. If several queries say
 * something about a topic, the highest confidence counts.
 */
export function eavesdrop(
  { taxonomy, sensitive }: Victim,
  overheard: readonly Overheard[],
  options: { games: number; random: RandomSource },
): Score[] {
  const total = sensitive.reduce((sum, [, sensitivity]) => sum + sensitivity, 0)
  const gain = (confidence: Confidence) => {
    const recovered = sensitive.reduce((sum, [, sensitivity], i) => sum + sensitivity * confidence[i], 0)
    return total === 0 ? 0 : recovered / total
  }
  const topics = sensitive.map(([topic]) => topic)
  const single = overheard.map(({ shown }) => walkDown(taxonomy, topics, new Set(shown)))
  const withQuery = overheard.map((one, i) => surest([single[i], useQuery(taxonomy, topics, one)]))
  const union = new Set(overheard.flatMap(({ shown }) => shown))
  const joined = walkDown(taxonomy, topics, union)
  const baseline = gain(walkDown(taxonomy, topics, new Set()))
  const mean = (values: readonly Confidence[]) =>
    values.length === 0 ? baseline : values.reduce((sum, value) => sum + gain(value), 0) / values.length
  const score = (score: string, value: number): Finding => {
    return { score, value, n: overheard.length, baseline, better: "lower" }
  }
  return nameFindings({ name: "eavesdropper" }, [
    score("recovered", mean(single)),
    score("recovered-query", mean(withQuery)),
    score("recovered-session", gain(joined)),
    score("recovered-session-query", gain(surest([joined, ...withQuery]))),
    playGames({ taxonomy, sensitive }, union, options),
  ])
}

/** Pr(s | a) of each topic s, where a is the deepest shown topic at or above s, or the root. */
export function walkDown(
  { parent, support }: Taxonomy,
  topics: readonly number[],
  shown: ReadonlySet<number>,
): Confidence {
  return Float64Array.from(topics, (topic) => {
    let above = topic
    while (above > 0 && !shown.has(above)) above = parent[above]
    return support[above] === 0 ? 1 : support[topic] / support[above]
  })
}

function useQuery({ end, support }: Taxonomy, topics: readonly number[], { shown, relevant }: Overheard): Confidence {
  const isBelow = (topic: number, above: number) => topic >= above && topic < end[above]
  const confidence = new Float64Array(topics.length)
  for (const leaf of shown) {
    if (shown.some((other) => other !== leaf && isBelow(other, leaf))) continue
    const below = relevant.filter(([topic]) => isBelow(topic, leaf))
    const mass = below.reduce((sum, [, probability]) => sum + probability, 0)
    topics.forEach((sensitive, i) => {
      let sure = 0
      for (const [topic, probability] of below) {
        if (isBelow(topic, sensitive)) sure += probability / mass
        else if (isBelow(sensitive, topic)) sure += (probability / mass) * (support[sensitive] / support[topic])
      }
      confidence[i] = Math.max(confidence[i], sure)
    })
  }
  return confidence
}

function surest(values: readonly Confidence[]): Confidence {
  return values[0].map((_, i) => values.reduce((most, value) => Math.max(most, value[i]), 0))
}

/**
 * A guessing game, played many times. From each leaf they saw, the eavesdropper draws one topic by public support. They
 * win if one of the drawn topics is sensitive to the victim. The baseline draws equally often from the root.
 */
function playGames(
  { taxonomy, sensitive }: Victim,
  union: ReadonlySet<number>,
  { games, random }: { games: number; random: RandomSource },
): Finding {
  const { end } = taxonomy
  const shown = [...union].sort((a, b) => a - b)
  const leaves = shown.filter((topic, i) => i + 1 === shown.length || shown[i + 1] >= end[topic])
  const lottery = topicLottery(taxonomy)
  const isHit = (topic: number) => sensitive.some(([above]) => topic >= above && topic < end[above])
  const play = (from: readonly number[]) => {
    let won = 0
    for (let game = 0; game < games; game++) if (from.some((leaf) => isHit(drawTopic(lottery, leaf, random)))) won++
    return won
  }
  const won = play(leaves)
  return {
    score: "guessed",
    value: games === 0 ? 0 : won / games,
    interval: wilsonInterval(won, games),
    n: games,
    baseline: games === 0 ? 0 : play(leaves.map(() => 0)) / games,
    better: "lower",
  }
}
