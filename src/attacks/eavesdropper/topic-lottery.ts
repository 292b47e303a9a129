import type { RandomSource } from "../../kernels/random.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** Prefix sums of the topics' own support, so that a subtree is one contiguous range. */
export interface TopicLottery {
  end: Int32Array
  before: Float64Array
}

/** Prepares a taxonomy for drawing topics by their own support. */
export function topicLottery({ size, own, end }: Taxonomy): TopicLottery {
  const before = new Float64Array(size + 1)
  for (let topic = 0; topic < size; topic++) before[topic + 1] = before[topic] + own[topic]
  return { end, before }
}

/**
 * Draws a topic from the subtree of `root`, each by its share of the subtree's support; the root itself if there is no
 * support.
 */
export function drawTopic({ end, before }: TopicLottery, root: number, random: RandomSource): number {
  const from = before[root]
  const target = from + (before[end[root]] - from) * (random.uint32() / 2 ** 32)
  let low = root
  let high = end[root] - 1
  // Find the first topic whose prefix sum exceeds the target.
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before[middle + 1] > target) high = middle
    else low = middle + 1
  }
  return before[end[root]] === from ? root : low
}
