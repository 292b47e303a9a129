import { asCount, asDuration } from "../shared/format.ts"
import type { Job } from "./answers.ts"

/** True while a job waits or runs. */
export const isActive = (job: Job | undefined) => job?.state === "waiting" || job?.state === "running"

/** How fast a job is and how long it still takes, as far as it is known: `120,000 rows per second, 2 min 4 s left`. */
export function sayPace({ progress }: Job): string {
  const { rowsPerSecond, secondsLeft } = progress ?? {}
  return [
    ...(rowsPerSecond === undefined ? [] : [`${asCount(rowsPerSecond)} rows per second`]),
    ...(secondsLeft === undefined ? [] : [`${asDuration(Math.max(1, Math.ceil(secondsLeft)))} left`]),
  ].join(", ")
}

/** How a job ended, or that it waits; empty while it runs. */
export function sayState(job: Job): string {
  if (job.state === "waiting") return "This waits until the work before it is done."
  if (job.state === "cancelled") return "This was cancelled. Nothing of it was kept."
  if (job.state === "interrupted") return "The studio ended during this. Nothing of it was kept. Start it again."
  if (job.state === "failed") return job.error?.message ?? "This failed."
  return job.state === "done" ? "Done." : ""
}

/**
 * The jobs that a page knows after the server listed some. A job that is known to have ended stays so: an answer can
 * arrive after a later event.
 */
export function mergeJobs(known: readonly Job[], listed: readonly Job[]): Job[] {
  const ended = new Map(known.filter((job) => !isActive(job)).map((job) => [job.id, job]))
  return listed.map((job) => (isActive(job) ? (ended.get(job.id) ?? job) : job))
}

/** The jobs after an event about one of them. */
export function updateJobs(known: readonly Job[], job: Job): Job[] {
  return known.some(({ id }) => id === job.id) ? known.map((one) => (one.id === job.id ? job : one)) : [...known, job]
}

/** The newest job of a kind. */
export function newestOf(jobs: readonly Job[], kind: Job["kind"]): Job | undefined {
  return jobs
    .filter((job) => job.kind === kind)
    .reduce<Job | undefined>((last, job) => (last === undefined || job.created >= last.created ? job : last), undefined)
}
