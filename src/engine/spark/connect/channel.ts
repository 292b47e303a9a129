import type { CallOptions, Client, ClientReadableStream, Metadata } from "@grpc/grpc-js"
import type { MethodDefinition } from "@grpc/proto-loader"
import { QueryveilError } from "../../../kernels/error.ts"
import type { SparkAddress } from "./spark-address.ts"
import type { SparkLibraries } from "./spark-libraries.ts"

/** Calls of a Spark Connect server. Answers have the fields of `data/spark-connect.proto`, without those left out. */
export interface Channel {
  /** Calls that answer once. */
  call(method: string, request: object): Promise<unknown>
  /** Calls that answer with a stream. It ends with an error after five minutes, so that a dead one is noticed. */
  stream(method: string, request: object): ClientReadableStream<unknown>
  close(): void
}

const callMilliseconds = 60_000
const streamMilliseconds = 300_000
/** The server's own limit of a message is 128 MiB. */
const messageBytes = 256 << 20

export function openChannel(libraries: SparkLibraries, address: SparkAddress): Channel {
  const { grpc, service } = libraries
  const { host, port, tls, token, authority } = address
  const client: Client = new grpc.Client(
    `${host}:${port}`,
    tls ? grpc.credentials.createSsl(authority ?? null) : grpc.credentials.createInsecure(),
    { "grpc.max_receive_message_length": messageBytes, "grpc.max_send_message_length": messageBytes },
  )
  const metadata = (): Metadata => {
    const made = new grpc.Metadata()
    if (token !== undefined) made.set("authorization", `Bearer ${token}`)
    return made
  }
  const methodOf = (name: string): MethodDefinition<object, object> => {
    const method = service[name]
    if (method === undefined) throw new QueryveilError("internal", `Spark Connect has no method ${name}.`)
    return method
  }
  const within = (milliseconds: number): CallOptions => ({ deadline: Date.now() + milliseconds })
  return {
    call: (name, request) =>
      new Promise((resolve, reject) => {
        const { path, requestSerialize, responseDeserialize } = methodOf(name)
        const settle = (error: Error | null, answer?: unknown) => (error ? reject(error) : resolve(answer))
        const options = within(callMilliseconds)
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata(), options, settle)
      }),
    stream(name, request) {
      const { path, requestSerialize, responseDeserialize } = methodOf(name)
      const options = within(streamMilliseconds)
      return client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata(), options)
    },
    close: () => client.close(),
  }
}
