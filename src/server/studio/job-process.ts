import type { ProjectView } from "../../app/project/jobs/project-view.ts"
import { runJob } from "../../app/project/jobs/run-job.ts"
import type { jobKinds } from "../../app/project/studio-schema.ts"
import { createContext, type Progress } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"

/** What the server asks of the process. */
export type JobRequest =
  | { run: { kind: (typeof jobKinds)[number]; view: ProjectView; options: unknown } }
  | { cancel: true }

/** What the process answers. Progress never contains text of the log. */
export type JobAnswer = { progress: Progress } | { done: object } | { failed: { code: string; message: string } }

const reportEvery = 200

/**
 * The process of one job. Heavy work runs here, so that the server answers at any moment, and memory is given back when
 * the job ends. It stops when the server asks it to, and when the server is gone.
 */
function serveJob(): void {
  if (process.send === undefined) return
  const answer = (message: JobAnswer) => process.send?.(message)
  const controller = new AbortController()
  let reported = 0
  const report = (progress: Progress) => {
    const now = performance.now()
    if (now - reported < reportEvery && progress.done !== progress.total) return
    reported = now
    answer({ progress })
  }
  process.on("disconnect", () => {
    controller.abort()
    setTimeout(() => process.exit(1), 2000).unref()
  })
  process.on("message", async (message: JobRequest) => {
    if ("cancel" in message) return controller.abort()
    const { kind, view, options } = message.run
    try {
      const context = createContext({ signal: controller.signal, report })
      answer({ done: await runJob(kind, view, options, context) })
    } catch (error) {
      answer({ failed: describeError(error) })
    }
    process.disconnect()
  })
}

function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof QueryveilError) return { code: error.code, message: error.message }
  const name = error instanceof Error ? error.name : "unknown"
  return { code: "internal", message: `Something went wrong inside queryveil (${name}).` }
}

serveJob()
