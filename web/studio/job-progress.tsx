import type { Job } from "./answers.ts"

/** How far a job is. */
export function JobProgress({ job, onCancel }: { job: Job; onCancel(): void }) {
  const { says = job.label, share } = job.progress ?? {}
  return (
    <div class="notice">
      <p>{says}</p>
      <progress max={1} {...(share !== undefined && { value: share })} />
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
