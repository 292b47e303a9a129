import { type RandomSource, seededRandom } from "../../kernels/random.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import { type AskedQuery, type Person, personOf } from "./person.ts"
import { queryClasses, type World } from "./world.ts"

/**
 * A synthetic person, after the synthetic profiles of §7.1. Their interests come from queries of the log, drawn evenly
 * from the classes. For each query they have read three to eight documents. About two thirds are about the topic that
 * the person means, the others about any topic that the query may mean.
 */
export function makePerson(world: World, number: number, options: { asked: number }): Person {
  const { queries } = world
  const random = seededRandom(1000 + number)
  const chosen: AskedQuery[] = []
  for (let i = 0; i < options.asked; i++) {
    const wanted = queryClasses[i % queryClasses.length]
    const candidates = queries.filter((query) => query.class === wanted)
    const query = (candidates.length > 0 ? candidates : queries)[random.below(Math.max(1, candidates.length))]
    if (query !== undefined) chosen.push({ ...query, clicked: new Set() })
  }
  const supports = new Map<number, number>()
  for (const { relevant } of chosen) {
    const meant = drawRelevant(relevant, random)
    for (let document = 3 + random.below(6); document > 0; document--) {
      const topic = random.below(3) < 2 ? meant : drawRelevant(relevant, random)
      supports.set(topic, (supports.get(topic) ?? 0) + 1)
    }
  }
  return personOf(world, { number, user: -1, queries: chosen, supports }, random)
}

/** Draws a topic of T(q) with probability Pr(t | q). */
function drawRelevant({ topic, probability }: RelevantTopics, random: RandomSource): number {
  let left = random.uint32() / 2 ** 32
  for (const [i, id] of topic.entries()) {
    left -= probability[i] ?? 0
    if (left < 0) return id
  }
  return topic.at(-1) ?? 0
}
