import type { KafkaSettings } from "../kafka-settings.ts"
import { connectBroker } from "./wire-connection.ts"
import { WireWriter } from "./wire-message.ts"

const describeConfigs = { key: 32, version: 1 }
const topicResource = 2

/** Settings of a topic, by their names in Kafka: those of the topic, else those of the cluster. */
export type TopicSettings = Readonly<Record<string, string | undefined>>

/** Asks a broker for the settings of a topic. The client library has no such request. */
export async function readTopicSettings(
  topic: string,
  { brokers, settings }: { brokers: readonly string[]; settings: KafkaSettings },
): Promise<TopicSettings> {
  let failure: unknown
  for (const broker of brokers) {
    try {
      return await askBroker(broker, topic, settings)
    } catch (error) {
      failure = error // another broker may answer
    }
  }
  throw failure
}

async function askBroker(broker: string, topic: string, settings: KafkaSettings): Promise<TopicSettings> {
  const connection = await connectBroker(broker, settings)
  try {
    const body = new WireWriter().int32(1).int8(topicResource).text(topic).int32(-1).int8(0).take()
    const answer = await connection.ask(describeConfigs, body)
    answer.int32() // throttle
    const [found] = answer.list(() => {
      const error = answer.int16()
      const message = answer.text()
      if (error !== 0) throw new Error(`The broker does not show the settings of the topic (${message ?? error}).`)
      answer.int8()
      answer.text()
      return answer.list(() => {
        const name = answer.text() ?? ""
        const value = answer.text()
        answer.int8() // read only
        answer.int8() // source
        answer.int8() // sensitive
        answer.list(() => [answer.text(), answer.text(), answer.int8()])
        return [name, value] as const
      })
    })
    return Object.fromEntries(found ?? [])
  } finally {
    connection.close()
  }
}
