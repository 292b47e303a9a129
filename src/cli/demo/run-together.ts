import type { RunContext } from "../../index.ts"

type Job<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs two jobs at once, or one after the other if there is one worker. If one fails, the other is stopped, and the
 * failure is thrown when both have ended.
 */
export async function runTogether<A, B>(
  first: Job<A>,
  second: Job<B>,
  { signal, workers }: RunContext,
): Promise<[A, B]> {
  if (workers === 1) return [await first(signal), await second(signal)]
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  let failure: { reason: unknown } | undefined
  const fail = (reason: unknown) => {
    failure ??= { reason } // the other job then fails too, because it was stopped
    stop.abort()
  }
  const jobs = [first(either), second(either)] as const
  for (const job of jobs) job.catch(fail)
  await Promise.allSettled(jobs)
  if (failure !== undefined) throw failure.reason
  return Promise.all(jobs)
}
