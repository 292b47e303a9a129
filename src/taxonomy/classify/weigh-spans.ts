import type { Spans } from "./find-spans.ts"
import { type ClassifierModel, nameKind, wordKind } from "./model.ts"
import type { QueryParts } from "./query-parts.ts"

/** Weights of a phrase in the competition, in units of a word's information (a natural logarithm). */
const worth = {
  /** For each word of a phrase after its first. */
  anotherWord: 3,
  /** The last phrase before a preposition: the head of the query. */
  head: 4,
  /**
   * Penalties of a place, so that it loses to something that is not a place, and of any other proper name that is not
   * the head.
   */
  place: -4,
  properName: -6,
  /** Share of their information that words keep if they say little. */
  uninformative: 0.1,
} as const

/** Makes functions that weigh the phrases `spans` of the query in `query`. */
export function spanWeigher({ name }: Pick<ClassifierModel, "name">, query: QueryParts, spans: Spans) {
  const { kinds, info } = query

  const spanWorth = (span: number, bonus: number) => {
    const { start, length, phrase } = spans
    let most = 0
    let uninformative = true
    for (let i = start[span]; i < start[span] + length[span]; i++) {
      most = Math.max(most, info[i])
      if ((kinds[i] & (wordKind.uninformative | wordKind.functionWord)) === 0) uninformative = false
    }
    let value = most + worth.anotherWord * (length[span] - 1) + bonus
    if (uninformative) value *= worth.uninformative
    const first = name[phrase[span]]
    if (first === nameKind.place) return value + worth.place
    return first === nameKind.other && bonus === 0 ? value + worth.properName : value
  }

  /** The head is the last phrase that says something, up to the first function word that follows such a phrase. */
  const findHead = () => {
    let head = -1
    let span = 0
    for (let at = 0; at < query.count; at++) {
      while (span < spans.count && spans.start[span] + spans.length[span] <= at) span++
      const inside = span < spans.count && spans.start[span] <= at
      if (!inside) {
        if (head >= 0 && (kinds[at] & wordKind.functionWord) !== 0) return head
      } else if (spanWorth(span, 1) > 3) head = span
    }
    return head
  }

  return {
    findHead,
    /** The worth of a phrase of the query. One phrase may be the head. */
    worthOf: (span: number, isHead: boolean) => spanWorth(span, isHead ? worth.head : 0),
  }
}
