import * as fc from "fast-check"
import { expect, test } from "vitest"
import { indexTopicText } from "#dist/taxonomy/classify/topic-text.js"
import { rememberWeights, senseWeigher } from "#dist/taxonomy/classify/weigh-senses.js"

const vocabulary = 6
/** For each topic except the root: how far up from the previous topic its parent is, and the words of its text. */
const topics = fc.array(
  fc.record({ up: fc.nat({ max: 3 }), words: fc.array(fc.nat({ max: vocabulary - 2 }), { maxLength: 5 }) }),
  { minLength: 1, maxLength: 60 },
)

/** A tree in preorder, and its index of texts. */
function plant(drawn: readonly { up: number; words: readonly number[] }[]) {
  const size = drawn.length + 1
  const parent = new Int32Array(size).fill(-1)
  const end = new Int32Array(size).fill(size)
  drawn.forEach(({ up }, i) => {
    parent[i + 1] = i
    for (let step = 0; step < up && parent[i + 1] > 0; step++) parent[i + 1] = parent[parent[i + 1]]
  })
  const isWithin = (node: number, root: number): boolean =>
    node >= root && (node === root || isWithin(parent[node], root))
  for (let node = 0; node < size; node++) while (!isWithin(end[node] - 1, node)) end[node]--
  const texts = [[], ...drawn.map(({ words }) => words)]
  const tree = { size, parent, end, text: (node: number) => texts[node].join(" ") }
  const wordsOf = (text: string) => (text === "" ? [] : text.split(" ").map(Number))
  return { ...tree, texts, text: indexTopicText(tree, { wordsOf, words: () => vocabulary }) }
}

/**
 * The formula, level by level: the share of the word in each subtree around the topic. The closest weighs a half, the
 * next a quarter.
 */
function bruteForce({ texts, parent, end }: ReturnType<typeof plant>, topic: number, word: number): number {
  const count = (words: readonly number[]) => words.filter((other) => other === word).length
  const share = count(texts.flat()) / texts.flat().length
  let mixed = 0
  for (let at = topic, weight = 0.5; at > 0; at = parent[at], weight /= 2) {
    const subtree = texts.slice(at, end[at]).flat()
    mixed += (weight * count(subtree)) / (subtree.length + 8)
  }
  return share > 0 ? Math.log((0.95 * mixed) / share + 0.05) : 0
}

test("the evidence of a word for a topic follows the formula, over every subtree around it", () => {
  fc.assert(
    fc.property(topics, (drawn) => {
      const planted = plant(drawn)
      const weigh = senseWeigher(planted)
      const again = rememberWeights(weigh)
      for (let topic = 0; topic < planted.size; topic++)
        for (let word = 0; word < vocabulary; word++) {
          expect(weigh(topic, word)).toBeCloseTo(bruteForce(planted, topic, word), 5)
          expect(again(topic, word)).toBe(weigh(topic, word))
          expect(again(topic, word)).toBe(weigh(topic, word))
        }
    }),
  )
})
