import type { StreamSettings } from "../live/settings.ts"
import type { TopicSettings } from "./wire/read-topic-settings.ts"

/** What is known of a topic. */
export interface TopicFacts {
  topic: string
  /** Kafka's own id of the topic. A topic that was deleted and created again has another. */
  id: string
  partitions: readonly number[]
  /** Replicas of the partition that has the fewest. */
  replicas: number
  /** Brokers in the cluster. */
  brokers: number
  /** Undefined if they cannot be read. */
  settings: TopicSettings | undefined
}

/** What a topic is for. For an output, also how exactly releases show times. A state is read back by key. */
export type TopicUse = { as: "input" | "state" } | { as: "output"; time: StreamSettings["time"] }

/** A weakness of a topic. Each text says what is wrong and what to do. */
export interface TopicProblems {
  /** Not fit for its use. */
  refusals: string[]
  /** Worth knowing. */
  warnings: string[]
}

const day = 86_400_000

/** Finds settings under which searches would be lost, released twice, or shown more exactly than promised. */
export function checkTopic(facts: TopicFacts, use: TopicUse): TopicProblems {
  const { replicas, brokers, settings } = facts
  const refusals: string[] = []
  const warnings: string[] = []
  if (brokers > 1 && replicas < 2)
    refusals.push(
      `It has one replica on ${brokers} brokers, so that one broken disk loses it. Give it a replication factor of 3.`,
    )
  if (brokers === 1) warnings.push("The cluster has one broker. If its disk breaks, the topic is lost.")
  if (settings === undefined) return { refusals, warnings }
  refusals.push(...checkReplicas(facts, settings), ...checkDeletion(settings, use))
  if (use.as === "output") refusals.push(...checkMessages(settings, use.time))
  const bytes = Number(settings["retention.bytes"] ?? -1)
  if (use.as === "input" && bytes >= 0)
    warnings.push(`It deletes messages over ${bytes} bytes, however young they are (retention.bytes).`)
  return { refusals, warnings }
}

function checkReplicas({ replicas, brokers }: TopicFacts, settings: TopicSettings): string[] {
  const inSync = Number(settings["min.insync.replicas"] ?? 1)
  const found: string[] = []
  if (inSync > replicas)
    found.push(`min.insync.replicas=${inSync} is more than its ${replicas} replicas: nothing can be written. Lower it.`)
  else if (brokers > 1 && inSync < 2)
    found.push("With min.insync.replicas=1, one broker alone may confirm a message and lose it. Set it to 2.")
  if (settings["unclean.leader.election.enable"] === "true")
    found.push("unclean.leader.election.enable=true may drop confirmed messages. Set it to false.")
  return found
}

function checkDeletion(settings: TopicSettings, use: TopicUse): string[] {
  const found: string[] = []
  const policy = settings["cleanup.policy"] ?? "delete"
  if (use.as === "state")
    return policy === "compact"
      ? []
      : ["It deletes old messages, and with them what waits. Set cleanup.policy=compact."]
  if (policy.includes("compact"))
    found.push(
      use.as === "input"
        ? "It is compacted: Kafka deletes all but the last search of a key. Set cleanup.policy=delete."
        : "It is compacted, but releases have no keys. Set cleanup.policy=delete.",
    )
  const kept = Number(settings["retention.ms"] ?? -1)
  if (use.as === "input" && kept >= 0 && kept < day)
    found.push(
      [
        `It keeps messages for ${durationOf(kept)}. A reader that stops for longer loses messages.`,
        `Set retention.ms to ${day} or more.`,
      ].join(" "),
    )
  return found
}

/** Releases are stamped with the hour or the day, so they are up to that old when they are written. */
function checkMessages(settings: TopicSettings, time: StreamSettings["time"]): string[] {
  const found: string[] = []
  const oldest = stampAge[time]
  for (const name of ["retention.ms", "message.timestamp.before.max.ms"]) {
    const limit = Number(settings[name] ?? -1)
    if (oldest > 0 && limit >= 0 && limit < 2 * oldest)
      found.push(
        `With ${name}=${limit}, it deletes or refuses releases of --time ${time}. Set it to ${2 * oldest} or more.`,
      )
  }
  if (oldest > 0 && settings["message.timestamp.type"] === "LogAppendTime")
    found.push(
      [
        "The broker stamps each message with the moment of its release (message.timestamp.type=LogAppendTime),",
        `which is more than --time ${time} shows. Set it to CreateTime.`,
      ].join(" "),
    )
  const largest = Number(settings["max.message.bytes"] ?? usualLargest)
  if (largest < usualLargest)
    found.push(`max.message.bytes=${largest} is too small for the batches of the client. Set it to ${usualLargest}.`)
  return found
}

/** How old the timestamp of a release may be when it is written, in milliseconds. */
const stampAge = { hour: day / 24, day, drop: day, exact: 0, own: 0 }
/** Kafka's own default of `max.message.bytes`. */
const usualLargest = 1_048_588

function durationOf(milliseconds: number): string {
  const hours = Math.round(milliseconds / 360_000) / 10
  if (hours < 1) return `${Math.round(milliseconds / 1000)} seconds`
  return hours === 1 ? "an hour" : `${hours} hours`
}
