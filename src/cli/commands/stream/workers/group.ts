import { Type } from "#typebox"
import { QueryveilError } from "../../../../kernels/error.ts"
import { isClientBusy } from "../../../../stream/kafka/kafka-library.ts"
import { type KafkaPlace, kafkaForm, parseKafkaPlace } from "../../../../stream/kafka/kafka-place.ts"
import type { Session } from "../../../session.ts"

/** The argument that names a group of workers. */
export const groupArgument = {
  syntax: "<group>",
  description: "kafka://HOST:PORT/NAME; the group's topics begin with NAME",
}

export const secretFlag = Type.Optional(
  Type.String({ placeholder: "file", description: "read the secret of the group from this file (private)" }),
)

export const sessionFlag = Type.Integer({
  default: 15_000,
  minimum: 6000,
  maximum: 300_000,
  placeholder: "ms",
  description: "give the partitions of a worker that is silent for this long to others",
})

/** The cluster and the name of the group. */
export function parseGroup(text: string): KafkaPlace {
  if (!text.startsWith("kafka:"))
    throw new QueryveilError(
      "usage",
      `The group of workers is not an address. Give ${kafkaForm.replace("TOPIC", "NAME")}.`,
    )
  const place = parseKafkaPlace(text.slice("kafka:".length), "group")
  const { start, stop, deadLetter } = place
  if (start === "beginning" && stop === "never" && deadLetter === undefined) return place
  throw new QueryveilError("usage", "The address of a group takes the options config and checks only.")
}

export const speechOf = (session: Session) => ({
  warn: (text: string) => session.warn(text),
  note: (text: string) => session.note(text),
})

/**
 * Ends a worker that has said everything. A thread of the Kafka client that waits for a broker for ever would hold up a
 * normal exit. Nothing is open any more that could be lost.
 */
export async function endWorker(): Promise<void> {
  if (!isClientBusy()) return
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()))
  process.removeAllListeners("SIGTERM")
  process.kill(process.pid, "SIGTERM")
}
