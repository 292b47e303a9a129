import { describe, expect, test } from "vitest"
import { DeadLetters } from "#dist/stream/kafka/dead-letters.js"
import type { LibraryError, LibraryProducer } from "#dist/stream/kafka/kafka-library.js"
import { MessagePlans } from "#dist/stream/kafka/message-plans.js"
import { anyMessages as choice } from "../support/any-messages.ts"

/** A producer whose reports come a while after its flush has ended, as those of the real one may. */
function slowProducer(refuse: (value: string) => LibraryError | null) {
  let listen = (_: LibraryError | null) => {}
  const sent: string[] = []
  const producer = {
    setPollInBackground: () => {},
    on: (_: string, listener: typeof listen) => {
      listen = listener
    },
    produce: (_topic: string, _partition: null, value: Buffer) => {
      sent.push(String(value))
      setTimeout(() => listen(refuse(String(value))), 60)
    },
    flush: (_: number, done: (error: null) => void) => done(null),
  }
  return { producer: producer as unknown as LibraryProducer, sent }
}

const refusal = (code: number) => Object.assign(new Error("refused"), { code })

async function sendLetters(refuse: (value: string) => LibraryError | null) {
  const warnings: string[] = []
  const { producer, sent } = slowProducer(refuse)
  const letters = new DeadLetters(producer, { topic: "letters", warn: (text) => warnings.push(text) })
  const messages = ["long", "short"].map((text, offset) => {
    return { topic: "searches", partition: 0, offset, value: Buffer.from(text) }
  })
  const plans = new MessagePlans(choice, "kafka:searches")
  for (const { messages: own, ...lines } of plans.read(messages)) await letters.send({ ...lines, skipLines: 0 }, own)
  return { warnings, sent }
}

describe("a dead letter", () => {
  test("that is too large is reported, also if the brokers say so after the others were flushed", async () => {
    const { warnings, sent } = await sendLetters((value) => (value === "long" ? refusal(10) : null))
    expect(sent).toEqual(["long", "short"])
    expect(warnings).toEqual(["kafka topic letters: messages too large for it, which were only counted: 1."])
  })

  test("that the brokers refuse late stops the input, before its message counts as read", async () => {
    await expect(sendLetters(() => refusal(29))).rejects.toMatchObject({ code: "kafka-unreachable" })
  })
})
