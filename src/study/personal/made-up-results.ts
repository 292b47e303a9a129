import { type RandomSource, seededRandom } from "../../kernels/random.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import type { SeedProfile } from "../../personal/seed-profile.ts"
import type { Results } from "./judge.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

/** A made-up result of a search: what it says, and what it is about. */
interface MadeUpResult {
  text: string
  topic: number
}

/** Results for each topic of T(q), and the words of each. */
const perTopic = 8
const wordsPerResult = 12
/** Of the words of a result, so many are about another topic of the query. */
const strayWords = 0.35

/**
 * What an engine that knows nobody answers: for each topic that the query may mean some results, whose words are drawn from
 * the texts around the topic and now and then from another's. Results about likelier topics tend to come first: their order is by
 * ln Pr(t | q) plus Gumbel noise, so that the first is about t with probability Pr(t | q) if all have as many.
 */
function makeResults(world: World, relevant: RelevantTopics, random: RandomSource): MadeUpResult[] {
  const texts = Array.from(relevant.topic, (topic) => wordsAround(world, topic))
  const results = [...relevant.topic].flatMap((topic, i) => {
    return Array.from({ length: perTopic }, () => {
      const noise = -Math.log(-Math.log((random.uint32() + 0.5) / 2 ** 32))
      const text = Array.from({ length: wordsPerResult }, () => {
        const isStray = random.uint32() / 2 ** 32 < strayWords
        const words = texts[isStray ? random.below(texts.length) : i] ?? []
        return words[random.below(Math.max(1, words.length))] ?? ""
      }).join(" ")
      return { topic, text, score: Math.log(relevant.probability[i] ?? 0) + noise }
    })
  })
  return results.sort((a, b) => b.score - a.score)
}

/** Words of a topic's text, of some below it and of the topic above. */
function wordsAround({ taxonomy }: World, topic: number): string[] {
  const last = Math.min(taxonomy.end[topic] ?? topic + 1, topic + 6)
  const nodes = [taxonomy.parent[topic] ?? 0, topic, topic]
  for (let node = topic + 1; node < last; node++) nodes.push(node)
  return nodes.flatMap((node) => taxonomy.text(node).match(/[\p{L}']{3,}/gu) ?? [])
}

/**
 * The made-up results of one search. What the person means is known: with 4 chances in 5 a topic of theirs by their preference,
 * else any by Pr(t | q). Relevant are the results about it.
 */
export function madeUpResults(world: World, { seed, query }: Situation, number: number): Results {
  const random = seededRandom(50_000 + number)
  const meant = drawMeant(seed, query.relevant, random)
  const results = makeResults(world, query.relevant, random)
  return { texts: results.map(({ text }) => text), isRelevant: (item) => results[item]?.topic === meant }
}

function drawMeant(seed: SeedProfile, relevant: RelevantTopics, random: RandomSource): number {
  const isOwn = random.below(5) < 4
  let left = random.uint32() / 2 ** 32
  const topics = isOwn ? seed.topic : relevant.topic
  for (const [i, topic] of topics.entries()) {
    const isLeaf = !isOwn || seed.end[i] === i + 1
    if (isLeaf) left -= (isOwn ? seed.preference[i] : relevant.probability[i]) ?? 0
    if (isLeaf && left < 0) return topic
  }
  return topics.at(-1) ?? 0
}
