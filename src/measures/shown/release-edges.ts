import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import { releaseColumns } from "../../release/column-policy.ts"
import { nameLifetimeOf } from "../../release/manifest.ts"
import type { Release, RowsRelease } from "../../release/read-release.ts"
import { type ClickEdges, edgesOfRows, edgesOfTables } from "./click-edges.ts"
import { hasTable } from "./shown-tables.ts"

/** True if a release has edges from queries to urls, else the reason why not. */
export function hasClicks(release: Release): true | string {
  const { kind, manifest } = release
  if (traitsOf(manifest.guarantee).shows === "concepts") return "the release has concepts, not queries"
  if (kind === "tables") return hasTable(release, "clicks") || "the release has no table of clicks"
  return manifest.columns.includes(releaseColumns.url) || "the release shows no urls"
}

/** The edges that a reader of a release can find in it. */
export async function edgesOfRelease(release: Release, context: RunContext): Promise<ClickEdges> {
  if (release.kind === "tables") return edgesOfTables(await release.tables(context))
  return edgesOfReleasedRows(release, context)
}

/**
 * A name per session joins the searches of one session, whatever their truncated times say. With a name per user, two
 * searches are consecutive if their released times are at most 30 minutes apart. Rows of one name are taken in file
 * order, because truncated times no longer order them.
 */
async function edgesOfReleasedRows(release: RowsRelease, context: RunContext): Promise<ClickEdges> {
  const log = await release.log(context)
  const isSession = nameLifetimeOf(release.manifest) === "session"
  return edgesOfRows(log, { order: fileOrder(log), ...(isSession ? { gap: Number.POSITIVE_INFINITY } : {}) })
}

/** The rows in file order. */
function fileOrder({ rows, line }: SearchLog): Uint32Array {
  let lines = 0
  for (let row = 0; row < rows; row++) lines = Math.max(lines, line[row])
  const rowOf = new Int32Array(lines + 1).fill(-1)
  for (let row = 0; row < rows; row++) rowOf[line[row]] = row
  const order = new Uint32Array(rows)
  let at = 0
  for (let number = 0; number <= lines; number++) if (rowOf[number] >= 0) order[at++] = rowOf[number]
  return order
}
