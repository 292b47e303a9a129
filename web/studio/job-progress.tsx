import type { Job } from "./answers.ts"
import { isActive, sayPace, sayState } from "./job-words.ts"

interface JobProgressProps {
  job: Job
  onCancel(): void
}

/**
 * A piece of work: what it does, how far it is, how long it still takes, and a button that cancels it. Says how it
 * ended if it failed or was cancelled; shows nothing if it is done.
 */
export function JobProgress({ job, onCancel }: JobProgressProps) {
  if (job.state === "done") return null
  if (!isActive(job)) {
    return (
      <p class={job.state === "failed" ? "notice bad" : "notice warn"}>
        <b>{job.label}:</b> {job.state === "failed" && "it failed. "} <bdi>{sayState(job)}</bdi>
      </p>
    )
  }
  const { share } = job.progress ?? {}
  const says = [job.progress?.says ?? "starting", sayPace(job)].filter((part) => part !== "").join(" · ")
  return (
    <div class="job">
      <div class="head">
        <b>{job.label}</b>
        <button type="button" class="plain" aria-label={`Cancel: ${job.label}`} onClick={onCancel}>
          Cancel
        </button>
      </div>
      <progress aria-label={job.label} max={1} {...(share !== undefined && { value: share })} />
      <p class="quiet">{job.state === "waiting" ? sayState(job) : says}</p>
    </div>
  )
}
