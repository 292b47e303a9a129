import { breathe, type RunContext } from "../kernels/context.ts"
import type { DictionaryParts } from "../kernels/dictionary.ts"
import { countDistinctUsers } from "../kernels/distinct-users.ts"
import { drawPseudonyms, type Pseudonyms } from "../kernels/pseudonyms.ts"
import { shuffle } from "../kernels/random.ts"
import { type SearchLog, sharedUint32 } from "../log/search-log.ts"
import { type ColumnPolicy, type ReleaseColumn, sessionGapSeconds, shownColumns } from "./column-policy.ts"

/**
 * Rows as they will be published: which, in what order, under which names. Nothing is copied out of the log yet, and
 * everything lies on shared memory, so that workers can write it.
 */
export interface ArrangedRows {
  log: Pick<SearchLog, "user" | "query" | "time" | "rank" | "url">
  users: DictionaryParts
  queries: DictionaryParts
  urls: DictionaryParts
  columns: ReleaseColumn[]
  /** The row of the log behind each released row. */
  order: Uint32Array
  /** The group (session, user or row) of each released row, and its name; without names the log's own ids are shown. */
  group: Uint32Array
  names: Pseudonyms | undefined
  /** By url of the log: 1 where the policy shows it. */
  urlShown: Uint8Array
  /** Times are cut down to a multiple of so many seconds. */
  timeUnit: number
}

const timeUnits = { exact: 1, hour: 3600, day: 86400, drop: 1 }

/**
 * Applies the column policy to rows of a log (ascending). What has no user leaves in random order; else whole groups,
 * sessions or users, are shuffled and their rows keep their order. A session is cut by the released rows alone, so that
 * its bounds say nothing about what was withheld.
 */
export async function arrangeRows(
  log: SearchLog,
  options: { rows: Uint32Array; policy: ColumnPolicy; threshold: number; clickers?: Uint32Array | undefined },
  context: RunContext,
): Promise<ArrangedRows> {
  const { rows, policy } = options
  const urlShown = showUrls(log, options)
  await breathe(context, { stage: "arranging", done: 0, total: rows.length })
  const starts = groupStarts(log, rows, policy.users)
  const groups = starts.length - 1
  await breathe(context, { stage: "arranging", done: rows.length / 2, total: rows.length })
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
  await breathe(context, { stage: "arranging", done: rows.length, total: rows.length })
  const named = policy.users === "session" || policy.users === "pseudonym"
  const names = named ? drawPseudonyms(groups, context.random) : undefined
  const { user, query, time, rank, url } = log
  return {
    log: { user, query, time, rank, url },
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

/** By url: 1 where the policy shows it. Users of a url are those the log names, or `clickers` where others are named. */
function showUrls(
  log: SearchLog,
  options: { rows: Uint32Array; policy: ColumnPolicy; threshold: number; clickers?: Uint32Array | undefined },
): Uint8Array {
  const { rows, policy, threshold } = options
  const shown = new Uint8Array(new SharedArrayBuffer(log.urls.size))
  if (policy.urls === "keep") return shown.fill(1)
  if (policy.urls === "drop") return shown
  const clickers = options.clickers ?? countDistinctUsers(log.url, log.user, { size: log.urls.size, rows })
  for (let url = 0; url < shown.length; url++) if (clickers[url] >= threshold) shown[url] = 1
  return shown
}

/** Where each group of rows starts, and behind them the number of rows. */
function groupStarts(log: SearchLog, rows: Uint32Array, users: ColumnPolicy["users"]): Uint32Array {
  const { user, time } = log
  const startsGroup = (i: number) => {
    if (i === 0 || users === "drop") return true
    if (user[rows[i]] !== user[rows[i - 1]]) return true
    return users === "session" && time[rows[i]] - time[rows[i - 1]] > sessionGapSeconds
  }
  let groups = 0
  for (let i = 0; i < rows.length; i++) if (startsGroup(i)) groups++
  const starts = new Uint32Array(groups + 1)
  let group = 0
  for (let i = 0; i < rows.length; i++) if (startsGroup(i)) starts[group++] = i
  starts[groups] = rows.length
  return starts
}
