import { QueryveilError } from "../../kernels/error.ts"
import type { TopicUse } from "../kafka/check-topic.ts"
import { call } from "../kafka/kafka-library.ts"
import type { KafkaLink } from "../kafka/kafka-link.ts"
import type { WriteControl } from "./change-group.ts"
import { largestMessage } from "./partition-client.ts"
import { PlanWatch, planMessage } from "./plan-topic.ts"
import { namesOf, type WorkerPlan } from "./worker-plan.ts"

const hour = 3_600_000
/** Reports of workers are of use for minutes. They are as old as a broker says. */
const passing = { "retention.ms": "600000", "segment.ms": "60000", "message.timestamp.type": "LogAppendTime" }

/** A topic of a group, and whether it was created now. */
export interface MadeTopic {
  topic: string
  isNew: boolean
}

/**
 * Creates the topics of a group of workers and writes its plan. A topic that exists is left as it is, so that an
 * interrupted call can be repeated. A group that has a plan is refused.
 */
export async function createTopics(
  link: KafkaLink,
  group: string,
  { plan, write }: { plan: WorkerPlan; write: WriteControl },
): Promise<MadeTopic[]> {
  const names = namesOf(group, plan.epoch)
  const { replicas, forgetHours, keepHours } = plan.keeping
  const brokers = await countBrokers(link, { group, input: plan.input })
  const copies = replicas ?? Math.min(3, brokers)
  const safe = {
    "min.insync.replicas": String(Math.min(2, copies)),
    "unclean.leader.election.enable": "false",
    "max.message.bytes": String(largestMessage),
  }
  // Whatever the cluster's defaults are: nothing but age deletes a search, and a broker's clock is not shown.
  const aging = { ...safe, "cleanup.policy": "delete", "retention.bytes": "-1" }
  const compact = { ...safe, "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01" }
  const share = String(Math.max(1, Math.floor((forgetHours * hour) / 4)))
  const wanted: { topic: string; use?: TopicUse; partitions?: number; settings: Record<string, string> }[] = [
    { topic: names.plan, use: { as: "state" }, partitions: 1, settings: compact },
    { topic: names.classified, use: { as: "input" }, settings: { ...aging, "retention.ms": String(keepHours * hour) } },
    {
      topic: names.changelog,
      use: { as: "state" },
      settings: {
        ...compact,
        "segment.ms": share,
        "max.compaction.lag.ms": share,
        "delete.retention.ms": share,
        "min.compaction.lag.ms": "0",
      },
    },
    {
      topic: names.released,
      use: { as: "output", time: plan.settings.time },
      settings: { ...safe, "cleanup.policy": "delete", "message.timestamp.type": "CreateTime" },
    },
    { topic: names.figures, partitions: 1, settings: passing },
  ]
  const made: MadeTopic[] = []
  for (const { topic, settings, partitions = plan.partitions } of wanted)
    made.push({ topic, isNew: await link.createTopic(topic, { partitions, replicas: copies, settings }) })
  await refuseSecondPlan(link, group, plan)
  const uses = wanted.flatMap(({ topic, use }, i) => (use === undefined || made[i]?.isNew ? [] : { topic, use }))
  await refuseUnfitTopics(link, group, { plan, uses })
  await write([planMessage(group, plan)])
  return made
}

/** Refuses a plan whose number the group has already. */
async function refuseSecondPlan(link: KafkaLink, group: string, { epoch }: WorkerPlan): Promise<void> {
  const watch = await PlanWatch.open(link, group)
  try {
    if (watch.isEmpty || watch.current.epoch < epoch) return
  } finally {
    await watch.close()
  }
  throw new QueryveilError(
    "kafka-topic",
    `The group of workers ${group} has a plan already. Choose another name, or use the group as it is.`,
  )
}

/** Refuses topics that were there and have other partitions or unsafe settings, such as those of a call that failed. */
async function refuseUnfitTopics(
  link: KafkaLink,
  group: string,
  { plan, uses }: { plan: WorkerPlan; uses: readonly { topic: string; use: TopicUse }[] },
): Promise<void> {
  const { classified, changelog, released } = namesOf(group, plan.epoch)
  const consumer = await link.consumer(`${group}.plan`, "read_committed")
  try {
    for (const topic of [classified, changelog, released]) {
      const found = await link.countPartitions(consumer, topic)
      if (found === plan.partitions || (topic === released && found > plan.partitions)) continue
      throw new QueryveilError(
        "kafka-topic",
        `kafka topic ${topic}: has ${found} partitions, and the plan has ${plan.partitions}. Delete the topic first.`,
      )
    }
    for (const { topic, use } of uses) await link.topic(consumer, use, topic)
  } finally {
    await call((done) => consumer.disconnect(done)).catch(() => {})
  }
}

/** Number of brokers. Refuses a group whose input does not exist. */
async function countBrokers(link: KafkaLink, { group, input }: { group: string; input: string }): Promise<number> {
  const consumer = await link.consumer(`${group}.plan`, "read_committed")
  try {
    await link.requireTopic(consumer, input)
    return await link.brokers(consumer)
  } finally {
    await call((done) => consumer.disconnect(done)).catch(() => {})
  }
}
