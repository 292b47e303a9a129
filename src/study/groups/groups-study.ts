import { type Static, Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { seededRandom, shuffle } from "../../kernels/random.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { selectRows } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { measures } from "../../measures/registry.ts"
import { anonymize } from "../../release/anonymize.ts"
import { openDraftAudit } from "../../release/read-audit.ts"
import { openDraft } from "../../release/read-release.ts"
import { runProbes, selectProbes } from "../../release/run-probes.ts"
import type { Point, PointOutput, Study, StudySubject } from "../study.ts"
import { groupsFigures, groupsNotes } from "./figures.ts"

const options = Type.Object({
  users: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000],
    description: "numbers of users, separated by commas; all are always added",
  }),
  k: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [2, 5, 10, 20, 50],
    description: "values of k, separated by commas",
  }),
  delta: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0, 0.25, 0.5, 0.75],
    description: "values of δ, separated by commas",
  }),
  sample: Type.Integer({ default: 10_000, minimum: 1, description: "users of the curves over k and δ" }),
  minQueryUsers: Type.Integer({
    default: 1,
    minimum: 1,
    description: "users that a query text, and a url, needs to be shown; 1, as in the paper, shows all",
  }),
})

/** The k and δ of the curves over something else. */
const usual = { k: 10, delta: 0.5 }
const modes = ["identical", "exact", "paper"]
const probes = selectProbes(measures, ["objects-changed", "unique-suppressed", "top-queries", "top-urls"])

/** What k^δ-anonymity adds and suppresses, over users, k and δ: Fig. 1 and 2 of Hong et al. 2009, for this log. */
export const groupsStudy: Study<typeof options> = {
  name: "groups",
  summary: "k^δ-anonymity over users, k and δ: what is added and suppressed, and how useful it stays, in each mode",
  options,
  points: listPoints,
  compute: computePoint,
  figures: groupsFigures,
  notes: groupsNotes,
}

function listPoints({ users, k, delta, sample, minQueryUsers }: Static<typeof options>): Point[] {
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  return modes.flatMap((mode) => [
    ...[...rising(users), "all"].map((count) => ({ part: "users", users: count, ...usual, mode, minQueryUsers })),
    ...rising(k).map((value) => ({ part: "k", users: sample, ...usual, k: value, mode, minQueryUsers })),
    ...rising(delta).map((value) => ({ part: "delta", users: sample, ...usual, delta: value, mode, minQueryUsers })),
  ])
}

async function computePoint(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput> {
  const { part, users, k, delta, mode, minQueryUsers } = point
  const clickers = listClickers(subject.log)
  // As many as there are, or more, is what `all` says.
  if (part === "users" && Number(users) >= clickers.length) return { scores: [] }
  const chosen = users === "all" ? clickers : clickers.subarray(0, Number(users))
  const log = clicksOf(subject.log, chosen)
  const shown = minQueryUsers === 1 ? { urls: "keep" } : {}
  const settings = { k: Number(k), delta: Number(delta), mode: String(mode), minQueryUsers: Number(minQueryUsers) }
  const draft = await anonymize(log, { method: "groups", scrub: "none", ...settings, ...shown }, context)
  const looked = { log, release: openDraft(draft), audit: openDraftAudit(draft) }
  const outcomes = await runProbes(probes, looked, { values: { top: 50 } }, context)
  return { scores: outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : [])) }
}

/** The users with a click in one random order, the same for all points: fewer users are a part of more. */
function listClickers(log: SearchLog): Uint32Array {
  const marks = new Uint8Array(log.users.size)
  log.url.forEach((url, row) => {
    if (url >= 0) marks[log.user[row] ?? 0] = 1
  })
  const clickers = Uint32Array.from(marks.keys()).filter((user) => marks[user] === 1)
  shuffle(clickers, seededRandom(1))
  return clickers
}

/** The rows with a click of these users: the query objects of the paper. */
function clicksOf(log: SearchLog, users: Uint32Array): SearchLog {
  const marks = new Uint8Array(log.users.size)
  for (const user of users) marks[user] = 1
  const rows = Uint32Array.from(log.url.keys()).filter(
    (row) => (log.url[row] ?? -1) >= 0 && marks[log.user[row] ?? 0] === 1,
  )
  return closeLog(selectRows(log, rows), log)
}
