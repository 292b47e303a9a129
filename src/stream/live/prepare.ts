import type { RunContext } from "../../kernels/context.ts"
import { dictionaryFrom } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type Lane, openLane } from "../../kernels/parallel.ts"
import type { ParsedTexts } from "../../log/formats/parsed-block.ts"
import { type Classifier, unclassified } from "../../taxonomy/classify/classifier.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { plainPath } from "../../taxonomy/tree-of-paths.ts"
import type { KindSet } from "../../text/identifiers/kinds.ts"
import type { handle } from "./prepare.worker.ts"
import {
  identifying,
  type LiveBlock,
  openPreparer,
  type PreparedBlock,
  selectTexts,
  unknownCategory,
} from "./prepare-block.ts"
import { SpareTime } from "./spare-time.ts"
import { makeTopicMemory } from "./topic-memory.ts"

type Message = Parameters<typeof handle>[0]

/** Blocks with fewer bytes are read on this thread, because handing them over would take longer. */
const fewBytes = 1 << 13
/** Blocks with fewer bytes are also read here while this thread has time and the others are idle or starting. */
const someBytes = 1 << 16
const worker = new URL("./prepare.worker.js", import.meta.url)

/**
 * Reads blocks and finds the topics of their queries, on other threads. Answers may arrive in a different order than
 * blocks.
 */
export interface Preparation {
  prepare(block: LiveBlock): Promise<PreparedBlock>
  close(): Promise<void>
}

export async function openPreparation(
  options: { kinds: KindSet; classifier: Classifier; ownTopics: boolean },
  context: RunContext,
): Promise<Preparation> {
  const { kinds, classifier, ownTopics } = options
  const setup = { kinds, classifier: classifier.portable?.(), ownTopics, memory: makeTopicMemory() }
  const prepareHere = openPreparer(setup)
  const spare = new SpareTime()
  const here = (block: LiveBlock) => spare.use(() => prepareHere(block))
  const lanes: Lane<Message, PreparedBlock | undefined>[] = []
  const started = new Set<Lane<Message, PreparedBlock | undefined>>()
  const addLane = () => {
    const lane = openLane<Message, PreparedBlock | undefined>(worker)
    lanes.push(lane)
    lane.send({ setup }).then(
      () => started.add(lane),
      () => {}, // a block that is sent to it is refused with the same error
    )
  }

  const prepared = async (block: LiveBlock): Promise<PreparedBlock> => {
    const isSmall = block.length < someBytes
    const ready = lanes.filter((lane) => started.has(lane))
    const isIdle = ready.every((lane) => lane.waiting() === 0)
    if (block.length < fewBytes || (isSmall && isIdle && spare.isLeft())) return here(block)
    // Add a lane as soon as all are busy, while there are cores. A stream of small batches needs none.
    const isFree = lanes.some((lane) => lane.waiting() === 0)
    if (!isFree && lanes.length < Math.max(1, context.workers)) addLane()
    const lane = leastBusy(isSmall ? ready : lanes)
    if (lane === undefined) return here(block)
    const answer = await lane.send({ block })
    if (answer === undefined) throw new QueryveilError("internal", "A worker thread did not answer a block.")
    return answer
  }

  /** Sends only texts without an identifier to the classifier; the others stay here. */
  const askTopics = async ({ queries, topic }: PreparedBlock): Promise<Int32Array> => {
    const asked = Int32Array.from(topic.keys()).filter((query) => topic[query] !== identifying)
    const found = await classifier.classify(dictionaryFrom(selectTexts(queries, asked)), context)
    const topics = topic.slice()
    asked.forEach((query, i) => {
      topics[query] = found[i]
    })
    return topics
  }

  return {
    async prepare(block) {
      const answer = await prepared(block)
      if (answer.categories !== undefined)
        return { ...answer, categoryTopic: findCategories(answer.categories.texts, classifier.taxonomy) }
      if (setup.classifier !== undefined) return answer
      return { ...answer, topic: await askTopics(answer) }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

function leastBusy<S, R>(lanes: readonly Lane<S, R>[]): Lane<S, R> | undefined {
  return lanes.reduce<Lane<S, R> | undefined>(
    (least, lane) => (least !== undefined && least.waiting() <= lane.waiting() ? least : lane),
    undefined,
  )
}

/** Node of each category of a block. There are few categories, and they repeat. */
function findCategories({ arena, offsets }: ParsedTexts, taxonomy: Taxonomy): Int32Array {
  return Int32Array.from({ length: offsets.length - 1 }, (_, id) => {
    const path = plainPath(Buffer.from(arena.subarray(offsets[id], offsets[id + 1])).toString("utf8"))
    if (path === "") return unclassified
    const node = taxonomy.find(path)
    return node > 0 ? node : unknownCategory
  })
}
