import { type ProjectPaths } from "./project-layout.ts"
import { type ProjectSettings } from "./project-settings.ts"
import { type RecordEntry, type RecordFacts } from "./record-chain.ts"
/** A change of settings that names the revision its maker saw. */
export interface SettingsChange {
  revision: number
  set: Partial<Pick<ProjectSettings, "folders" | "log" | "purpose" | "choice" | "budget">>
}
/** A project that this process holds exclusively. */
export declare class Project {
  #private
  readonly paths: ProjectPaths
  constructor(
    paths: ProjectPaths,
    opened: {
      settings: ProjectSettings
      unlock(): Promise<void>
      now(): number
    },
  )
  get settings(): ProjectSettings
  /** Changes settings. Refused if they were changed since the caller read them: two tabs must not undo each other. */
  change({ revision, set }: SettingsChange): Promise<ProjectSettings>
  /** Adds an entry to the project's record. */
  record(facts: RecordFacts): Promise<RecordEntry>
  /** Waits for changes that are under way, and lets other processes open the project. */
  close(): Promise<void>
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
export declare function openProject(folder: string, options?: OpenProjectOptions): Promise<Project>
