import * as grpc from "@grpc/grpc-js"
import { loadSync } from "@grpc/proto-loader"
import { Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow"

/** One answer of an execution: a batch of texts, its end, or an error. */
export type Step =
  | { text: string }
  | "complete"
  | "break"
  | "close"
  | { fail: number; errorClass?: string; reason?: string }

interface Call {
  method: string
  request: Record<string, unknown>
}

/** A Connect server that answers as the test says. */
export interface FakeSpark {
  address: string
  calls: Call[]
  /** Settings of the cluster. */
  settings: Record<string, string>
  /** What executions answer. A stream that breaks or is closed goes on with the next step when it is opened again. */
  steps: Step[]
  /** Set: a session on the server that answers this to everything. */
  lost: { errorClass: string } | undefined
  close(): void
}

const messages = new URL("../../data/spark-connect.proto", import.meta.url).pathname
const { service, details } = load()

function load() {
  const definition = loadSync(messages, { keepCase: true, longs: Number, oneofs: true })
  const found = ["SparkConnectService", "ErrorDetails"].map((name) => definition[`spark.connect.${name}`])
  const [service, details] = found as grpc.ServiceDefinition[]
  return { service, details }
}

export async function fakeSpark(steps: Step[] = []): Promise<FakeSpark> {
  const server = new grpc.Server()
  const fake: FakeSpark = {
    address: "",
    calls: [],
    settings: { "spark.io.encryption.enabled": "true", "spark.hadoop.fs.permissions.umask-mode": "077" },
    steps,
    lost: undefined,
    close: () => server.forceShutdown(),
  }
  const note = (method: string, request: Record<string, unknown>) => fake.calls.push({ method, request })
  type Unary = grpc.handleUnaryCall<Record<string, unknown>, object>
  const unary = (method: string, answer: (request: Record<string, unknown>) => object): Unary => {
    return (call, done) => {
      note(method, call.request)
      done(null, answer(call.request))
    }
  }
  const stream = (method: string) => (call: grpc.ServerWritableStream<Record<string, unknown>, object>) => {
    note(method, call.request)
    play(fake, call)
  }
  server.addService(service, {
    ExecutePlan: stream("ExecutePlan"),
    ReattachExecute: stream("ReattachExecute"),
    ReleaseExecute: unary("ReleaseExecute", () => ({})),
    Interrupt: unary("Interrupt", () => ({})),
    ReleaseSession: unary("ReleaseSession", () => ({})),
    Config: unary("Config", () => ({
      pairs: Object.entries(fake.settings).map(([key, value]) => ({ key, value })),
    })),
    AnalyzePlan: unary("AnalyzePlan", () => ({
      server_side_session_id: "server-1",
      spark_version: { version: "4.1.4" },
    })),
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  fake.address = `sc://127.0.0.1:${port}`
  return fake
}

let answers = 0

function play(fake: FakeSpark, call: grpc.ServerWritableStream<unknown, object>): void {
  if (fake.lost !== undefined) {
    call.emit("error", errorOf({ fail: grpc.status.INTERNAL, ...fake.lost }))
    return
  }
  for (let step = fake.steps.shift(); step !== undefined; step = fake.steps.shift()) {
    if (step === "close") return void call.end()
    if (step === "break") return void call.emit("error", errorOf({ fail: grpc.status.UNAVAILABLE }))
    if (step === "complete") {
      call.write({ response_id: `answer-${answers++}`, result_complete: {} })
      return void call.end()
    }
    if ("fail" in step) return void call.emit("error", errorOf(step))
    const data = tableToIPC(new Table({ line: vectorFromArray([step.text], new Utf8()) }), "stream")
    call.write({ response_id: `answer-${answers++}`, arrow_batch: { row_count: 1, data: Buffer.from(data) } })
  }
  // Nothing left: the execution runs until it is cancelled.
}

function errorOf({ fail, errorClass, reason = "java.lang.Exception" }: Extract<Step, { fail: number }>): object {
  const metadata = new grpc.Metadata()
  const { requestSerialize, responseSerialize } = details.Decode ?? {}
  if (errorClass !== undefined && requestSerialize !== undefined && responseSerialize !== undefined) {
    const value = responseSerialize({ reason, metadata: { errorClass } })
    const type_url = "type.googleapis.com/google.rpc.ErrorInfo"
    metadata.set("grpc-status-details-bin", requestSerialize({ code: fail, details: [{ type_url, value }] }))
  }
  return { code: fail, details: "the secret query of a user", metadata }
}
