import type { RunContext } from "../../../kernels/context.ts"
import type { jobKinds } from "../studio-schema.ts"
import { compareJob } from "./compare-job.ts"
import { draftJob } from "./draft-job.ts"
import { explainJob } from "./explain-job.ts"
import { exploreJob } from "./explore-job.ts"
import { inspectJob } from "./inspect-job.ts"
import { type ProjectView, refuseChangedLog } from "./project-view.ts"
import { readLogJob } from "./read-log-job.ts"
import { overlapJob, releaseJob, reportJob } from "./release-job.ts"

type JobKind = (typeof jobKinds)[number]

/** A job's work. Its options were checked by the schema of the request. */
type JobWork = (view: ProjectView, options: never, context: RunContext) => Promise<object>

const work: Record<JobKind, JobWork> = {
  read: readLogJob,
  inspect: inspectJob,
  explore: exploreJob,
  compare: compareJob,
  draft: draftJob,
  explain: explainJob,
  release: releaseJob,
  report: reportJob,
  overlap: overlapJob,
}

/** Does the work of a job. Its products are files of the project; small results are returned. */
export async function runJob(kind: JobKind, view: ProjectView, options: unknown, context: RunContext): Promise<object> {
  await refuseChangedLog(view)
  return work[kind](view, options as never, context)
}
