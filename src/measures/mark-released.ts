import type { RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Release } from "../release/read-release.ts"
import { shownOf, shownQueries } from "./shown/shown-texts.ts"

/** For each query of the log, 1 if its text is in the release; in a table, with a count above 0. */
export async function markReleased(log: SearchLog, release: Release, context: RunContext): Promise<Uint8Array> {
  const shown = shownOf(await shownQueries(release, context), log.queries)
  return Uint8Array.from(shown, (weight) => (weight > 0 ? 1 : 0))
}
