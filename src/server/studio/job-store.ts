import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Value } from "#typebox"
import { type Job, jobSchema } from "../../app/project/studio-schema.ts"
import { isPartial } from "../../files/partial-names.ts"
import { writeFileWhole } from "../../files/write-file.ts"

/** A job with what it was asked to do. The request is private: it may hold a query. */
export interface StoredJob {
  job: Job
  options: unknown
}

/** Older jobs are removed. */
const mostKept = 100

/** The jobs of a project, one file each, so that a restart finds them again. */
export class JobStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** All jobs that can be read, the oldest first. Removes what a killed process left unfinished. */
  async load(): Promise<StoredJob[]> {
    const found: StoredJob[] = []
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (isPartial(name)) await rm(path, { force: true })
      else if (name.endsWith(".json"))
        found.push(...(await readStored(path)).filter(({ job }) => name === `${job.id}.json`))
    }
    found.sort((a, b) => (a.job.created < b.job.created ? -1 : 1))
    for (const { job } of found.slice(0, -mostKept)) await rm(this.#path(job.id), { force: true })
    return found.slice(-mostKept)
  }

  async write(stored: StoredJob): Promise<void> {
    const { progress: _, ...job } = stored.job
    await writeFileWhole(this.#path(job.id), `${JSON.stringify({ ...stored, job })}\n`, { mode: 0o600 })
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`)
  }
}

async function readStored(path: string): Promise<StoredJob[]> {
  try {
    const value: { job?: unknown; options?: unknown } = JSON.parse(await readFile(path, "utf8"))
    return Value.Check(jobSchema, value.job) ? [{ job: value.job, options: value.options }] : []
  } catch {
    return [] // a damaged job is lost; its products are not
  }
}
