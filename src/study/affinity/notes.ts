import { everyNgram } from "../../methods/affinity/describe-release.ts"
import type { PointResult, StudySubject } from "../study.ts"
import { gather, type Row } from "./gather.ts"
import { paperK } from "./points.ts"

const rulesInWords: Record<string, string> = {
  safe: "These are the safe rules, the method's defaults. With --preset paper they are the paper's",
  paper: "These are the paper's rules (--preset paper)",
  own: "These are the rules that you chose",
}

/** Which rules were used, what the page shows for them, and which figures are missing. */
export function affinityNotes(subject: StudySubject, results: readonly PointResult[]): string[] {
  const [setting] = gather(results, "setting")
  const named = results.find(({ point }) => point.part === "equality")?.point.users
  const users: string[] = JSON.parse(String(named ?? "[]"))
  const unknown = users.filter((name) => subject.log.users.find(name) < 0).length
  return [
    ...(setting === undefined ? [] : settingNotes(setting)),
    ...matchingNotes(results),
    ...(subject.labels === undefined && subject.truth === undefined
      ? [
          [
            "Fig. 6 is left out: it is not known which queries are sensitive.",
            "Give --labels FILE (queryveil labels draws the queries to judge), or --truth DIR for a synthetic log.",
          ].join(" "),
        ]
      : []),
    ...(users.length === 0 ? ["Fig. 5(b) is left out: no user was chosen. Give --users IDS."] : []),
    ...(subject.queries === undefined && users.length === 0
      ? ["Table 4 is left out: no query and no user was chosen. Give --queries FILE or --users IDS."]
      : []),
    ...(unknown > 0 ? [`Of the ${users.length} users named, ${unknown} are not in the log.`] : []),
  ]
}

function settingNotes({ rules = "own", minConceptUsers = 0, minTermUsers = 0 }: Row): string[] {
  return [
    [
      `For every k, a concept has at least ${minConceptUsers} users.`,
      `If a word of a query with a concept has fewer than ${minTermUsers} users,`,
      "only the query's own users protect it.",
      `${rulesInWords[String(rules)]}. The figure of both rules shows the difference.`,
      "Names are not scrubbed here: degrees are those before scrubbing.",
    ].join(" "),
    ...(Number(minConceptUsers) === 1 ? [everyNgram] : []),
  ]
}

/** Carpineto & Romano 2015, §5: the same number of queries at a higher k. */
function matchingNotes(results: readonly PointResult[]): string[] {
  const rows = gather(results, "matching").filter(({ k, matching }) => k === paperK && Number(matching) > 0)
  if (rows.length === 0) return []
  const parts = rows.map(({ method, matching }) => `${method} at k = ${matching}`)
  return [
    [
      `Equality releases ${rows[0]?.queries} distinct queries at k = ${paperK}.`,
      `The largest k at which affinity releases as many: ${parts.join(", ")}.`,
    ].join(" "),
  ]
}
