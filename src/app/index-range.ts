import type { Intake } from "../log/intake.ts"
import type { ReadReceipt } from "../release/receipt.ts"
import type { LogOptions } from "./options.ts"

type RangeOptions = Pick<LogOptions, "since" | "until" | "filter">

/**
 * The range and the filter with which an index was read for a release, so that `--against` the index reads the same
 * documents. Empty if the caller gives any of them, or names no index of the receipt.
 */
export function rangeOf(
  receipt: ReadReceipt | undefined,
  places: RangeOptions & { against?: string | readonly string[] | undefined },
): RangeOptions {
  const { since, until, filter } = places
  if ([since, until, filter].some((given) => given !== undefined)) return {}
  const named = [places.against ?? []].flat()
  if (!named.some((path) => /^(opensearch|elasticsearch)\b[^/]*:/i.test(path))) return {}
  const index = receipt?.input.files.find((file) => file.index !== undefined)?.index
  if (index === undefined) return {}
  return {
    ...(index.since !== undefined && { since: index.since }),
    ...(index.until !== undefined && { until: index.until }),
    ...(index.filter !== undefined && { filter: JSON.stringify(index.filter) }),
  }
}

/** How the indices of a receipt have changed since, in a sentence each. */
export function describeChanges({ input }: ReadReceipt, { files }: Pick<Intake, "files">): string[] {
  return files.flatMap(({ path, index, sha256 }) => {
    const before = input.files.find((file) => file.path === path && file.index !== undefined)
    if (index === undefined || before?.index === undefined || before.sha256 === sha256) return []
    const [then, now] = [before.index.documents, index.documents].map((count) => count.toLocaleString("en"))
    const what = then === now ? `${now} documents as before, with other content` : `${then} documents then, ${now} now`
    return [`${path}: the index has changed since the release (${what}). What is found against it may be wrong.`]
  })
}
