import { setTimeout } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import { readBlock } from "../../log/formats/read-block.ts"
import type { InputBatch } from "../live/transport.ts"
import { call, type KafkaMessage, type LibraryError, type LibraryProducer } from "./kafka-library.ts"
import { patience } from "./kafka-link.ts"

const tooLarge = 10

/**
 * Sends messages that are not records to another topic, as they are, with the reason and their place as headers. This
 * happens before their batch is offered, so a crash may send one twice but loses none. The topic holds what people
 * typed: it is as private as the input.
 */
export class DeadLetters {
  readonly #producer: LibraryProducer
  readonly #topic: string
  readonly #warn: (text: string) => void
  #failures: LibraryError[] = []
  /** Messages that the brokers neither took nor refused yet, as far as is known here. */
  #unreported = 0

  constructor(producer: LibraryProducer, { topic, warn }: { topic: string; warn(text: string): void }) {
    this.#producer = producer
    this.#topic = topic
    this.#warn = warn
    producer.setPollInBackground(true)
    producer.on("delivery-report", (error) => {
      if (error) this.#failures.push(error)
      this.#unreported--
    })
  }

  /** Sends those of a batch. Line n of the batch is message n. */
  async send(
    { bytes, length, plan, skipLines }: Pick<InputBatch, "bytes" | "length" | "plan" | "skipLines">,
    messages: readonly KafkaMessage[],
  ): Promise<void> {
    const { rejectLine, rejectReason } = readBlock({ bytes: bytes.slice(), length, plan, skipLines, seed: 0 })
    if (rejectLine.length === 0) return
    for (const [i, line] of rejectLine.entries()) {
      const message = messages[line - 1]
      if (message !== undefined) this.#produce(message, rejectReasons[rejectReason[i]])
    }
    await this.#deliver()
    this.#settle()
  }

  /** Waits until each message is reported as taken or refused. A flush may end before the reports of its messages. */
  async #deliver(): Promise<void> {
    try {
      await call((done) => this.#producer.flush(patience, done))
      const until = performance.now() + patience
      while (this.#unreported > 0) {
        if (performance.now() > until) throw new Error("the brokers did not answer")
        await setTimeout(10)
      }
    } catch (error) {
      this.#failures.push(error as LibraryError)
    }
  }

  #produce({ value, topic, partition, offset, timestamp }: KafkaMessage, reason: string): void {
    const headers = [{ reason }, { topic }, { partition: String(partition) }, { offset: String(offset) }]
    try {
      this.#producer.produce(this.#topic, null, value, null, timestamp ?? null, undefined, headers)
      this.#unreported++
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error
      this.#failures.push(error as LibraryError)
    }
  }

  /** A message that is too large for the topic is reported. Other failures end the input, before anything is lost. */
  #settle(): void {
    const failures = this.#failures
    this.#failures = []
    const lasting = failures.find(({ code }) => code !== tooLarge)
    if (lasting !== undefined)
      throw new QueryveilError(
        "kafka-unreachable",
        `kafka topic ${this.#topic}: cannot be written (${lasting.message}).`,
      )
    if (failures.length > 0)
      this.#warn(`kafka topic ${this.#topic}: messages too large for it, which were only counted: ${failures.length}.`)
  }
}
