import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { createSwapper } from "../../swapper/create-swapper.ts"
import type { PositionColumns, RecordColumns, SwapMode } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** Records in order of arrival: user, text, topic and time. */
export interface ArrivingRecords {
  user: Int32Array
  text: Int32Array
  /** A node of the taxonomy. */
  topic: Int32Array
  time: Int32Array
  /** The hash in their positions; absent if they are not dealt under a secret. */
  hash?: Omit<PositionColumns, "time">
}

/**
 * Gives each record a category, as deep as the expected delay allows. Works from the leaves up. The records gathered at
 * a topic form a category if, swapped among themselves, they would have waited at most `maxDelay` seconds on average.
 * Otherwise they move to the parent topic. The wait is simulated, not estimated: the records pass through a swapper. A
 * record that never leaves waits until the last of all records. `cut` gives, by topic, the deepest category that its
 * records may have.
 */
export async function deepestCategories(
  records: ArrivingRecords,
  options: { taxonomy: Taxonomy; cut: Int32Array; k: number; mode: SwapMode; backlog: number; maxDelay: number },
  context: RunContext,
): Promise<Int32Array> {
  const { taxonomy, cut, maxDelay } = options
  const category = new Int32Array(records.topic.length)
  const waiting = gatherByTopic(records.topic, cut, taxonomy.size)
  for (let topic = taxonomy.size - 1; topic >= 0; topic--) {
    const gathered = waiting[topic]
    if (gathered === undefined) continue
    gathered.sort()
    if (topic === 0 || meanWait(records, gathered, options, context) <= maxDelay)
      for (const record of gathered) category[record] = topic
    else waiting[taxonomy.parent[topic]] = join(waiting[taxonomy.parent[topic]], gathered)
    delete waiting[topic]
    if (topic % 1024 === 0)
      await yieldAndReport(context, { stage: "choosing depth", done: taxonomy.size - topic, total: taxonomy.size })
  }
  return category
}

function gatherByTopic(topic: Int32Array, cut: Int32Array, topics: number): (Int32Array | undefined)[] {
  const counts = new Int32Array(topics)
  for (const node of topic) counts[cut[node]]++
  const gathered: (Int32Array | undefined)[] = []
  counts.forEach((count, node) => {
    if (count > 0) gathered[node] = new Int32Array(count)
  })
  const filled = new Int32Array(topics)
  for (let record = 0; record < topic.length; record++) {
    const node = cut[topic[record]]
    const list = gathered[node]
    if (list !== undefined) list[filled[node]++] = record
  }
  return gathered
}

function join(a: Int32Array | undefined, b: Int32Array): Int32Array {
  const joined = new Int32Array((a?.length ?? 0) + b.length)
  if (a !== undefined) joined.set(a)
  joined.set(b, joined.length - b.length)
  return joined
}

/** Mean wait, in seconds, of these records if they are swapped among themselves in order of arrival. */
function meanWait(
  records: ArrivingRecords,
  gathered: Int32Array,
  { k, mode, backlog }: { k: number; mode: SwapMode; backlog: number },
  { random }: RunContext,
): number {
  const columns: RecordColumns = {
    user: gathered.map((record) => records.user[record]),
    text: gathered.map((record) => records.text[record]),
    category: new Int32Array(gathered.length),
  }
  const end = records.time[records.time.length - 1]
  let now = 0
  let sum = 0
  for (const record of gathered) sum += end - records.time[record]
  const sink = {
    release: () => {
      sum -= end - now
    },
    withhold: () => {},
  }
  const swapper = createSwapper(columns, { k, mode, backlog, random, sink })
  for (let i = 0; i < gathered.length; i++) {
    now = records.time[gathered[i]]
    swapper.offer(i)
  }
  return sum / gathered.length
}
