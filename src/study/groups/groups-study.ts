import type { RunContext } from "../../kernels/context.ts"
import { seededRandom, shuffle } from "../../kernels/random.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { selectRows } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { measures } from "../../measures/registry.ts"
import { runProbes, scoresOf, selectProbes } from "../../probes/run-probes.ts"
import { makeDraft } from "../../release/anonymize.ts"
import { openDraftAudit } from "../../release/read-audit.ts"
import { openDraft } from "../../release/read-release.ts"
import type { Point, PointOutput, Study, StudySubject } from "../study.ts"
import { groupsFigures, groupsNotes } from "./groups-figures.ts"
import { groupsStudyOptions, listPoints } from "./points.ts"

const probes = selectProbes(measures, [
  "objects-changed",
  "member-distance",
  "unique-suppressed",
  "top-queries",
  "top-urls",
])

/**
 * What k^δ-anonymity adds and suppresses, over users, k, δ and the largest distance: Fig. 1 and 2 of Hong et al. 2009,
 * for this log.
 */
export const groupsStudy: Study<typeof groupsStudyOptions> = {
  name: "groups",
  summary: [
    "vary users, k, δ and distance of groups: how similar users are, what is added and suppressed,",
    "what stays useful",
  ].join(" "),
  options: groupsStudyOptions,
  points: listPoints,
  compute: computePoint,
  figures: groupsFigures,
  notes: groupsNotes,
}

async function computePoint(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput> {
  const { part, users, k, delta, maxDistance, mode, minQueryUsers, run } = point
  const clickers = listClickers(subject.log, Number(run))
  // As many users as the log has, or more, is the same as `all`.
  if (part === "users" && Number(users) >= clickers.length) return { scores: [] }
  const chosen = users === "all" ? clickers : clickers.subarray(0, Number(users))
  const log = clicksOf(subject.log, chosen)
  const shown = minQueryUsers === 1 ? { urls: "keep" } : {}
  const numbers = { k: Number(k), delta: Number(delta), maxDistance: Number(maxDistance) }
  const settings = { ...numbers, mode: String(mode), minQueryUsers: Number(minQueryUsers), ...shown }
  const draft = await makeDraft(log, { method: "groups", scrub: "none", ...settings }, context)
  const looked = { log, release: openDraft(draft), audit: openDraftAudit(draft) }
  const outcomes = await runProbes(probes, looked, { values: { top: 50 } }, context)
  return { scores: scoresOf(outcomes) }
}

/**
 * The users with a click, in a random order that is the same for all points of one run. A smaller sample is therefore
 * part of a larger one.
 */
function listClickers(log: SearchLog, run: number): Uint32Array {
  const marks = new Uint8Array(log.users.size)
  log.url.forEach((url, row) => {
    if (url >= 0) marks[log.user[row] ?? 0] = 1
  })
  const clickers = Uint32Array.from(marks.keys()).filter((user) => marks[user] === 1)
  shuffle(clickers, seededRandom(run))
  return clickers
}

/** The rows of these users that have a click: the query objects of the paper. */
function clicksOf(log: SearchLog, users: Uint32Array): SearchLog {
  const marks = new Uint8Array(log.users.size)
  for (const user of users) marks[user] = 1
  const rows = Uint32Array.from(log.url.keys()).filter(
    (row) => (log.url[row] ?? -1) >= 0 && marks[log.user[row] ?? 0] === 1,
  )
  return closeLog(selectRows(log, rows), log)
}
