import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import type { ReadResult } from "../../../log/parse-sources.ts"
import type { ProjectPaths } from "../../../project/project-layout.ts"
import type { ProjectSettings } from "../../../project/project-settings.ts"
import { openLog } from "../../open-log.ts"
import type { LogOptions } from "../../options.ts"
import { allowedPath } from "../choose-files.ts"

/** What a job gets of a project: where it is, and the settings it was started with. */
export interface ProjectView {
  paths: ProjectPaths
  settings: ProjectSettings
}

const digest = (parts: unknown) => createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24)

/** Identifies the log and its reading. What was made under another stamp is stale. */
export function logStamp({ settings: { log } }: ProjectView): string {
  return log === undefined ? "" : digest([log.files, log.reading, log.person])
}

/** Identifies what a draft or a release is made from: the log, the choice and the exemption list. */
export async function choiceStamp(view: ProjectView): Promise<string> {
  const { choice } = view.settings
  return choice === undefined ? "" : digest([logStamp(view), choice, await readExempt(view)])
}

/** The text of the exemption list; empty if there is none. */
export async function readExempt({ paths }: ProjectView): Promise<string> {
  return readFile(paths.exempt, "utf8").catch(() => "")
}

/** The files of the log, and how to read them, as options of every use case. */
export function readingOf(view: ProjectView): { files: string[]; reading: LogOptions } {
  const { log } = view.settings
  if (log === undefined) throw new QueryveilError("usage", "No log was chosen yet. Choose its files first.")
  const reading = {
    ...log.reading,
    unit: log.person === "session" ? "session" : "user",
    cache: view.paths.cache,
  } as const
  return { files: log.files.map(({ path }) => path), reading }
}

/** Refuses a log whose files are not those that were chosen: changed, gone, or replaced by a link to elsewhere. */
export async function refuseChangedLog({ settings: { log, folders } }: ProjectView): Promise<void> {
  for (const file of log?.files ?? []) {
    const real = await allowedPath(folders, file.path)
    const { size, mtimeMs } = await stat(real)
    if (real !== file.path || size !== file.bytes || mtimeMs !== file.modified)
      throw new QueryveilError(
        "input-changed",
        "The log changed since it was chosen. Choose it again on the screen Log, and confirm its user column.",
      )
  }
}

/** Reads the project's log, from the cache if it is there. */
export function readProjectLog(view: ProjectView, context: RunContext): Promise<ReadResult> {
  const { files, reading } = readingOf(view)
  return openLog(files, reading, context)
}

/** The choice of method and parameters, with the exemption list. */
export async function choiceOf(view: ProjectView) {
  const { choice } = view.settings
  if (choice === undefined)
    throw new QueryveilError("usage", "No method was chosen yet. Choose a point on the screen Explore first.")
  const exempt = await readExempt(view)
  const { method, parameters } = choice
  return { ...parameters, method, ...(exempt !== "" && { scrubExempt: exempt }) }
}
