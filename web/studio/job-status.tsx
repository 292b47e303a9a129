import type { Job } from "./answers.ts"
import { JobProgress } from "./job-progress.tsx"
import { isActive } from "./job-words.ts"
import type { Studio } from "./studio.ts"

/** The progress of the newest job of a kind, or why it gave nothing. Shows nothing of a job that is done. */
export function JobStatus({ studio, job, ended }: { studio: Studio; job: Job | undefined; ended: string }) {
  if (job === undefined || job.state === "done") return null
  if (isActive(job))
    return <JobProgress job={job} onCancel={() => void studio.api.cancel(job.id).then(studio.reload, studio.fail)} />
  if (job.state === "failed")
    return (
      <p class="notice bad" role="alert">
        {job.error?.message ?? "This did not succeed."}
      </p>
    )
  const why = job.state === "cancelled" ? "Cancelled." : "The studio ended while this was running."
  return (
    <p class="notice">
      {why} {ended}
    </p>
  )
}
