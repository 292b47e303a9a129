import { describe, expect, test } from "vitest"
import { type ContextOptions, createContext } from "#dist/kernels/context.js"
import { QueryveilError } from "#dist/kernels/error.js"
import { runParallel, streamParallel } from "#dist/kernels/parallel.js"

const entry = new URL("./fixtures/shards.mjs", import.meta.url)
const crash = new URL("./fixtures/crash.mjs", import.meta.url)

type Shard =
  | { kind: "where" | "refuse" | "break" | "silent" | "exit" }
  | { kind: "work"; id: number; rounds: number }
  | { kind: "double"; owned: Uint32Array; shared: Uint32Array }

function run<R = unknown>(shards: Iterable<Shard> | AsyncIterable<Shard>, options: ContextOptions = {}): Promise<R[]> {
  return runParallel<Shard, R>(entry, shards, createContext({ workers: 2, ...options }))
}

/** The reason with which a run is refused. */
async function refusal(result: Promise<unknown>): Promise<unknown> {
  return result.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const where = { kind: "where" } as const
const silent = { kind: "silent" } as const

describe("the results of parallel work", () => {
  test.each([1, 2, 3])("arrive in the order of the shards, with %d workers", async (workers) => {
    // The first shards take longest, so that later ones are ready before them.
    const shards = Array.from({ length: 12 }, (_, id): Shard => ({ kind: "work", id, rounds: (12 - id) * 100_000 }))
    const results = await run<{ id: number }>(shards, { workers })
    expect(results.map(({ id }) => id)).toEqual(shards.map((_, id) => id))
  })

  test("are the same whatever the number of workers, from lists, generators and streams", async () => {
    const list = Array.from({ length: 5 }, (_, id): Shard => ({ kind: "work", id, rounds: id * 1000 }))
    const stream = async function* () {
      yield* list
    }
    const expected = await run(list, { workers: 1 })
    expect(await run(list)).toEqual(expected)
    expect(await run(list.values())).toEqual(expected)
    expect(await run(stream())).toEqual(expected)
  })

  test("are empty without shards", async () => {
    expect(await run([])).toEqual([])
  })

  test("of a single shard are made in this thread, of several in workers", async () => {
    expect(await run([where])).toEqual([{ main: true }])
    expect(await run([where, where])).toEqual([{ main: false }, { main: false }])
    expect(await run([where, where], { workers: 1 })).toEqual([{ main: true }, { main: true }])
  })

  test("hand plain buffers over and share shared ones", async () => {
    const shared = new Uint32Array(new SharedArrayBuffer(8))
    shared.set([1, 2])
    const owned = [Uint32Array.of(5, 6), Uint32Array.of(7)]
    const shards = owned.map((one): Shard => ({ kind: "double", owned: one, shared }))
    const results = await run<{ owned: Uint32Array }>(shards, { workers: 2 })
    expect(results.map((result) => [...result.owned])).toEqual([[10, 12], [14]])
    expect(owned.map(({ length }) => length)).toEqual([0, 0])
    expect([...shared]).toEqual([4, 8])
  })
})

describe("the source of the shards", () => {
  test("is read at most two shards ahead per worker", async () => {
    let pulled = 0
    const source = function* (): Generator<Shard> {
      for (; pulled < 20; ) {
        pulled++
        yield where
      }
    }
    let taken = 0
    for await (const _ of streamParallel<Shard, unknown>(entry, source(), createContext({ workers: 2 }))) {
      expect(pulled - taken).toBeLessThanOrEqual(4)
      taken++
    }
    expect([pulled, taken]).toEqual([20, 20])
  })

  test.each([1, 2])("is closed when the results are no longer wanted, with %d workers", async (workers) => {
    let closed = false
    const source = function* (): Generator<Shard> {
      try {
        for (;;) yield where
      } finally {
        closed = true
      }
    }
    for await (const _ of streamParallel<Shard, unknown>(entry, source(), createContext({ workers }))) break
    expect(closed).toBe(true)
  })

  test.each([1, 2])("that fails gives its own error, with %d workers", async (workers) => {
    const trouble = new QueryveilError("input-gzip", "The gzip data is damaged. Copy the file again.")
    const source = function* (): Generator<Shard> {
      yield where
      yield where
      throw trouble
    }
    expect(await refusal(run(source(), { workers }))).toBe(trouble)
  })
})

describe("an error in a worker", () => {
  test("arrives as a QueryveilError with its code, fields and message", async () => {
    const error = await refusal(run([where, { kind: "refuse" }, where]))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({
      code: "input-rows",
      fields: { file: "a.txt", line: 7 },
      message: "Line 7 is no row. Correct it.",
    })
  })

  test("has the same code when the shard ran in this thread", async () => {
    expect(await refusal(run([{ kind: "refuse" }]))).toMatchObject({ code: "input-rows", fields: { line: 7 } })
  })

  test("that was not expected is internal, and keeps its origin as its cause", async () => {
    const error = await refusal(run([where, { kind: "break" }]))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "internal", cause: expect.stringContaining("TypeError: broken") })
  })

  test("comes after the results before it", async () => {
    const seen: unknown[] = []
    const shards: Shard[] = [where, where, { kind: "break" }, where]
    const drain = async () => {
      for await (const result of streamParallel<Shard, unknown>(entry, shards, createContext({ workers: 2 }))) {
        seen.push(result)
      }
    }
    expect(await refusal(drain())).toMatchObject({ code: "internal" })
    expect(seen).toHaveLength(2)
  })

  test("that does not even start is an internal error that says what to try", async () => {
    const error = await refusal(runParallel(crash, [1, 2, 3], createContext({ workers: 2 })))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "internal", message: expect.stringContaining("--workers 1") })
  })

  test("that ends without an answer is an internal error, not an endless wait", async () => {
    // The signal only guards against waiting for ever: it makes a run that waits "interrupted".
    const error = await refusal(run([{ kind: "exit" }, { kind: "exit" }], { signal: AbortSignal.timeout(3000) }))
    expect(error).toMatchObject({ code: "internal" })
  })
})

describe("an interruption", () => {
  test("stops workers that would never answer", async () => {
    const controller = new AbortController()
    const source = async function* (): AsyncGenerator<Shard> {
      yield silent
      yield silent
      setImmediate(() => controller.abort())
    }
    const error = await refusal(run(source(), { signal: controller.signal }))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "interrupted" })
  })

  test.each([1, 2])("between two shards stops the run, with %d workers", async (workers) => {
    const controller = new AbortController()
    const source = function* (): Generator<Shard> {
      yield where
      yield where
      controller.abort()
      for (;;) yield where
    }
    const error = await refusal(run(source(), { workers, signal: controller.signal }))
    expect(error).toMatchObject({ code: "interrupted" })
  })

  test.each([
    [1, 2],
    [3, 2],
    [1, 1],
    [3, 1],
  ])("before the start stops a run of %d shards on %d workers", async (shards, workers) => {
    const error = await refusal(run(Array<Shard>(shards).fill(where), { workers, signal: AbortSignal.abort() }))
    expect(error).toBeInstanceOf(QueryveilError)
    expect(error).toMatchObject({ code: "interrupted" })
  })
})
