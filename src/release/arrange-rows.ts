import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { DictionaryParts } from "../kernels/dictionary.ts"
import { countDistinctUsers } from "../kernels/distinct-users.ts"
import { QueryveilError } from "../kernels/error.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { drawPseudonyms, type Pseudonyms } from "../kernels/pseudonyms.ts"
import { shuffle } from "../kernels/random.ts"
import { type SearchLog, sharedUint32 } from "../log/search-log.ts"
import { sharesName } from "../methods/name-lifetime.ts"
import { type ColumnPolicy, type ReleaseColumn, shownColumns } from "./column-policy.ts"

/**
 * Rows as they will be published: which ones, in what order, under which names. Nothing is copied out of the log yet.
 * Everything is on shared memory, so that workers can write it.
 */
export interface ArrangedRows {
  log: Pick<SearchLog, "user" | "query" | "time" | "rank" | "url" | "category">
  users: DictionaryParts
  queries: DictionaryParts
  urls: DictionaryParts
  /** Present if categories are shown. */
  categories?: DictionaryParts
  columns: ReleaseColumn[]
  /** For each released row, its row in the log. */
  order: Uint32Array
  /**
   * The group (session, user or row) of each released row, and the names of the groups. Without names, the log's own
   * ids are shown.
   */
  group: Uint32Array
  names: Pseudonyms | undefined
  /** 1 for each url of the log that the policy shows. */
  urlShown: Uint8Array
  /** Times are rounded down to a multiple of this many seconds. */
  timeUnit: number
}

/** How times are cut, in seconds. */
export const timeUnits = { exact: 1, hour: 3600, day: 86400, drop: 1 }

interface Arrangement {
  /** Rows of the log, ascending. */
  rows: Uint32Array
  policy: ColumnPolicy
  threshold: number
  /** For each url, the number of users who really clicked it. Given if rows are shown under other users. */
  clickers?: Uint32Array | undefined
  /** The cell of each row, if users were swapped in cells. */
  cell?: Int32Array | undefined
}

/**
 * Applies the column policy to rows of a log. If rows are shown without a user, their order is random. Otherwise rows
 * are grouped by name (cell, session, day or user), the groups are shuffled, and the rows of a group keep their order.
 * Sessions are computed from the released rows only, so that their bounds reveal nothing about what was withheld.
 */
export async function arrangeRows(log: SearchLog, options: Arrangement, context: RunContext): Promise<ArrangedRows> {
  const { policy, cell } = options
  const urlShown = showUrls(log, options)
  await yieldAndReport(context, { stage: "arranging", done: 0, total: options.rows.length })
  const rows = policy.users === "cell" ? orderByCell(log, options) : options.rows
  const starts = groupStarts(log, rows, { users: policy.users, cell })
  const groups = starts.length - 1
  await yieldAndReport(context, { stage: "arranging", done: rows.length / 2, total: rows.length })
  const shuffled = new Uint32Array(groups)
  for (let i = 0; i < groups; i++) shuffled[i] = i
  shuffle(shuffled, context.random)
  const order = sharedUint32(rows.length)
  const group = sharedUint32(rows.length)
  let at = 0
  for (let position = 0; position < groups; position++) {
    const from = shuffled[position]
    for (let i = starts[from]; i < starts[from + 1]; i++) {
      order[at] = rows[i]
      group[at++] = position
    }
  }
  await yieldAndReport(context, { stage: "arranging", done: rows.length, total: rows.length })
  const named = policy.users !== "drop" && policy.users !== "keep"
  const names = named ? drawPseudonyms(groups, context.random) : undefined
  const { user, query, time, rank, url, category, categories } = log
  const shown = policy.category && category !== undefined
  return {
    log: { user, query, time, rank, url, ...(shown && { category }) },
    ...(shown && categories && { categories: categories.parts() }),
    users: log.users.parts(),
    queries: log.queries.parts(),
    urls: log.urls.parts(),
    columns: shownColumns(policy),
    order,
    group,
    names,
    urlShown,
    timeUnit: timeUnits[policy.time],
  }
}

/**
 * 1 for each url that the policy shows. The users of a url are those in the log, or `clickers` if rows are shown under
 * other users.
 */
function showUrls(log: SearchLog, options: Arrangement): Uint8Array {
  const { rows, policy, threshold } = options
  const shown = new Uint8Array(new SharedArrayBuffer(log.urls.size))
  if (policy.urls === "keep") return shown.fill(1)
  if (policy.urls === "drop") return shown
  const clickers = options.clickers ?? countDistinctUsers(log.url, log.user, { size: log.urls.size, rows })
  for (let url = 0; url < shown.length; url++) if (clickers[url] >= threshold) shown[url] = 1
  return shown
}

/** Where each group of rows starts, followed by the number of rows. */
function groupStarts(
  log: SearchLog,
  rows: Uint32Array,
  { users, cell }: { users: ColumnPolicy["users"]; cell: Int32Array | undefined },
): Uint32Array {
  const { user, time } = log
  const startsGroup = (i: number) => {
    if (i === 0 || users === "drop") return true
    const [row, before] = [rows[i], rows[i - 1]]
    if (user[row] !== user[before]) return true
    if (users === "cell") return cell === undefined || cell[row] !== cell[before]
    return !sharesName(users, time[row], time[before])
  }
  let groups = 0
  for (let i = 0; i < rows.length; i++) if (startsGroup(i)) groups++
  const starts = new Uint32Array(groups + 1)
  let group = 0
  for (let i = 0; i < rows.length; i++) if (startsGroup(i)) starts[group++] = i
  starts[groups] = rows.length
  return starts
}

/** Orders rows so that those of one user in one cell are next to each other. */
function orderByCell({ user }: SearchLog, { rows, cell }: Arrangement): Uint32Array {
  if (cell === undefined) throw new QueryveilError("internal", "A name per cell needs cells.")
  const columns = [Uint32Array.from(rows, (row) => user[row]), Uint32Array.from(rows, (row) => cell[row])]
  return orderByNumbers(columns).map((place) => rows[place])
}
