import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Static } from "#typebox"
import { allowedPath, listFiles, lookAtFiles } from "../../app/project/choose-files.ts"
import { refuseRelease, restoreSignatures, signRelease } from "../../app/project/decide-release.ts"
import { describeDraft } from "../../app/project/describe-draft.ts"
import { describeExplore, readPoints } from "../../app/project/describe-explore.ts"
import { changeExempt, describeExposure, refuseUnseen, unmaskSamples } from "../../app/project/describe-exposure.ts"
import { describeRegister } from "../../app/project/describe-register.ts"
import { describeState } from "../../app/project/describe-state.ts"
import { handOut } from "../../app/project/hand-out.ts"
import { type DraftFile, draftFile } from "../../app/project/jobs/draft-job.ts"
import { choiceOf, choiceStamp, logStamp, type ProjectView } from "../../app/project/jobs/project-view.ts"
import { listReleases } from "../../app/project/list-releases.ts"
import { readPeriod, readProduct } from "../../app/project/products.ts"
import { releaseFolder } from "../../app/project/releases.ts"
import type { bodies, Job, StudioState } from "../../app/project/studio-schema.ts"
import { exists } from "../../files/partial-names.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type Lane, openLane } from "../../kernels/parallel.ts"
import type { Project, SettingsChange } from "../../project/open-project.ts"
import { readRecord } from "../../project/record-chain.ts"
import { fingerprintSigned, readSignature } from "../../project/signature.ts"
import { completeOptions, findMethod } from "../../release/anonymize.ts"
import { JobQueue } from "./job-queue.ts"

type Body<K extends keyof typeof bodies> = Static<(typeof bodies)[K]>

/** What the page hears while it is open. */
export type StudioEvent = { job: Job } | { changed: "state" | "points" | "register" }

const rowsWorker = new URL("./rows.worker.js", import.meta.url)

/** Does what the page asks of a project: reads and changes its files, and runs jobs. */
export class StudioDesk {
  readonly #project: Project
  readonly #queue: JobQueue
  readonly #isDemo: boolean
  readonly #listeners = new Set<(event: StudioEvent) => void>()
  #rows: Lane<unknown, object> | undefined
  /** Decisions that are being made. */
  #deciding = 0
  #looked = 0
  #points = 0
  readonly #onRemoved: () => void

  constructor(project: Project, options: { demo: boolean; now(): number; onRemoved(): void }) {
    this.#project = project
    this.#isDemo = options.demo
    this.#onRemoved = options.onRemoved
    this.#queue = new JobQueue({
      folder: project.paths.jobs,
      view: () => this.#view,
      onChange: (job) => {
        this.#tell({ job })
        if (job.kind === "explore") void this.#lookForPoints()
      },
      onEnd: (job) => this.#ended(job),
      now: options.now,
    })
  }

  /** Loads earlier jobs, and restarts those that had not ended. */
  async open(): Promise<void> {
    await this.#queue.open((job) => this.#project.record({ kind: "draw interrupted", facts: { release: job.label } }))
    await restoreSignatures(this.#project)
    if (this.#isDemo && this.#queue.jobs.length === 0) {
      await this.#queue.add({ kind: "read", label: "Read the log", options: {} })
      await this.start("inspect", {})
      await this.start("explore", { of: "sample" })
    }
    this.#queue.start()
  }

  listen(listener: (event: StudioEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  state(): Promise<StudioState> {
    return describeState(this.#project, { jobs: this.#queue.jobs, demo: this.#isDemo })
  }

  files = (body: Body<"list">) => listFiles(this.#project.settings, body)
  look = (body: Body<"look">) => lookAtFiles(this.#project.settings, body)
  exposure = () => describeExposure(this.#view)
  explore = () => describeExplore(this.#view)
  draft = () => describeDraft(this.#view)
  register = () => describeRegister(this.#project)
  job = (id: string) => this.#queue.find(id)
  cancel = (id: string) => this.#queue.cancel(id)

  /** Chooses the log and starts to read it. A read of another log is stopped. */
  async chooseLog({ revision, files, columns, format, encoding, person }: Body<"log">): Promise<Job> {
    const chosen = []
    for (const path of files) {
      const real = await allowedPath(this.#project.settings.folders, path)
      const { size, mtimeMs } = await stat(real)
      chosen.push({ path: real, bytes: size, modified: mtimeMs })
    }
    const places = Object.entries(columns).map(([name, place]) => `${name}=${place}`)
    const reading = {
      ...(places.length > 0 && { columns: places.join(",") }),
      ...(format !== undefined && { format: format as "auto" }),
      ...(encoding !== undefined && { encoding }),
    }
    await this.change({ revision, set: { log: { files: chosen, reading, person } } })
    for (const job of this.#queue.jobs) if (job.kind === "read" && isOpen(job)) await this.#queue.cancel(job.id)
    return this.#queue.add({ kind: "read", label: "Read the log", options: {} })
  }

  async unmask({ samples }: Body<"unmask">) {
    const { stamp, ...texts } = await unmaskSamples(this.#view, samples)
    await this.#project.record({ kind: "unmasked", facts: { samples: samples.length, ids: samples, stamp } })
    this.#tell({ changed: "register" })
    return texts
  }

  async exempt({ revision, add, remove }: Body<"exempt">): Promise<StudioState> {
    await refuseUnseen(this.#view, add)
    await this.#project.change({ revision, set: {} })
    const queries = await changeExempt(this.#view, { add, remove })
    await this.#project.record({ kind: "exempted", facts: { queries, added: add, removed: remove } })
    this.#tell({ changed: "state" })
    return this.state()
  }

  async change(change: SettingsChange): Promise<StudioState> {
    await this.#project.change(change)
    this.#tell({ changed: "state" })
    return this.state()
  }

  /** Chooses a method. Impossible parameters are refused now, not when the release is made. */
  async choose({
    revision,
    choice,
  }: {
    revision: number
    choice: Omit<Body<"choice">, "revision">
  }): Promise<StudioState> {
    completeOptions(findMethod(choice.method), choice.parameters)
    return this.change({ revision, set: { choice } })
  }

  async start(kind: Exclude<Job["kind"], "read">, options: unknown): Promise<Job> {
    if (kind === "release") return this.#draw(options as Body<"release">)
    if (kind === "report") {
      await refuseSigned(releaseFolder(this.#project, (options as Body<"named">).name))
      if (this.#deciding > 0) throw new QueryveilError("project-busy", "Somebody decides on a release just now. Wait.")
    }
    if (kind === "overlap")
      for (const name of Object.values(options as Body<"overlap">)) releaseFolder(this.#project, name)
    // With a weak method, a draft shows texts that the other screens mask.
    if (kind === "draft") await this.#project.record({ kind: "drafted", facts: { ...this.#project.settings.choice } })
    return this.#queue.add({ kind, label: labels[kind], options })
  }

  /** Draws a release. A further draw needs a reason, because choosing among draws leaks. */
  #draw(body: Body<"release">): Promise<Job> {
    return this.#project.exclusive(() => this.#drawAlone(body))
  }

  async #drawAlone({ name, reason = "" }: Body<"release">): Promise<Job> {
    const folder = releaseFolder(this.#project, name)
    const { choice, log } = this.#project.settings
    if (choice === undefined || log === undefined) throw new QueryveilError("usage", "Choose a log and a method first.")
    if (await exists(folder))
      throw new QueryveilError("output-exists", `${name}: there is a release of this name. Choose another name.`)
    const { releases } = await listReleases(this.#project)
    const { entries } = await readRecord(this.#project.paths.record)
    const isFurther = releases.length > 0 || entries.some(({ kind }) => kind === "drawn")
    if (isFurther && reason.trim() === "")
      throw new QueryveilError(
        "usage",
        "This project has a draw already. Choosing among draws leaks, so say why another one is made.",
      )
    await choiceOf(this.#view).then(({ method, ...given }) => completeOptions(findMethod(method), given))
    const stamp = await choiceStamp(this.#view)
    await this.#project.record({
      kind: "drawn",
      facts: {
        release: name,
        method: choice.method,
        parameters: choice.parameters,
        stamp,
        log: logStamp(this.#view),
        ...(await readPeriod(this.#view)),
        ...(reason.trim() !== "" && { reason: reason.trim() }),
      },
    })
    this.#tell({ changed: "register" })
    return this.#queue.add({ kind: "release", label: name, options: { name, stamp } })
  }

  async rows(request: Body<"rows">): Promise<object> {
    const draft = await readProduct<DraftFile>(draftFile(this.#view))
    if (draft === undefined) throw new QueryveilError("unknown-name", "There is no draft yet.")
    this.#rows ??= openLane(rowsWorker)
    return this.#rows.send({ folder: this.#project.paths.draft, stamp: draft.at, request })
  }

  /** While somebody decides, no report is made: it would replace the one that is signed. */
  async decide(decision: "sign" | "refuse", body: Body<"decide">) {
    this.#deciding++
    try {
      return await this.#decideAlone(decision, body)
    } finally {
      this.#deciding--
    }
  }

  async #decideAlone(decision: "sign" | "refuse", { release, seen, ...given }: Body<"decide">) {
    const { manifest, report } = await fingerprintSigned(releaseFolder(this.#project, release))
    if (manifest !== seen.manifest || report !== seen.report)
      throw new QueryveilError(
        "project-changed",
        "The release or its report is not the one that was read. Read it again.",
      )
    if (this.#queue.jobs.some((job) => isOpen(job) && (job.kind === "report" || job.kind === "release")))
      throw new QueryveilError(
        "project-busy",
        "A release is being made or checked. Wait until that is done, then decide.",
      )
    if (given.accept.includes("all")) throw new QueryveilError("option-value", "Accept each point by its words.")
    if (decision === "sign") await signRelease(this.#project, release, given)
    else await refuseRelease(this.#project, release, { name: given.name, reason: given.reason })
    this.#tell({ changed: "register" })
    return this.register()
  }

  async handOut({ release, to }: Body<"handOut">) {
    const { files } = await handOut(this.#project, release, to)
    this.#tell({ changed: "register" })
    return { to, files }
  }

  /** Deletes the project except its ledger and its record: what was spent and decided stays known. */
  async remove({ id }: Body<"remove">): Promise<{ kept: string }> {
    const { paths, settings } = this.#project
    if (id !== settings.id) throw new QueryveilError("option-value", "Give the id of the project to delete it.")
    await this.#queue.close()
    await this.#rows?.close()
    // What can be made again goes first: on a full disk, the record then has room.
    const remove = async (parts: readonly string[]) => {
      for (const path of parts) await rm(path, { recursive: true, force: true })
    }
    await remove([paths.cache, paths.frontier, join(paths.draft, ".."), paths.read, paths.exposure])
    await this.#project.record({ kind: "deleted", facts: {} })
    await remove([paths.releases, paths.audits, paths.jobs, paths.exempt, paths.token, paths.settings])
    this.#onRemoved()
    return { kept: paths.root }
  }

  async close(): Promise<void> {
    await this.#queue.close()
    await this.#rows?.close()
  }

  get #view(): ProjectView {
    return { paths: this.#project.paths, settings: this.#project.settings }
  }

  #tell(event: StudioEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Tells the page when points were added while they are computed. Looks at most once a second. */
  async #lookForPoints(): Promise<void> {
    const now = performance.now()
    if (now - this.#looked < 1000) return
    this.#looked = now
    const counts = [await readPoints(this.#view, "sample"), await readPoints(this.#view, "whole")]
    const points = counts.reduce((sum, { length }) => sum + length, 0)
    if (points !== this.#points) this.#tell({ changed: "points" })
    this.#points = points
  }

  async #ended(job: Job): Promise<void> {
    if (job.kind === "explore") this.#tell({ changed: "points" })
    else if (["release", "report", "overlap"].includes(job.kind)) this.#tell({ changed: "register" })
    this.#tell({ changed: "state" })
  }
}

/** A report that was signed is never made again: the signature is of that report. */
async function refuseSigned(folder: string): Promise<void> {
  if ((await readSignature(folder)) !== "none")
    throw new QueryveilError("output-exists", "The release is signed, so that its report is not made again.")
}

const isOpen = ({ state }: Job) => state === "waiting" || state === "running"

const labels: Record<Exclude<Job["kind"], "read" | "release">, string> = {
  inspect: "Inspect the log",
  explore: "Compare methods",
  compare: "Compare two points",
  draft: "Make a draft",
  explain: "Explain a query",
  report: "Verify, attack and measure",
  overlap: "Attack two releases together",
}
