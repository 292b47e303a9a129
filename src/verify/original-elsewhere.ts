import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { originalPromises } from "./original.ts"
import { fileRow } from "./release-checks.ts"
import type { RemoteOriginal } from "./remote-original.ts"
import type { Check } from "./verifier.ts"

/** The checks of `compareRows`, against a log in a database elsewhere. Names are not compared there. */
export async function compareRemotely(
  remote: RemoteOriginal,
  { release, released }: { release: RowsRelease; released: SearchLog },
  context: RunContext,
): Promise<Check[]> {
  const { time, urls, users } = release.manifest.parameters
  const { k } = release.manifest.guarantee
  const timeUnit = time === "drop" ? 0 : time === "hour" ? 3600 : time === "day" ? 86400 : 1
  const found = await remote.compareRows(released, { timeUnit }, context)
  const same = found.differing === 0 && found.rows === released.rows
  const groups: Check =
    users === "drop"
      ? { ...originalPromises.groups, state: "not promised", detail: "no names are shown" }
      : { ...originalPromises.groups, state: "not checked", detail: "an engine does not compare names" }
  return [
    { ...originalPromises.rows, state: same ? "passed" : "failed", value: released.rows, bound: found.rows },
    { ...originalPromises.clicks, state: found.strangeClicks === 0 ? "passed" : "failed" },
    checkClickers({ release, released }, { urls, k, clickers: found.clickers }),
    groups,
  ]
}

function checkClickers(
  { release, released }: { release: RowsRelease; released: SearchLog },
  { urls, k, clickers }: { urls: unknown; k: number; clickers: ArrayLike<number> },
): Check {
  const about = originalPromises.urls
  if (urls === "drop") return { ...about, state: released.urls.size === 0 ? "passed" : "failed" }
  if (urls === "keep") return { ...about, state: "not promised", detail: "all urls are shown" }
  if (urls !== "threshold") return { ...about, state: "failed", detail: "unknown policy" }
  const row = released.url.findIndex((url) => url >= 0 && !(clickers[url] >= k)) // a count that is missing fails
  if (row < 0) return { ...about, state: "passed", bound: k }
  return {
    ...about,
    state: "failed",
    row: fileRow(release, released, row),
    value: clickers[released.url[row]],
    bound: k,
  }
}
