import { shownColumns } from "../live/encode-releases.ts"
import type { StreamSettings } from "../live/settings.ts"

/** What a release says of a user: the name that it is shown under, and the path of its category. */
export interface ShownSearch {
  user: string
  category: string
}

/**
 * Reads messages of the topic of releases, under the settings of the group. A message that no swapper wrote under them
 * gives undefined.
 */
export function releasedReader(settings: StreamSettings): (value: Buffer | null) => ShownSearch | undefined {
  if (settings.to === "jsonl") return readObject
  const columns = shownColumns(settings)
  const [user, category] = [columns.indexOf("user"), columns.indexOf("category")]
  return (value) => {
    const cells = value?.toString("utf8").split("\t") ?? []
    if (cells.length !== columns.length || user < 0 || category < 0) return undefined
    return { user: cells[user], category: cells[category] }
  }
}

function readObject(value: Buffer | null): ShownSearch | undefined {
  const found = parse(value)
  if (typeof found !== "object" || found === null || !("user" in found) || !("category" in found)) return undefined
  const { user, category } = found
  return typeof user === "string" && typeof category === "string" ? { user, category } : undefined
}

function parse(value: Buffer | null): unknown {
  if (value === null) return undefined
  try {
    return JSON.parse(value.toString("utf8"))
  } catch {
    return undefined
  }
}
