import { attack } from "../../attacks/registry.ts"
import type { RunContext } from "../../kernels/context.ts"
import { measure } from "../../measures/registry.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import { scoresOf } from "../../probes/run-probes.ts"
import { findScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { makeDraft } from "../../release/anonymize.ts"
import { openDraftAudit } from "../../release/read-audit.ts"
import { openDraft } from "../../release/read-release.ts"
import type { Figure, Point, PointResult, StudySubject, TableData } from "../study.ts"
import { gather, type Row, tableFigureData, tableFrom } from "./rows.ts"

const useful = ["suggestions", "topic-distance", "profile-distance", "events-kept"] as const

/**
 * What one lifetime of names costs and gives away. It makes a release with all other defaults, then measures and
 * attacks it as a reader would see it.
 */
export async function computeLifetime(
  { users, k, depth }: Point,
  { log }: StudySubject,
  context: RunContext,
): Promise<Record<string, TableData>> {
  const options = { method: "swap", k: Number(k), depth: String(depth), users: String(users) } as const
  const draft = await makeDraft(log, options, context)
  const { guarantee } = draft.manifest
  const subject = { release: openDraft(draft), log, audit: openDraftAudit(draft) }
  const seed = context.random.uint32()
  const found = scoresOf(await measure(subject, { only: useful, seed }, context))
  const attacked = scoresOf(await attack(subject, { only: ["linkage"], seed }, context))
  const of = (scores: readonly Score[], key: ScoreKey, value: (score: Score) => number = (score) => score.value) => {
    const score = findScore(scores, key)
    return score === undefined ? "" : value(score)
  }
  const linked = (attacker: string, among?: "named") => {
    return { probe: "linkage", score: "linkage", at: { attacker, among } }
  }
  const wordsOf = (attacker: string) => ({
    [attacker]: of(attacked, linked(attacker)),
    [`${attacker}, named`]: of(attacked, linked(attacker, "named"), ({ n = 0 }) => n),
    [`${attacker}, right of named`]: of(attacked, linked(attacker, "named")),
  })
  const row: Row = {
    users: String(users),
    promised: traitsOf(guarantee).promised ? "yes" : "no",
    ...Object.fromEntries(useful.map((name) => [name, of(found, { probe: name, score: name })])),
    ...wordsOf("shared-words"),
    ...wordsOf("self-trained"),
    "known-searches@2": of(attacked, { probe: "linkage", score: "known-searches", at: { known: 2 } }),
  }
  return { lifetimes: tableFrom([row]) }
}

export function lifetimesFigure(results: readonly PointResult[]): Figure {
  const rows = gather(results, "lifetimes", ["k"])
  const others = Object.keys(rows[0] ?? {}).filter((name) => !["users", "k"].includes(name))
  return {
    id: "lifetimes",
    title: "How long a name lasts: what it is worth and what it gives away",
    caption: [
      "One release for each lifetime of names, with default options otherwise.",
      "Worth: MRR of suggested next queries, distance of topics and of users' profiles (edges of the tree),",
      "share of searches kept.",
      "Given away: the share of all searches that attackers 9 and 10 give back to their user,",
      "how many searches they name, and how many of these names are right.",
      "The last column is how often an attacker who knows two searches of a person finds the name of this person.",
      "Chance is 1/k.",
    ].join(" "),
    data: tableFigureData(rows, ["users", "k", ...others]),
  }
}
