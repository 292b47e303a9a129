import type { Findings } from "../findings.ts"
import type { PartitionAnswer } from "./crew.ts"
import type { Feed } from "./feed.ts"
import { type NumberedSearch, numberOf } from "./numbered-searches.ts"
import type { SeenRelease } from "./read-topics.ts"

/** By partition: the newest answer. A partition only ever takes more searches, so that is the one with the most. */
export function newestAnswers(answers: readonly PartitionAnswer[]): Map<number, PartitionAnswer> {
  const newest = new Map<number, PartitionAnswer>()
  for (const answer of answers) {
    const known = newest.get(answer.partition)
    if (known === undefined || takenBy(known) < takenBy(answer)) newest.set(answer.partition, answer)
  }
  return newest
}

const takenBy = ({ released, waiting, withheld: { backlog = 0 } }: PartitionAnswer) => released + waiting + backlog

/** The true user of each search, by number. Every acknowledged search must be in the input, and once. */
export function checkInput(input: readonly NumberedSearch[], feed: Feed, findings: Findings): Map<number, string> {
  const userOf = new Map<number, string>()
  for (const { query, user } of input) {
    const number = numberOf(query)
    if (userOf.has(number)) findings.add("the input has a search twice", `search ${number}`)
    userOf.set(number, user)
  }
  for (let number = 0; number < feed.sent; number++)
    if (!userOf.has(number) && !feed.unanswered.has(number))
      findings.add("the brokers lost an acknowledged search", `search ${number}`)
  return userOf
}

/** Every search of the input was passed on once. */
export function checkClassified(classified: readonly number[][], { userOf, findings }: Truth): void {
  const seen = new Set<number>()
  for (const number of classified.flat()) {
    if (seen.has(number)) findings.add("twice: a search was classified twice", `search ${number}`)
    seen.add(number)
  }
  const missing = [...userOf.keys()].filter((number) => !seen.has(number))
  if (missing.length > 0)
    findings.add(
      "lost: searches were not classified",
      `${missing.length}; the first: ${missing.slice(0, 20).join(", ")}`,
    )
}

/** Every search that was classified is released once, or waits. Returns how many wait. */
export function checkAccounts(
  releases: readonly SeenRelease[],
  {
    userOf,
    classified,
    newest,
    findings,
  }: Truth & { classified: readonly number[][]; newest: ReadonlyMap<number, PartitionAnswer> },
): number {
  const released = new Set<number>()
  const counts = new Map<number, number>()
  for (const { query, partition } of releases) {
    const number = numberOf(query)
    if (released.has(number)) findings.add("twice: a search was released twice", `search ${number}`)
    if (!userOf.has(number)) findings.add("a release belongs to no search", `partition ${partition}: ${number}`)
    released.add(number)
    counts.set(partition, (counts.get(partition) ?? 0) + 1)
  }
  let waiting = 0
  for (const [partition, numbers] of classified.entries()) {
    const answer = newest.get(partition)
    if (answer === undefined) {
      findings.add("no swapper answered for a partition", `partition ${partition}`)
      continue
    }
    waiting += answer.waiting
    const count = counts.get(partition) ?? 0
    if (count !== answer.released)
      findings.add(
        "a swapper's count is not what is committed",
        `partition ${partition}: ${answer.released}, committed ${count}`,
      )
    const rest = numbers.filter((number) => !released.has(number))
    // A search of a user of whom too many wait already is withheld. No other is, here.
    const { backlog = 0, ...others } = answer.withheld
    for (const reason of Object.keys(others))
      findings.add("searches were withheld", `partition ${partition}: ${reason}`)
    if (rest.length !== answer.waiting + backlog)
      findings.add(
        rest.length > answer.waiting + backlog
          ? "lost: searches are neither released nor waiting nor withheld"
          : "more wait than were sent",
        `partition ${partition}: ${rest.length} of ${numbers.length} are not released ` +
          `(the first: ${rest.slice(0, 20).join(" ")}), ${answer.waiting} wait, ${backlog} withheld`,
      )
  }
  return waiting
}

/** What the input says, and where findings go. */
export interface Truth {
  /** The user of each search, by number. */
  userOf: ReadonlyMap<number, string>
  findings: Findings
}

/** A search is shown in one form only, also to readers of uncommitted messages. Returns how many were shown again. */
export function checkForms(uncommitted: readonly SeenRelease[], findings: Findings): number {
  const forms = new Map<number, string>()
  let repeats = 0
  for (const { query, text, partition } of uncommitted) {
    const number = numberOf(query)
    const known = forms.get(number)
    if (known === undefined) forms.set(number, text)
    else {
      repeats++
      if (known !== text) findings.add("a cell was dealt in two ways", `partition ${partition}, search ${number}`)
    }
  }
  return repeats
}
