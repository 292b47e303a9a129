import { readFile } from "node:fs/promises"
import type { ProjectView } from "./jobs/project-view.ts"

/** What every product of a job says about itself. */
interface Stamped {
  /** Identifies the settings that it was made from. */
  stamp: string
  at: string
}

/** A product that a job left as JSON; undefined if there is none or it cannot be read. */
export async function readProduct<T extends Stamped>(file: string): Promise<T | undefined> {
  try {
    const value: T = JSON.parse(await readFile(file, "utf8"))
    return typeof value.stamp === "string" && typeof value.at === "string" ? value : undefined
  } catch {
    return undefined
  }
}

/** The period of the log, from its last reading, if it is known. */
export async function readPeriod({ paths }: ProjectView): Promise<{ period?: { first: string; last: string } }> {
  const read = await readProduct<Stamped & { span: { first: string; last: string } | null }>(paths.read)
  return read?.span ? { period: { first: read.span.first, last: read.span.last } } : {}
}

/** When a product was made, and whether the settings have changed since. */
export const ageOf = ({ stamp, at }: Stamped, present: string) => ({ stale: stamp !== present, at })
