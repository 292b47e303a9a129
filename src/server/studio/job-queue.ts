import { type ChildProcess, fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { progressText } from "../../app/progress-text.ts"
import type { ProjectView } from "../../app/project/jobs/project-view.ts"
import type { Job } from "../../app/project/studio-schema.ts"
import type { Progress } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { JobAnswer, JobRequest } from "./job-process.ts"
import { JobStore, type StoredJob } from "./job-store.ts"

const entry = fileURLToPath(new URL("./job-process.js", import.meta.url))
/** A process that has not stopped this long after it was asked to is killed. Its work is whole or not there. */
const patience = 10_000
const mostWaiting = 50

/** Work to do, its request, and words for it. */
export interface JobOrder {
  kind: Job["kind"]
  label: string
  options: unknown
}

/** What the queue needs from its surroundings. */
export interface QueueOptions {
  /** The folder of the jobs. */
  folder: string
  /** The project as it is when a job starts. */
  view(): ProjectView
  /** Called with each change of a job. */
  onChange(job: Job): void
  /** Called when a job ends. The job counts as ended when this resolves. */
  onEnd?(job: Job, options: unknown): Promise<void>
  now(): number
}

/** Runs one job at a time, each in a process of its own. Jobs are kept in files, so that a restart finds them. */
export class JobQueue {
  readonly #options: QueueOptions
  readonly #store: JobStore
  readonly #jobs = new Map<string, StoredJob>()
  #running: { id: string; child: ChildProcess; cancelled: boolean } | undefined
  #isClosed = false
  #idle: Promise<void> = Promise.resolve()

  constructor(options: QueueOptions) {
    this.#options = options
    this.#store = new JobStore(options.folder)
  }

  /**
   * Loads earlier jobs. Those that waited or ran start again; results that they had finished are reused. A draw of a
   * release does not start again: it may have been paid for, and choosing among draws leaks.
   */
  async open(onInterrupted: (job: Job) => Promise<unknown>): Promise<void> {
    for (const stored of await this.#store.load()) {
      const { job } = stored
      this.#jobs.set(job.id, stored)
      if (job.state !== "waiting" && job.state !== "running") continue
      if (job.kind === "release" && job.state === "running") {
        await onInterrupted(job)
        await this.#change(job.id, { state: "interrupted", ended: this.#time() })
      } else await this.#change(job.id, { state: "waiting" })
    }
  }

  /** Starts the first job that waits. */
  start(): void {
    this.#next()
  }

  get jobs(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job)
  }

  find(id: string): Job {
    const found = this.#jobs.get(id)
    if (found === undefined) throw new QueryveilError("unknown-name", "There is no such job.")
    return found.job
  }

  async add({ kind, label, options }: JobOrder): Promise<Job> {
    const waiting = this.jobs.filter(({ state }) => state === "waiting")
    if (waiting.length >= mostWaiting)
      throw new QueryveilError("project-busy", "Too many jobs wait. Cancel some, or wait until they are done.")
    const job: Job = { id: randomBytes(12).toString("hex"), kind, label, state: "waiting", created: this.#time() }
    const stored = { job, options }
    await this.#store.write(stored)
    this.#jobs.set(job.id, stored)
    this.#options.onChange(job)
    this.#next()
    return job
  }

  /** Stops a job. What it had finished stays; nothing is left half made. */
  async cancel(id: string): Promise<Job> {
    const job = this.find(id)
    if (this.#running?.id === id) stop(this.#running)
    else if (job.state === "waiting") await this.#change(id, { state: "cancelled", ended: this.#time() })
    return this.find(id)
  }

  /** Stops the job that runs, so that the next start continues with it, and takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#running?.child.kill("SIGKILL")
    await this.#idle
  }

  #next(): void {
    if (this.#isClosed || this.#running !== undefined) return
    const found = [...this.#jobs.values()].find(({ job }) => job.state === "waiting")
    if (found === undefined) return
    this.#idle = this.#run(found)
      .catch((error: unknown) => this.#lose(found.job.id, error))
      .finally(() => {
        this.#running = undefined
        this.#next()
      })
  }

  async #run({ job: { id, kind }, options }: StoredJob): Promise<void> {
    const child = fork(entry, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], serialization: "json" })
    const running = { id, child, cancelled: false }
    this.#running = running
    const watched = this.#watch(running)
    await this.#change(id, { state: "running", started: this.#time() })
    if (child.connected) child.send({ run: { kind, view: this.#options.view(), options } } satisfies JobRequest)
    const outcome = await watched
    if (this.#isClosed) return // the file still says running: the next start continues
    const ended = this.#time()
    if ("done" in outcome) await this.#end(id, { state: "done", ended, ...keptResult(kind, outcome.done) }, options)
    else if (running.cancelled) await this.#end(id, { state: "cancelled", ended }, options)
    else await this.#end(id, { state: "failed", ended, error: outcome.failed }, options)
  }

  /** A job whose file cannot be written has failed, for example because the disk is full. The server goes on. */
  #lose(id: string, error: unknown): void {
    this.#running?.child.kill("SIGKILL")
    const stored = this.#jobs.get(id)
    if (stored === undefined) return
    const known = error instanceof QueryveilError ? { code: error.code, message: error.message } : lostProcess
    const { progress: _, ...job } = { ...stored.job, state: "failed" as const, ended: this.#time(), error: known }
    stored.job = job
    this.#options.onChange(job)
  }

  /** Waits for the end of the process, however it comes. */
  #watch({
    id,
    child,
  }: {
    id: string
    child: ChildProcess
  }): Promise<{ done: object } | { failed: { code: string; message: string } }> {
    return new Promise((resolve) => {
      let last: { done: object } | { failed: { code: string; message: string } } | undefined
      const clock = new StageClock()
      child.on("message", (answer: JobAnswer) => {
        if ("progress" in answer) this.#progress(id, clock.describe(answer.progress))
        else last = answer
      })
      child.on("error", () => {
        if (child.pid === undefined) resolve({ failed: lostProcess }) // it could not be started
      })
      child.on("exit", () => resolve(last ?? { failed: lostProcess }))
    })
  }

  #progress(id: string, progress: Job["progress"]): void {
    const stored = this.#jobs.get(id)
    if (stored === undefined || progress === undefined) return
    stored.job = { ...stored.job, progress }
    this.#options.onChange(stored.job)
  }

  async #end(id: string, change: Partial<Job>, options: unknown): Promise<void> {
    const stored = this.#jobs.get(id)
    if (stored === undefined) return
    const { progress: _, ...job } = { ...stored.job, ...change }
    await this.#options.onEnd?.(job, options)
    await this.#change(id, change)
  }

  /** Nobody sees a state that a restart would not find: it is written first. */
  async #change(id: string, change: Partial<Job>): Promise<void> {
    const stored = this.#jobs.get(id)
    if (stored === undefined) return
    const { progress: _, ...job } = { ...stored.job, ...change }
    await this.#store.write({ ...stored, job })
    stored.job = job
    this.#options.onChange(job)
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString()
  }
}

const lostProcess = {
  code: "internal",
  message: "The process of the job ended without an answer, perhaps for lack of memory. Nothing is half written.",
}

/** Only the results of questions are kept with the job. Other jobs leave files. */
const keptResult = (kind: Job["kind"], result: object) =>
  ["explain", "compare", "overlap", "release", "report"].includes(kind) ? { result } : {}

function stop(running: { child: ChildProcess; cancelled: boolean }): void {
  running.cancelled = true
  if (running.child.connected) running.child.send({ cancel: true } satisfies JobRequest)
  setTimeout(() => running.child.kill("SIGKILL"), patience).unref()
}

/** The share of the whole job that is done: by its outermost step, if there are steps, or else by its stage. */
function shareOf([outermost]: NonNullable<Progress["steps"]>, inner: number | undefined): number | undefined {
  return outermost === undefined ? inner : (outermost.number - 1) / outermost.total
}

/** Turns progress into words, a share and the time left. */
class StageClock {
  #place = ""
  #begun = 0

  describe(progress: Progress): NonNullable<Job["progress"]> {
    const now = performance.now()
    const place = JSON.stringify([progress.stage, progress.steps])
    if (place !== this.#place) {
      this.#place = place
      this.#begun = now
    }
    const seconds = (now - this.#begun) / 1000
    const says = progressText(progress, { seconds, width: 200 })
    const { done, total, left, stage, steps = [] } = progress
    const inner = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
    const isSure = steps.length === 0 && inner !== undefined && inner > 0.02 && seconds > 1
    const secondsLeft = left ?? (isSure ? (seconds * (1 - inner)) / inner : undefined)
    const share = shareOf(steps, inner)
    const rate =
      stage === "reading" && progress.rows !== undefined && seconds > 0.5 ? progress.rows / seconds : undefined
    return {
      says,
      ...(share !== undefined && { share }),
      ...(secondsLeft !== undefined && { secondsLeft }),
      ...(rate !== undefined && { rowsPerSecond: Math.round(rate) }),
    }
  }
}
