import { rejectReasons } from "../../log/formats/parsed-block.ts"
import { readBlock } from "../../log/formats/read-block.ts"
import type { InputBatch } from "../live/transport.ts"
import { call, type KafkaMessage, type LibraryProducer } from "./kafka-library.ts"
import { patience } from "./kafka-link.ts"

/**
 * Sends the messages of a batch that are not records to another topic, as they are, with the reason and their place as
 * headers. This happens before the batch is offered, so a crash may send one twice but loses none. The topic holds what
 * people typed: it is as private as the input.
 */
export async function sendDeadLetters(
  { bytes, length, plan, skipLines }: InputBatch,
  messages: readonly KafkaMessage[],
  { producer, topic }: { producer: LibraryProducer; topic: string },
): Promise<number> {
  const { rejectLine, rejectReason } = readBlock({ bytes: bytes.slice(), length, plan, skipLines, seed: 0 })
  if (rejectLine.length === 0) return 0
  rejectLine.forEach((line, i) => {
    const message = messages[line - 1]
    if (message === undefined) return
    producer.produce(topic, null, message.value, null, message.timestamp ?? null, undefined, [
      { reason: rejectReasons[rejectReason[i]] },
      { topic: message.topic },
      { partition: String(message.partition) },
      { offset: String(message.offset) },
    ])
  })
  await call((done) => producer.flush(patience, done))
  return rejectLine.length
}
