import { join } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"

/** The error for a file of the store that is not as it was written. Nothing is guessed and nothing is changed. */
export function damaged(folder: string, name: string, what: string): QueryveilError {
  const file = join(folder, name)
  return new QueryveilError(
    "store-damaged",
    `${file}: ${what}. Nothing was changed. Restore a copy of the whole store, or start a new one in an empty folder.`,
    { file },
  )
}

/**
 * The error for a file of profiles that is not as it was written. Nothing else depends on it: the stream continues
 * without it.
 */
export class DamagedProfiles extends QueryveilError {
  /** What is wrong with the file. */
  readonly what: string
  /** Name of the file. */
  readonly run: string

  constructor(folder: string, name: string, what: string) {
    const file = join(folder, name)
    const then = [
      "Nothing else depends on it. Start the stream: it sets these profiles aside and starts new ones.",
      "stream profiles follow says how to go on if it is started again.",
    ].join(" ")
    super("store-damaged", `${file}: ${what}. ${then}`, { file })
    this.what = what
    this.run = name
  }
}
