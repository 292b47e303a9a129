import { join } from "node:path"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { tableOfColumns } from "../../../kernels/table.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import { countQueries } from "../../../log/statistics.ts"
import { type Release, readRelease } from "../../../release/read-release.ts"
import { filesFolder } from "../../../study/study-folder.ts"
import { maskQuery } from "../../../text/mask-query.ts"
import { isClear } from "../clear-from.ts"
import { frontierFolder } from "./explore-job.ts"
import { type ProjectView, readProjectLog } from "./project-view.ts"

/** Queries that are compared: as many of each range of numbers of users. */
const compared = 20
const ranges = 5

/** How often each of two releases shows the same queries. Texts of few users are masked. */
export interface Comparison {
  points: string[]
  queries: { users: number; searches: number; text?: string; shape: string; shown: (number | null)[] }[]
}

/** Compares what two points of the frontier show of the same twenty queries. */
export async function compareJob(
  view: ProjectView,
  { points }: { points: readonly string[] },
  context: RunContext,
): Promise<Comparison> {
  const shown = await Promise.all(points.map((id) => readShown(view, id, context)))
  const { log } = await readProjectLog(view, context)
  const { users, events } = countQueries(log)
  return {
    points: [...points],
    queries: pickQueries(users).map((query) => {
      const text = log.queries.text(query)
      return {
        users: users[query] ?? 0,
        searches: events[query] ?? 0,
        ...(isClear(view, users[query] ?? 0) && { text }),
        shape: maskQuery(text),
        shown: shown.map((counts) => counts(text)),
      }
    }),
  }
}

/** How often a release shows a text; null if it shows other things than texts. */
async function readShown(view: ProjectView, id: string, context: RunContext): Promise<(text: string) => number | null> {
  const [of, hash = ""] = id.split("-")
  if ((of !== "sample" && of !== "whole") || !/^[0-9a-f]{24}$/.test(hash))
    throw new QueryveilError("unknown-name", "There is no such point.")
  const release = await readRelease(join(frontierFolder(view, of), filesFolder, hash))
  return release.kind === "rows" ? countSearches(await release.log(context)) : countTable(release, context)
}

function countSearches(log: SearchLog): (text: string) => number {
  const { events } = countQueries(log)
  return (text) => events[log.queries.find(text)] ?? 0
}

async function countTable(release: Release, context: RunContext): Promise<(text: string) => number | null> {
  const columns = release.kind === "tables" ? (await release.tables(context)).queries : undefined
  if (columns === undefined) return () => null
  const table = tableOfColumns(columns)
  const [query, count] = ["query", "count"].map((name) => table.columns.indexOf(name))
  const counts = new Map<string, number>()
  for (let row = 0; row < table.rows; row++)
    counts.set(String(table.cell(row, query ?? 0)), Number(table.cell(row, count ?? 1)))
  return (text) => counts.get(text) ?? 0
}

/** Queries over the whole range of numbers of users: from those of one user to the most frequent. */
function pickQueries(users: Uint32Array): number[] {
  const order = Uint32Array.from(users, (_, query) => query).sort((a, b) => (users[a] ?? 0) - (users[b] ?? 0) || a - b)
  const each = compared / ranges
  const last = Math.max(1, users[order.at(-1) ?? 0] ?? 1)
  const bounds = Array.from({ length: ranges + 1 }, (_, i) => Math.round((last + 1) ** (i / ranges)))
  const picked = bounds.slice(0, -1).flatMap((low, i) => {
    const inside = order.filter((query) => (users[query] ?? 0) >= low && (users[query] ?? 0) < (bounds[i + 1] ?? 0))
    return Array.from(
      { length: Math.min(each, inside.length) },
      (_, n) => inside[Math.floor((n * inside.length) / each)],
    )
  })
  return [...new Set(picked.flatMap((query) => (query === undefined ? [] : [query])))]
}
