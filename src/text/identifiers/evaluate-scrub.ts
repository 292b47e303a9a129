import { type IdentifierKind, type KindSet, kindBit, kindsIn } from "./kinds.ts"
import type { LabelledQuery } from "./labels.ts"
import { detectKinds } from "./registry.ts"

/**
 * How one detector did. `falsePositives` are harmless queries (or queries labelled not to hold this kind) that it found;
 * `otherKind` are queries that hold an identifier all the same, of a kind it was not labelled with, which count neither
 * for nor against it.
 */
interface KindScore {
  kind: IdentifierKind
  truePositives: number
  falsePositives: number
  falseNegatives: number
  otherKind: number
  /** NaN where nothing was found. */
  precision: number
  /** NaN where there was nothing to find. */
  recall: number
  /** Of the queries that are labelled harmless, or not to hold this kind, the share found; NaN where there are none. */
  falseAlarmRate: number
}

/** Digit queries are those the usual filter drops altogether: with a digit or an @. */
export interface ScrubEvaluation {
  kinds: KindScore[]
  queries: number
  identifiers: number
  /** Of the identifiers in digit queries, the share withheld by any of the kinds. */
  digitRecall: number
  digitIdentifiers: number
  /** Of the harmless digit queries, the share withheld. */
  harmlessDigitWithheld: number
  harmlessDigitQueries: number
  /** Of all harmless queries, the share withheld. */
  harmlessWithheld: number
  harmlessQueries: number
}

/** Compares what the detectors of these kinds find with the labels. Labels of other kinds make a query neither harmless nor found. */
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

/** By query, the kinds it is said to hold and the kinds it is said not to. */
function groupLabels(rows: readonly LabelledQuery[]): Map<string, { held: KindSet; denied: KindSet }> {
  const labels = new Map<string, { held: KindSet; denied: KindSet }>()
  for (const { query, kind, isPii } of rows) {
    const label = labels.get(query) ?? { held: 0, denied: 0 }
    labels.set(query, label)
    if (kind !== "none") label[isPii ? "held" : "denied"] |= kindBit(kind)
  }
  return labels
}
