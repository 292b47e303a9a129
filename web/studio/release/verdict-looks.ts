import type { ReportSummary } from "./release-types.ts"

/** The colour of a verdict: green, amber, red or none. */
export type Look = "good" | "warn" | "bad" | "plain"

/** What the page needs of the verdict on the promise. */
type Promised = Pick<ReportSummary["promise"], "kept" | "empty">
/** The verdict on attacks, in a word. */
export type AttackState = ReportSummary["attacks"]["state"]

const keptLooks: Record<Promised["kept"], Look> = {
  yes: "good",
  no: "bad",
  "in part": "warn",
  "nothing promised": "warn",
}

const attackLooks: Record<AttackState, Look> = {
  "nothing above chance": "good",
  "above chance": "warn",
  "over the accepted risk": "bad",
  "not attacked": "warn",
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A kept promise is green only if attacks found nothing either, and if the release is not empty. As in the report. */
export function promiseLook({ kept, empty }: Promised, attacks: AttackState): { look: Look; word: string } {
  const isShown = kept !== "yes" || (attacks === "nothing above chance" && !empty)
  return { look: isShown ? keptLooks[kept] : "plain", word: empty && kept !== "no" ? "Empty release" : capital(kept) }
}

/** The verdict on attacks: green for nothing, amber above chance, red over the accepted risk. As in the report. */
export const attackLook = (state: AttackState): { look: Look; word: string } => ({
  look: attackLooks[state],
  word: capital(state),
})

/** Both verdicts in a sentence or two, for the top of the screen. */
export function conclude({ promise, attacks }: Pick<ReportSummary, "promise" | "attacks">): string {
  if (promise.kept === "no") return "Do not publish this release: a check of its promise failed."
  if (promise.empty) return "This release is empty: it shows nothing."
  return `${keptSentences[promise.kept]} ${attackSentences[attacks.state]}`
}

const keptSentences: Record<Exclude<Promised["kept"], "no">, string> = {
  yes: "This release keeps its promise.",
  "in part": "Nothing failed, but not every check of the promise could be made.",
  "nothing promised": "This release promises nothing.",
}

const attackSentences: Record<AttackState, string> = {
  "nothing above chance": "No attack found more than a guess would.",
  "above chance": "Attacks found more than a guess would, within the risk that you accept.",
  "over the accepted risk": "But an attack found more than you accept.",
  "not attacked": "No attack says anything about it.",
}

/** Why the results say less than they seem to; undefined if the release was judged against its own log. */
export function originWarning(original: ReportSummary["original"]): string | undefined {
  if (original === "same") return undefined
  return original === "not compared"
    ? "Nothing shows that this is the log that the release was made from: there is no receipt, or no log was given."
    : "Judged against another log than the release was made from. Nothing below says how safe the release is."
}
