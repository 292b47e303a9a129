import { type RandomSource, seededRandom } from "../../kernels/random.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import type { SeedProfile } from "../../personal/seed-profile.ts"
import type { Results } from "./judge.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

/** A synthetic search result: its text and its topic. */
interface SyntheticResult {
  text: string
  topic: number
}

/** The number of results for each topic of T(q), and the number of words in each. */
const perTopic = 8
const wordsPerResult = 12
/** The share of a result's words that are drawn from any topic of the query. */
const strayWords = 0.35

/**
 * The answer of an engine that does not know the user. Each topic that the query may mean gets some results. Their
 * words are drawn from the texts around the topic, and sometimes from any topic of the query. Results about likelier
 * topics tend to come first: the order is by ln Pr(t | q) plus Gumbel noise. Since all topics have equally many
 * results, the first is about t with probability Pr(t | q).
 */
function makeResults(world: World, relevant: RelevantTopics, random: RandomSource): SyntheticResult[] {
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

/** The words in the text of a topic, of its parent, and of some topics below it. */
function wordsAround({ taxonomy }: World, topic: number): string[] {
  const last = Math.min(taxonomy.end[topic] ?? topic + 1, topic + 6)
  const nodes = [taxonomy.parent[topic] ?? 0, topic, topic]
  for (let node = topic + 1; node < last; node++) nodes.push(node)
  return nodes.flatMap((node) => taxonomy.text(node).match(/[\p{L}']{3,}/gu) ?? [])
}

/**
 * The synthetic results of one search. The topic that the person means is known. With probability 4/5 it is one of
 * their own topics, drawn by preference; otherwise any topic, drawn by Pr(t | q). Relevant are the results about that
 * topic.
 */
export function syntheticResults(world: World, { seed, query }: Situation, number: number): Results {
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
