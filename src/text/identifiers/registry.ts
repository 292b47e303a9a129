import { account } from "./account.ts"
import { address } from "./address.ts"
import { birthDate } from "./birth-date.ts"
import { card } from "./card.ts"
import { coordinates } from "./coordinates.ts"
import type { Detector } from "./detector.ts"
import { email } from "./email.ts"
import { ip } from "./ip.ts"
import { allKinds, type IdentifierKind, type KindSet, kindBit } from "./kinds.ts"
import { nationalId } from "./national-id.ts"
import { person } from "./person.ts"
import { phone } from "./phone.ts"
import { QueryText } from "./query-text.ts"

/** One detector for each kind, in the order of `identifierKinds`. */
export const detectors: readonly Detector[] = [
  email,
  phone,
  card,
  nationalId,
  ip,
  address,
  birthDate,
  account,
  coordinates,
  person,
]

/** The detector of a kind. */
export function detectorOf(kind: IdentifierKind): Detector {
  return detectors[Math.log2(kindBit(kind))]
}

/** Which of the given kinds a normalised query contains. The reference for `scanQueries`. */
export function detectKinds(text: string, kinds: KindSet = allKinds): KindSet {
  return matchKinds(new QueryText(text), kinds)
}

export function matchKinds(query: QueryText, kinds: KindSet): KindSet {
  let found = 0
  for (let i = 0; i < detectors.length; i++) {
    if ((kinds & (1 << i)) !== 0 && detectors[i].matches(query)) found |= 1 << i
  }
  return found
}
