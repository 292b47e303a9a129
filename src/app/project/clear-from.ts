import type { ProjectView } from "./jobs/project-view.ts"

/** Screens show a query in clear if at least this many users issued it. */
export const clearFrom = 10

/** True if a query of this many users may be shown. Sessions are not people: one person may have ten of them. */
export const isClear = ({ settings }: ProjectView, users: number): boolean =>
  settings.log?.person !== "session" && users >= clearFrom
