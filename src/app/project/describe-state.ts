import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Project } from "../../project/open-project.ts"
import { packageVersion } from "../../release/package-version.ts"
import { describeParameters } from "../../study/figures/parameter-names.ts"
import { readPoints } from "./describe-explore.ts"
import { exemptQueries } from "./describe-exposure.ts"
import { type DraftFile, draftFile } from "./jobs/draft-job.ts"
import { type ExploredFile, exploredFile } from "./jobs/explore-job.ts"
import type { ExposureFile } from "./jobs/inspect-job.ts"
import { choiceStamp, logStamp, type ProjectView } from "./jobs/project-view.ts"
import { ageOf, readProduct } from "./products.ts"
import { studioCommands } from "./studio-commands.ts"
import type { Job, StudioState } from "./studio-schema.ts"

type ReadFile = { stamp: string; at: string } & Omit<NonNullable<NonNullable<StudioState["log"]>["read"]>, "stale">

/** Everything that the page needs at a glance. */
export async function describeState(
  project: Project,
  { jobs, demo }: { jobs: readonly Job[]; demo: boolean },
): Promise<StudioState> {
  const { paths, settings } = project
  const view = { paths, settings }
  const { choice } = settings
  const exempt = (await exemptQueries(view)).size
  const log = await describeLog(view)
  const isSame = log?.files.every(({ state }) => state === "same") ?? true
  const stamp = isSame ? logStamp(view) : "the log changed"
  return {
    project: {
      id: settings.id,
      folder: paths.root,
      created: settings.created,
      revision: settings.revision,
      version: packageVersion(),
      demo,
    },
    folders: settings.folders,
    log,
    exposure: await describeProduct<ExposureFile>(paths.exposure, stamp),
    exempt,
    purpose: settings.purpose ?? null,
    explore: {
      sample: await describeProduct<ExploredFile>(exploredFile(view, "sample"), stamp),
      whole: await describeProduct<ExploredFile>(exploredFile(view, "whole"), stamp),
      points: (await readPoints(view, "sample")).length + (await readPoints(view, "whole")).length,
    },
    choice:
      choice === undefined
        ? null
        : { ...choice, name: `${choice.method}, ${describeParameters(choice.method, choice.parameters)}` },
    budget: settings.budget ?? null,
    draft: await describeMade(view, isSame),
    releases: (await readdir(paths.releases, { withFileTypes: true })).filter((entry) => entry.isDirectory()).length,
    jobs: shownJobs(jobs),
    disk: await measureDisk(paths.root),
    commands: studioCommands(view, exempt > 0),
  }
}

async function describeLog(view: ProjectView): Promise<StudioState["log"]> {
  const { log } = view.settings
  if (log === undefined) return null
  const read = await readProduct<ReadFile>(view.paths.read)
  const files = await Promise.all(log.files.map(describeFile))
  const isSame = files.every(({ state }) => state === "same")
  return {
    files,
    reading: Object.fromEntries(Object.entries(log.reading).map(([key, value]) => [key, String(value)])),
    person: log.person,
    read: read === undefined ? null : { ...read, stale: read.stamp !== logStamp(view) || !isSame },
  }
}

type LogFile = NonNullable<ProjectView["settings"]["log"]>["files"][number]

/** Whether a file of the log is still as it was when it was chosen. */
async function describeFile({ path, bytes, modified }: LogFile) {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile()) return { path, bytes, state: "missing" as const }
  const isSame = found.size === bytes && found.mtimeMs === modified
  return { path, bytes: found.size, state: isSame ? ("same" as const) : ("changed" as const) }
}

async function describeProduct<T extends { stamp: string; at: string }>(file: string, present: string) {
  const product = await readProduct<T>(file)
  return product === undefined ? null : ageOf(product, present)
}

async function describeMade(view: ProjectView, isSame: boolean): Promise<StudioState["draft"]> {
  const draft = await readProduct<DraftFile>(draftFile(view))
  return draft === undefined ? null : { ...ageOf(draft, isSame ? await choiceStamp(view) : ""), ...draft.choice }
}

/** Those that wait or run, and the last of each kind. */
function shownJobs(jobs: readonly Job[]): Job[] {
  const last = new Map(jobs.map((job) => [job.kind, job]))
  return jobs.filter((job) => job.state === "waiting" || job.state === "running" || last.get(job.kind) === job)
}

/** Bytes of the project, by part. */
async function measureDisk(root: string): Promise<StudioState["disk"]> {
  const parts: Record<string, number> = {}
  for (const entry of await readdir(root, { withFileTypes: true })) {
    parts[entry.name] = await sizeOf(join(root, entry.name))
  }
  return { bytes: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0), parts }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.size
  const names = await readdir(path).catch((): string[] => [])
  const sizes = await Promise.all(names.map((name) => sizeOf(join(path, name))))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}
