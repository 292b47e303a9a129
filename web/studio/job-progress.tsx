import type { Job } from "./answers.ts"

/** How far a job is, and a button that stops it. */
export function JobProgress({ job, onCancel }: { job: Job; onCancel(): void }) {
  return (
    <div class="panel">
      <p>{job.progress?.says ?? job.label}</p>
      <progress max={1} value={job.progress?.share} aria-label={job.label} />
      <button type="button" class="plain" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
