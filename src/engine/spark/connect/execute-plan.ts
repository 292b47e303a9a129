import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { ServiceDefinition } from "@grpc/proto-loader"
import { interruption } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import type { Channel } from "./channel.ts"
import type { ExecuteResponse, Plan } from "./messages.ts"
import { type CallFailure, describeFailure, mayPass, readFailure } from "./spark-error.ts"

/** The session on the server, and how its calls are made. */
export interface ServerSession {
  channel: Channel
  details: ServiceDefinition
  /** The fields of every request. */
  fields: { session_id: string; user_context: { user_id: string }; client_type: string }
  /** How long a lost server is asked again. */
  patience: number
}

export interface ExecuteOptions {
  stage: string
  signal?: AbortSignal | undefined
  progress?: (done: number, total: number) => void
}

const firstPause = 50
const longestPause = 5_000

/**
 * Executes a plan, and gives the Arrow data of its result. A lost connection is opened again where it broke off: the
 * server keeps answers until they are released. A reader that stops early and a signal cancel the jobs of the plan.
 */
export async function* executePlan(
  server: ServerSession,
  plan: Plan,
  options: ExecuteOptions,
): AsyncGenerator<Uint8Array> {
  const execution = new Execution(server, plan, options)
  let complete = false
  try {
    for (;;) {
      const answer = await execution.next()
      if (answer.execution_progress) reportTasks(answer.execution_progress, options)
      if (answer.result_complete) break
      const data = answer.arrow_batch?.data
      if (data !== undefined) yield data
    }
    complete = true
  } finally {
    await execution.end(complete)
  }
}

function reportTasks(
  { stages = [] }: NonNullable<ExecuteResponse["execution_progress"]>,
  { progress }: ExecuteOptions,
): void {
  const sum = (of: (stage: (typeof stages)[number]) => number) => stages.reduce((all, stage) => all + of(stage), 0)
  const total = sum(({ num_tasks = 0 }) => num_tasks)
  if (total > 0)
    progress?.(
      sum(({ num_completed_tasks = 0 }) => num_completed_tasks),
      total,
    )
}

/** One execution on the server, over as many connections as it takes. */
class Execution {
  readonly #server: ServerSession
  readonly #plan: Plan
  readonly #options: ExecuteOptions
  readonly #operation = randomUUID()
  #answers: AsyncIterator<unknown> | undefined
  #stop: (() => void) | undefined
  /** The last answer that arrived. */
  #last: string | undefined
  /** True once the server may know the operation. */
  #sent = false

  constructor(server: ServerSession, plan: Plan, options: ExecuteOptions) {
    this.#server = server
    this.#plan = plan
    this.#options = options
  }

  async next(): Promise<ExecuteResponse> {
    const { signal, stage } = this.#options
    let until = Number.POSITIVE_INFINITY
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
      if (signal?.aborted) throw interruption()
      const read = await this.#read()
      if (read.kind === "answer") {
        this.#keep(read.answer)
        return read.answer
      }
      this.#drop()
      if (signal?.aborted) throw interruption()
      if (read.kind === "ended") {
        // The server closes a stream that was open for long. A new one goes on.
        until = Number.POSITIVE_INFINITY
        pause = firstPause
      } else {
        until = Math.min(until, performance.now() + this.#server.patience)
        this.#judge(read.failure, { stage, isLast: performance.now() > until })
      }
      await pauseFor(pause, signal)
    }
  }

  async #read(): Promise<
    { kind: "answer"; answer: ExecuteResponse } | { kind: "ended" } | { kind: "failed"; failure: CallFailure }
  > {
    try {
      this.#answers ??= this.#open()
      const { value, done } = await this.#answers.next()
      return done === true ? { kind: "ended" } : { kind: "answer", answer: value as ExecuteResponse }
    } catch (error) {
      const failure = readFailure(error, this.#server.details)
      if (failure === undefined) throw error
      return { kind: "failed", failure }
    }
  }

  /** Notes how far the answers got, and lets the server forget those before. */
  #keep({ response_id, arrow_batch }: ExecuteResponse): void {
    if (response_id === undefined) return
    this.#last = response_id
    if (arrow_batch === undefined) return
    const { channel, fields } = this.#server
    const release = { ...fields, operation_id: this.#operation, release_until: { response_id } }
    channel.call("ReleaseExecute", release).catch(() => {}) // a later release frees the same answers
  }

  /** Throws, unless the call can be made again. */
  #judge(failure: CallFailure, { stage, isLast }: { stage: string; isLast: boolean }): void {
    if (isSessionLost(failure)) throw lostSession(stage)
    const isUnknown = failure.errorClass === "INVALID_HANDLE.OPERATION_NOT_FOUND"
    if (isUnknown && this.#last !== undefined) throw lostSession(stage)
    if (isUnknown && !isLast)
      this.#sent = false // the request never arrived, and is sent again
    else if (isLast || !mayPass(failure)) throw describeFailure(failure, stage)
  }

  /** Starts the execution, or goes on reading it. */
  #open(): AsyncIterator<unknown> {
    const { channel, fields } = this.#server
    const operation_id = this.#operation
    const stream = this.#sent
      ? channel.stream("ReattachExecute", {
          ...fields,
          operation_id,
          ...(this.#last !== undefined && { last_response_id: this.#last }),
        })
      : channel.stream("ExecutePlan", {
          ...fields,
          operation_id,
          plan: this.#plan,
          request_options: [{ reattach_options: { reattachable: true } }],
        })
    this.#sent = true
    const cancel = () => stream.cancel()
    this.#options.signal?.addEventListener("abort", cancel, { once: true })
    this.#stop = () => {
      this.#options.signal?.removeEventListener("abort", cancel)
      stream.on("error", () => {}) // a stream that is cancelled ends with an error that nobody waits for
      stream.cancel()
    }
    return stream[Symbol.asyncIterator]()
  }

  #drop(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#answers = undefined
  }

  /** Frees what the server keeps for the execution; before its end, cancels its jobs. */
  async end(complete: boolean): Promise<void> {
    this.#drop()
    if (!this.#sent) return
    const { channel, fields } = this.#server
    const of = { ...fields, operation_id: this.#operation }
    // A server that is gone has nothing to free.
    if (!complete) await channel.call("Interrupt", { ...of, interrupt_type: 3 }).catch(() => {})
    await channel.call("ReleaseExecute", { ...of, release_all: {} }).catch(() => {})
  }
}

function isSessionLost({ errorClass = "" }: CallFailure): boolean {
  return /^INVALID_HANDLE\.(SESSION_(CHANGED|CLOSED|NOT_FOUND)|OPERATION_ABANDONED)$/.test(errorClass)
}

function lostSession(stage: string): QueryveilError {
  return new QueryveilError(
    "spark-lost",
    `Spark lost this session (${stage}): its Connect server was started again, or gave up. Nothing was released. ` +
      "Run again.",
  )
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => {
    throw interruption()
  })
}
