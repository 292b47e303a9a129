import { interruption, type Progress, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { type Lane, openLane } from "../kernels/parallel.ts"
import type { PointShard, SharedSubject } from "./compute-point.worker.ts"
import { describePoint } from "./describe-point.ts"
import { type Effort, estimateLeft } from "./estimate-left.ts"
import type { Point, PointOutput, Study, StudySubject } from "./study.ts"

const worker = new URL("./compute-point.worker.js", import.meta.url)

/** A point to compute, and the input of its thread. */
export interface PointTask {
  point: Point
  hash: string
  shard: PointShard
}

export interface TaskOptions {
  threads: NonNullable<Study["threads"]>
  /** The number of points in all, and the seconds that the points computed before took. */
  total: number
  known: readonly { point: Point; seconds: number }[]
  /** Stores a finished point. The next point starts when this resolves. */
  keep(task: PointTask, output: PointOutput, seconds: number): Promise<void>
}

/**
 * Computes points on threads, one per worker, the costliest first, so that the run does not end with one long point. A
 * failure or an interruption stops all threads at once. Points that were stored by then stay.
 */
export async function computePoints(
  tasks: readonly PointTask[],
  options: TaskOptions,
  context: RunContext,
): Promise<void> {
  if (tasks.length === 0) return
  const { threads, total } = options
  const effortOf = ({ point }: { point: Point }): Effort => ({
    kind: threads.kindOf(point),
    cost: threads.costOf(point),
  })
  const waiting = [...tasks].sort((a, b) => threads.costOf(b.point) - threads.costOf(a.point))
  const running = new Map<PointTask, { start: number; number: number; progress: Progress }>()
  const done = options.known.map((known) => ({ ...effortOf(known), seconds: known.seconds }))
  const since = (start: number) => (context.now() - start) / 1000
  const lanes = Array.from({ length: Math.min(context.workers, tasks.length) }, () =>
    openLane<PointShard, PointOutput>(worker),
  )
  const reportProgress = () => {
    const underWay = [...running].map(([task, { start }]) => ({ ...effortOf(task), seconds: since(start) }))
    const left = estimateLeft({ done, running: underWay, waiting: waiting.map(effortOf) }, { workers: lanes.length })
    const [longest] = running // of several points, report the one that has run longest
    if (longest === undefined) return
    const [{ point }, { number, progress }] = longest
    const step = { kind: "point", number, total, name: describePoint(point) }
    const steps = [step, ...(progress.steps ?? [])]
    context.report({ ...progress, steps, ...(left === undefined ? {} : { left }) })
  }
  let stopped: { reason: unknown } | undefined
  const stop = (reason: unknown) => {
    stopped ??= { reason } // remembered for lanes that are between two points and have nothing to fail
    waiting.length = 0
    for (const lane of lanes) lane.fail(reason)
  }
  const work = async (lane: Lane<PointShard, PointOutput>) => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const start = context.now()
      const state = { start, number: total - waiting.length, progress: { stage: "starting", done: 0 } }
      running.set(task, state)
      const output = await lane.send(task.shard, (progress) => {
        state.progress = progress
        reportProgress()
      })
      await options.keep(task, output, since(start))
      running.delete(task)
      done.push({ ...effortOf(task), seconds: since(start) })
      reportProgress()
    }
  }
  const interrupt = () => stop(interruption())
  context.signal.addEventListener("abort", interrupt, { once: true })
  const clock = setInterval(reportProgress, 1000)
  try {
    stopIfCancelled(context)
    const ends = lanes.map((lane) => work(lane))
    for (const end of ends) end.catch(stop)
    await Promise.allSettled(ends)
    if (stopped !== undefined) throw stopped.reason
  } finally {
    clearInterval(clock)
    context.signal.removeEventListener("abort", interrupt)
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

/** The part of a subject that threads share. The refused lines are left out: they matter only for reading the log. */
export function shareSubject({ log, intake, ...rest }: StudySubject): SharedSubject {
  const { users, queries, urls, categories, ...columns } = log
  const nothing = { line: new Uint32Array(0), reason: new Uint8Array(0) }
  return {
    ...rest,
    log: {
      ...columns,
      users: users.parts(),
      queries: queries.parts(),
      urls: urls.parts(),
      ...(categories && { categories: categories.parts() }),
    },
    ...(intake && { intake: { ...intake, rejects: nothing } }),
  }
}
