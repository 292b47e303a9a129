import { useEffect, useState } from "preact/hooks"
import type { Job } from "./answers.ts"
import type { Studio } from "./studio.ts"

/** Starts jobs of a kind. `isStarting` is true until the server has accepted the job. */
export function useStart(studio: Studio, kind: Exclude<Job["kind"], "read">) {
  const [isStarting, setStarting] = useState(false)
  const start = async (body: object = {}): Promise<Job | undefined> => {
    setStarting(true)
    try {
      const job = await studio.api.start(kind, body)
      studio.reload()
      return job
    } catch (error) {
      studio.fail(error)
      return undefined
    } finally {
      setStarting(false)
    }
  }
  return { start, isStarting }
}

/** The result of a job that is done. Asks for it if the job came without one. */
export function useResult(studio: Studio, job: Job | undefined): unknown {
  const [asked, setAsked] = useState<Job>()
  const isMissing = job?.state === "done" && job.result === undefined
  const id = isMissing ? job.id : undefined
  const { api, fail } = studio
  useEffect(() => {
    if (id === undefined) return
    let isCurrent = true
    api.job(id).then((found) => isCurrent && setAsked(found), fail)
    return () => {
      isCurrent = false
    }
  }, [id, api, fail])
  if (job?.state !== "done") return undefined
  return job.result ?? (asked?.id === job.id ? asked.result : undefined)
}
