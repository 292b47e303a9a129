import type { RegisteredRelease } from "../release/release-types.ts"

/** What the page of a decision was given. */
export interface Given {
  ticked: ReadonlySet<number>
  name: string
  reason: string
}

/** Why a release cannot be signed as it is; undefined if it can. The server refuses for the same reasons. */
export function whyUnfit({ summary }: Pick<RegisteredRelease, "summary">): string | undefined {
  if (summary === undefined) return "It has no report yet. Check it first."
  if (summary.seeded) return "It was drawn from a seed and is a draft. Draw the release for real."
  if (summary.original !== "same") return "It was not judged against the log that it was made from. Check it again."
  if (summary.promise.kept === "no") return "It failed a check of its promise. Make another release."
  return undefined
}

/** What is still missing before a release can be signed, in words. */
export function missingToSign(
  { accept }: Pick<RegisteredRelease, "accept">,
  { ticked, name, reason }: Given,
): string[] {
  const open = accept.filter((_, i) => !ticked.has(i)).length
  const points = open === 0 ? [] : [open === 1 ? "1 point to accept" : `${open} points to accept`]
  return [...points, ...missingToRefuse({ name, reason })]
}

/** What is still missing before a release can be refused. */
export function missingToRefuse({ name, reason }: Pick<Given, "name" | "reason">): string[] {
  return [...(name.trim() === "" ? ["your name"] : []), ...(reason.trim() === "" ? ["your reason"] : [])]
}

/** `3 points to accept, your name and your reason` */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}

/** How small the sheet is printed, so that it fits one page of A4. */
export function densityOf({ summary, accept }: Pick<RegisteredRelease, "summary" | "accept">, reason: string) {
  if (summary === undefined) return ""
  const { statement, promise, attacks, left, readings } = summary
  const texts = [
    ...[statement, ...accept, promise.sentence, ...promise.open, reason],
    ...[attacks.sentence, ...attacks.caveats, ...attacks.meanings, ...left, ...readings],
  ]
  const length = texts.reduce((sum, text) => sum + text.length + lineEnd, 0)
  return length < roomy ? "" : length < tight ? "dense" : "denser"
}

/** A text ends a line, which takes as much room as some more characters. */
const lineEnd = 60
/** Up to so many characters fit a page at the usual size, and at the next smaller one. */
const [roomy, tight] = [4400, 6500]

/** The release to decide on first: the newest that was judged and not decided, else the newest that was judged. */
export function nextToDecide(releases: readonly RegisteredRelease[]): RegisteredRelease | undefined {
  const judged = releases.filter(({ summary }) => summary !== undefined)
  return judged.findLast(({ state }) => state === "open") ?? judged.at(-1) ?? releases.at(-1)
}
