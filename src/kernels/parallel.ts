import { isMainThread, type MessagePort, parentPort, Worker, workerData } from "node:worker_threads"
import { interruption, type Progress, type RunContext, stopIfCancelled } from "./context.ts"
import { type ErrorCode, type ErrorFields, QueryveilError } from "./error.ts"

/** The module of a worker entry exports `handle`. In a worker it also calls `serveShards(handle)`. */
interface WorkerEntry<S, R> {
  handle: (shard: S) => R | Promise<R>
}

type Report = (progress: Progress) => void

type Reply<R> =
  | { progress: Progress }
  | { result: R }
  | { failure: { message: string; code?: ErrorCode; fields?: ErrorFields; stack?: string } }

let isServing = false

/** The data that a worker starts with. */
interface WorkerStart {
  extensions: readonly string[]
}

const extensions: string[] = isMainThread ? [] : [...((workerData as WorkerStart | null)?.extensions ?? [])]

/** Imports a module by its URL. */
export const importModule = (module: string): Promise<unknown> => import(module)

/** Makes every worker that starts from now on import a module, by its URL, before its first shard. */
export function importInWorkers(module: string): void {
  if (!extensions.includes(module)) extensions.push(module)
}

/**
 * Called at the end of every `*.worker.ts`: answers shards one after the other. Does nothing in the main thread. It
 * also does nothing in a worker that was started with another entry and runs this one itself, as `streamParallel` does
 * with one worker. Reports of `handle` go to the `report` of `Lane.send`.
 */
export function serveShards<S, R>(handle: (shard: S, report: Report) => R | Promise<R>): void {
  const port = parentPort
  if (isMainThread || port === null || isServing) return
  isServing = true
  let ready = extensions.length === 0 ? undefined : Promise.all([...extensions].map(importModule))
  ready?.catch(() => {}) // reported with the first shard
  port.on("message", async (shard: S) => {
    try {
      if (ready !== undefined) {
        await ready
        ready = undefined
      }
      const result = await handle(shard, reportTo(port))
      port.postMessage({ result }, ownedBuffers(result))
    } catch (error) {
      const known = error instanceof QueryveilError ? { code: error.code, fields: error.fields } : {}
      const message = error instanceof Error ? error.message : String(error)
      const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {}
      port.postMessage({ failure: { message, ...known, ...stack } })
    }
  })
}

const reportEvery = 200 // ms

/** Forwards reports, at most one per `reportEvery`. */
function reportTo(port: MessagePort): Report {
  let last = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - last < reportEvery) return
    last = now
    port.postMessage({ progress })
  }
}

/**
 * Runs the worker entry over the shards on `context.workers` threads. Yields the results in the order of the shards,
 * and reads at most two shards ahead per worker. Plain buffers in a shard or a result are transferred; shared ones are
 * shared. A single shard, or a single worker, runs in this thread.
 */
export async function* streamParallel<S, R>(
  entry: URL,
  shards: Iterable<S> | AsyncIterable<S>,
  context: RunContext,
): AsyncGenerator<R> {
  const source = Symbol.asyncIterator in shards ? shards[Symbol.asyncIterator]() : shards[Symbol.iterator]()
  try {
    stopIfCancelled(context)
    const first = await source.next()
    if (first.done) return
    const second = context.workers > 1 ? await source.next() : undefined
    if (second === undefined || second.done) {
      const { handle }: WorkerEntry<S, R> = await import(entry.href)
      yield await handle(first.value)
      for (let next = await source.next(); !next.done; next = await source.next()) {
        stopIfCancelled(context)
        yield await handle(next.value)
      }
      return
    }
    yield* onPool<S, R>(entry, [first.value, second.value], source, context)
  } finally {
    await source.return?.()
  }
}

async function* onPool<S, R>(
  entry: URL,
  ready: S[],
  source: Iterator<S> | AsyncIterator<S>,
  context: RunContext,
): AsyncGenerator<R> {
  const lanes = Array.from({ length: context.workers }, () => openLane<S, R>(entry))
  const stop = () => {
    for (const lane of lanes) lane.fail(interruption())
  }
  context.signal.addEventListener("abort", stop, { once: true })
  try {
    stopIfCancelled(context)
    const pending: Promise<R>[] = []
    let exhausted = false
    for (;;) {
      while (!exhausted && pending.length < lanes.length * 2) {
        const early = ready.shift()
        const next = early === undefined ? await source.next() : { done: false as const, value: early }
        if (next.done) {
          exhausted = true
        } else {
          const lane = lanes.reduce((least, other) => (other.waiting() < least.waiting() ? other : least))
          const reply = lane.send(next.value)
          reply.catch(() => {}) // awaited below, in order; a failure must not count as unhandled until then
          pending.push(reply)
        }
      }
      const reply = pending.shift()
      if (reply === undefined) return
      yield await reply
    }
  } finally {
    context.signal.removeEventListener("abort", stop)
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

/** One worker and its pending replies, in order. */
export interface Lane<S, R> {
  waiting(): number
  /** Transfers plain buffers. Rejects with the worker's error, and always once the worker has stopped. */
  send(shard: S, report?: Report): Promise<R>
  fail(error: unknown): void
  close(): Promise<unknown>
}

/** Starts a worker that stays until it is closed, for work without an end. */
export function openLane<S, R>(entry: URL): Lane<S, R> {
  const start: WorkerStart = { extensions }
  const worker = new Worker(entry, { workerData: start })
  const owed: { resolve: (result: R) => void; reject: (error: unknown) => void; report?: Report | undefined }[] = []
  let broken: unknown
  const fail = (error: unknown) => {
    broken ??= error
    for (const { reject } of owed.splice(0)) reject(error)
  }
  worker.on("message", (reply: Reply<R>) => {
    if ("progress" in reply) {
      owed[0]?.report?.(reply.progress)
      return
    }
    const next = owed.shift()
    if (next === undefined) return
    if ("result" in reply) {
      next.resolve(reply.result)
    } else {
      const { code = "internal", fields, message, stack } = reply.failure
      next.reject(new QueryveilError(code, message, { ...fields, cause: stack }))
    }
  })
  const stopped = (cause?: unknown) =>
    fail(new QueryveilError("internal", "A worker thread stopped. Try with fewer workers (--workers 1).", { cause }))
  worker.on("error", stopped)
  worker.on("exit", () => stopped())
  return {
    waiting: () => owed.length,
    send: (shard: S, report?: Report) =>
      new Promise<R>((resolve, reject) => {
        if (broken !== undefined) return reject(broken)
        owed.push({ resolve, reject, report })
        worker.postMessage(shard, ownedBuffers(shard))
      }),
    fail,
    close: () => worker.terminate(),
  }
}

/** All results of `streamParallel`. */
export async function runParallel<S, R>(
  entry: URL,
  shards: Iterable<S> | AsyncIterable<S>,
  context: RunContext,
): Promise<R[]> {
  const results: R[] = []
  for await (const result of streamParallel<S, R>(entry, shards, context)) results.push(result)
  return results
}

/** The plain (not shared) buffers of a message, found in its objects up to two levels deep. */
function ownedBuffers(message: unknown, depth = 2): ArrayBuffer[] {
  if (typeof message !== "object" || message === null || depth < 0) return []
  if (ArrayBuffer.isView(message)) return message.buffer instanceof ArrayBuffer ? [message.buffer] : []
  return [...new Set(Object.values(message).flatMap((value) => ownedBuffers(value, depth - 1)))]
}
