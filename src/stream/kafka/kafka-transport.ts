import type { StreamOutput } from "../live/transport.ts"
import type { OutputContext, Transport } from "../transports/transport.ts"
import { type KafkaPlace, kafkaForm, parseKafkaPlace } from "./kafka-place.ts"

/** Topics of a Kafka cluster. The client is loaded when a stream starts that names one. */
export const kafka: Transport = {
  name: "kafka",
  form: kafkaForm,
  find(rest, flag) {
    const place = parseKafkaPlace(rest, flag)
    const name = `kafka:${place.topic}`
    return {
      name,
      isOneWay: true,
      ...(place.deadLetter !== undefined && { alsoWrites: [`kafka:${place.deadLetter}`] }),
      input: (context) => ({
        async run(stream, signal) {
          const { kafkaInput } = await import("./kafka-input.ts")
          await kafkaInput(name, place, context).run(stream, signal)
        },
      }),
      output: (context) => lateOutput(place, context),
    }
  },
}

/** The output, loaded when it is opened. */
function lateOutput(place: KafkaPlace, context: OutputContext): StreamOutput {
  let output: StreamOutput | undefined
  let report: (error: unknown) => void = () => {}
  const opened = () => {
    if (output === undefined) throw new Error("the output is not open")
    return output
  }
  return {
    exact: true,
    isUnordered: true,
    async open(start) {
      const { KafkaOutput } = await import("./kafka-output.ts")
      output = new KafkaOutput(place, { ...context, report })
      await output.open(start)
    },
    onFailure(given) {
      report = given
    },
    write: (bytes, records) => opened().write(bytes, records),
    settle: () => opened().settle(),
    close: async () => output?.close(),
  }
}
