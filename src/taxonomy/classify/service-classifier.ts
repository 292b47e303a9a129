import { setTimeout as wait } from "node:timers/promises"
import { interruption, type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { type Classifier, unclassified } from "./classifier.ts"

/** How requests to a service that classifies queries are made. */
export interface ServiceOptions {
  /** Number of queries in one request. */
  batch?: number
  /** Number of concurrent requests. */
  concurrency?: number
  /** Timeout of one request in milliseconds. */
  timeout?: number
  /** Number of attempts of a request before the run fails. */
  tries?: number
  /** Milliseconds before the second attempt. Each further attempt waits twice as long. */
  pause?: number
  /** Maximum number of answers that are cached. */
  remembered?: number
}

/** The address of a service. Throws unless query text travels encrypted or stays on this machine. */
export function serviceAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw new QueryveilError("option-value", "--classifier: not an http or https address.", { flag: "--classifier" })
  if (url.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    const message =
      "--classifier: http:// would send the queries in plain text. Use https://, or a tunnel to localhost."
    throw new QueryveilError("option-value", message, { flag: "--classifier" })
  }
  return url
}

/**
 * A classifier over HTTP: POST {"queries": [text, …]} returns {"paths": [path or null, …]}, one for each query. A path
 * that the taxonomy does not have is an error. Answers are cached, so each query is sent once, up to `remembered`
 * answers.
 */
export function serviceClassifier(taxonomy: Taxonomy, address: URL, options: ServiceOptions = {}): Classifier {
  const { batch = 256, concurrency = 4, timeout = 10_000, tries = 3, pause = 250, remembered = 1 << 20 } = options
  const known = new Map<string, number>()

  const askOnce = async (texts: readonly string[], context: RunContext): Promise<Int32Array> => {
    const response = await fetch(address, {
      method: "POST",
      redirect: "error", // query text goes only where the owner chose to send it
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: texts }),
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(timeout)]),
    })
    if (!response.ok) throw new Failure(`it answered with status ${response.status}`, response.status >= 500)
    return readAnswer(await response.json(), texts.length, taxonomy)
  }

  const ask = async (texts: readonly string[], context: RunContext): Promise<Int32Array> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(texts, context)
      } catch (error) {
        if (context.signal.aborted) throw interruption()
        const failure = failureOf(error)
        if (!failure.passing || attempt === tries) throw unavailable(address, failure.message)
        await wait(pause * 2 ** (attempt - 1), undefined, { signal: context.signal }).catch(() => {
          throw interruption()
        })
      }
    }
  }

  return {
    taxonomy,
    async classify(queries, context) {
      const topics = new Int32Array(new SharedArrayBuffer(queries.size * 4))
      let next = 0
      let done = 0
      const takeBatch = () => {
        const ids: number[] = []
        for (; next < queries.size && ids.length < batch; next++) {
          const node = known.get(queries.text(next))
          if (node === undefined) ids.push(next)
          else topics[next] = node
        }
        return ids
      }
      const lane = async () => {
        for (let ids = takeBatch(); ids.length > 0; ids = takeBatch()) {
          const texts = ids.map((id) => queries.text(id))
          const nodes = await ask(texts, context)
          ids.forEach((id, i) => {
            topics[id] = nodes[i]
            if (known.size < remembered) known.set(texts[i], nodes[i])
          })
          done += ids.length
          await yieldAndReport(context, { stage: "asking the classifier", done, total: queries.size })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, lane))
      return topics
    },
  }
}

/** Why a request failed, and whether a retry may succeed. It never holds what was sent or answered. */
class Failure extends Error {
  readonly passing: boolean
  constructor(message: string, passing: boolean) {
    super(message)
    this.passing = passing
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof DOMException && error.name === "TimeoutError")
    return new Failure("it did not answer in time", true)
  if (error instanceof SyntaxError) return new Failure("its answer is not JSON", false)
  const cause = error instanceof Error ? systemCode(error.cause) : undefined
  return new Failure(`it cannot be reached${cause === undefined ? "" : ` (${cause})`}`, true)
}

function readAnswer(answer: unknown, count: number, taxonomy: Taxonomy): Int32Array {
  const paths = typeof answer === "object" && answer !== null && "paths" in answer ? answer.paths : undefined
  if (!Array.isArray(paths)) throw new Failure('its answer has no list "paths"', false)
  if (paths.length !== count) throw new Failure(`it answered ${count} queries with ${paths.length} paths`, false)
  return Int32Array.from(paths, (path: unknown) => {
    if (path === null) return unclassified
    const node = typeof path === "string" ? taxonomy.find(path) : unclassified
    if (node <= 0) throw new Failure("it answered with a path that is not in the taxonomy", false)
    return node
  })
}

function unavailable(address: URL, why: string): QueryveilError {
  const message = `${address.origin}: the classifier failed: ${why}. Check the service, or leave out --classifier.`
  return new QueryveilError("classifier-service", message, { flag: "--classifier" })
}
