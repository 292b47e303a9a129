import { randomBytes } from "node:crypto"
import { readdir, realpath } from "node:fs/promises"
import { lockFolder, lockName } from "../files/lock.ts"
import { isPartial } from "../files/partial-names.ts"
import { closeFolder, makePrivateFolder } from "../files/private-folder.ts"
import { writeError } from "../files/write-error.ts"
import { QueryveilError } from "../kernels/error.ts"
import { refusePrivate } from "../release/write-release.ts"
import { type ProjectPaths, projectFile, projectPaths } from "./project-layout.ts"
import { newSettings, type ProjectSettings, readSettings, writeSettings } from "./project-settings.ts"
import { appendRecord, brokenRecord, type RecordEntry, type RecordFacts, readRecord } from "./record-chain.ts"

/** A change of settings that names the revision its maker saw. */
export interface SettingsChange {
  revision: number
  set: Partial<Pick<ProjectSettings, "folders" | "log" | "purpose" | "choice" | "budget">>
}

/** A project that this process holds exclusively. */
export class Project {
  readonly paths: ProjectPaths
  #settings: ProjectSettings
  readonly #unlock: () => Promise<void>
  readonly #now: () => number
  #last: Promise<unknown> = Promise.resolve()
  #decided: Promise<unknown> = Promise.resolve()

  constructor(paths: ProjectPaths, opened: { settings: ProjectSettings; unlock(): Promise<void>; now(): number }) {
    this.paths = paths
    this.#settings = opened.settings
    this.#unlock = opened.unlock
    this.#now = opened.now
  }

  get settings(): ProjectSettings {
    return this.#settings
  }

  /** Changes settings. Refused if they were changed since the caller read them: two tabs must not undo each other. */
  change({ revision, set }: SettingsChange): Promise<ProjectSettings> {
    return this.#next(async () => {
      if (revision !== this.#settings.revision)
        throw new QueryveilError(
          "project-changed",
          "The project was changed meanwhile, perhaps in another tab. Look at its present state, then try again.",
        )
      const settings = { ...this.#settings, ...set, revision: revision + 1 }
      await writeSettings(this.paths.settings, settings)
      this.#settings = settings
      return settings
    })
  }

  /** Adds an entry to the project's record. */
  record(facts: RecordFacts): Promise<RecordEntry> {
    return this.#next(() => appendRecord(this.paths.record, facts, new Date(this.#now())))
  }

  /** Runs work alone: a check and what follows from it must not be interleaved with another decision. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#decided.then(work)
    this.#decided = result.catch(() => {})
    return result
  }

  /** Waits for changes that are under way, and lets other processes open the project. */
  async close(): Promise<void> {
    await this.#decided
    await this.#last
    await this.#unlock()
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

/** Where a project is, and the folders of the log. */
export interface OpenProjectOptions {
  /** Folders from which files of the log may be chosen. Empty: those of the last time. */
  folders?: readonly string[]
  /** False: refuse a folder that holds no project (default true). */
  create?: boolean
  /** Milliseconds since 1970. */
  now?: () => number
}

/**
 * Opens a project, or makes one in a new or empty folder (mode 0700). Only one process at a time can hold it. Refuses a
 * folder with anything else in it, a project of a newer version, and one whose record was changed by hand.
 */
export async function openProject(folder: string, options: OpenProjectOptions = {}): Promise<Project> {
  const { create = true, now = Date.now } = options
  await refusePrivate(folder)
  const folders = await Promise.all((options.folders ?? []).map(realFolder))
  const names = await namesIn(folder)
  if (!names.includes(projectFile)) {
    const others = names.filter((name) => name !== lockName && !isPartial(name))
    if (!create || others.length > 0) throw noProject(folder, create)
  }
  const unlock = await claim(folder)
  try {
    const paths = projectPaths(folder)
    const known = await readSettings(paths.settings)
    const settings = known ?? newSettings({ id: randomBytes(16).toString("hex"), folders, created: new Date(now()) })
    const { problem } = await readRecord(paths.record)
    if (problem !== undefined) throw brokenRecord(paths.record, problem)
    for (const part of [paths.releases, paths.audits, paths.jobs]) await makePrivateFolder(part)
    const isOther = folders.length > 0 && folders.join("\n") !== settings.folders.join("\n")
    const opened = isOther ? { ...settings, folders, revision: settings.revision + 1 } : settings
    if (opened !== known) await writeSettings(paths.settings, opened)
    return new Project(paths, { settings: opened, unlock, now })
  } catch (error) {
    await unlock()
    throw error
  }
}

async function claim(folder: string): Promise<() => Promise<void>> {
  try {
    await makePrivateFolder(folder)
    await closeFolder(folder)
  } catch (error) {
    throw writeError(folder, error)
  }
  const busy = () =>
    new QueryveilError("project-busy", `${folder}: the project is open in another process. Close that one first.`, {
      file: folder,
    })
  return lockFolder(folder, { place: "the project", busy })
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    await readdir(real)
    return real
  } catch (cause) {
    throw new QueryveilError("input-missing", `${path}: there is no such folder, or it cannot be read.`, {
      file: path,
      cause,
    })
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

function noProject(folder: string, create: boolean): QueryveilError {
  const advice = create ? "Name an empty or a new folder." : "Name the folder of a project."
  return new QueryveilError("project-missing", `${folder}: holds no project of queryveil. ${advice}`, { file: folder })
}
