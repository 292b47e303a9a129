import { type IdentifierKind, type KindSet, kindBit, kindsIn } from "./kinds.ts"
import type { LabelledQuery } from "./labels.ts"
import { detectKinds } from "./registry.ts"

/**
 * The score of one detector. `falsePositives` are queries that it found although they are harmless or labelled as not
 * containing this kind. `otherKind` are queries that it found, that are not labelled for this kind, but that contain an
 * identifier of another kind. They count neither for nor against it.
 */
interface KindScore {
  kind: IdentifierKind
  truePositives: number
  falsePositives: number
  falseNegatives: number
  otherKind: number
  /** NaN if nothing was found. */
  precision: number
  /** NaN if there was nothing to find. */
  recall: number
  /**
   * The share found among queries that are harmless, or labelled as not containing this kind; NaN if there are none.
   */
  falseAlarmRate: number
}

/** Scores of all detectors together. Digit queries have a digit or an @: the usual filter drops them altogether. */
export interface ScrubEvaluation {
  kinds: KindScore[]
  queries: number
  identifiers: number
  /** The share of identifiers in digit queries that any of the kinds withholds. */
  digitRecall: number
  digitIdentifiers: number
  /** The share of harmless digit queries that is withheld. */
  harmlessDigitWithheld: number
  harmlessDigitQueries: number
  /** The share of all harmless queries that is withheld. */
  harmlessWithheld: number
  harmlessQueries: number
}

/**
 * Compares what the detectors of these kinds find with the labels. A query that is labelled only with other kinds
 * counts neither as harmless nor as an identifier.
 */
export function evaluateScrub(rows: readonly LabelledQuery[], kinds: KindSet): ScrubEvaluation {
  const queries = [...groupLabels(rows)].map(([query, { held, denied }]) => ({
    held,
    denied,
    found: detectKinds(query, kinds),
    digit: /[0-9@]/.test(query),
  }))
  const scores = kindsIn(kinds).map((kind) => {
    const bit = kindBit(kind)
    const score = { truePositives: 0, falsePositives: 0, falseNegatives: 0, otherKind: 0 }
    let without = 0
    for (const { held, denied, found } of queries) {
      if ((held & bit) !== 0) score[(found & bit) !== 0 ? "truePositives" : "falseNegatives"]++
      else if (held === 0 || (denied & bit) !== 0) {
        without++
        if ((found & bit) !== 0) score.falsePositives++
      } else if ((found & bit) !== 0) score.otherKind++
    }
    const { truePositives, falsePositives, falseNegatives } = score
    return {
      kind,
      ...score,
      precision: truePositives / (truePositives + falsePositives),
      recall: truePositives / (truePositives + falseNegatives),
      falseAlarmRate: falsePositives / without,
    }
  })
  const identifiers = queries.filter(({ held }) => (held & kinds) !== 0)
  const harmless = queries.filter(({ held }) => held === 0)
  const digitIdentifiers = identifiers.filter(({ digit }) => digit)
  const harmlessDigit = harmless.filter(({ digit }) => digit)
  const shareWithheld = (some: typeof queries) => some.filter(({ found }) => found !== 0).length / some.length
  return {
    kinds: scores,
    queries: queries.length,
    identifiers: identifiers.length,
    digitRecall: shareWithheld(digitIdentifiers),
    digitIdentifiers: digitIdentifiers.length,
    harmlessDigitWithheld: shareWithheld(harmlessDigit),
    harmlessDigitQueries: harmlessDigit.length,
    harmlessWithheld: shareWithheld(harmless),
    harmlessQueries: harmless.length,
  }
}

/** For each query, the kinds that it is labelled to contain, and those that it is labelled not to contain. */
function groupLabels(rows: readonly LabelledQuery[]): Map<string, { held: KindSet; denied: KindSet }> {
  const labels = new Map<string, { held: KindSet; denied: KindSet }>()
  for (const { query, kind, isPii } of rows) {
    const label = labels.get(query) ?? { held: 0, denied: 0 }
    labels.set(query, label)
    if (kind !== "none") label[isPii ? "held" : "denied"] |= kindBit(kind)
  }
  return labels
}
