import { join } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"

/** A file of the store is not what was written. Nothing is guessed and nothing is changed. */
export function damaged(folder: string, name: string, what: string): QueryveilError {
  const file = join(folder, name)
  return new QueryveilError(
    "store-damaged",
    `${file}: ${what}. Nothing was changed; put back a copy of the whole store, or begin a new one in an empty folder.`,
    { file },
  )
}
