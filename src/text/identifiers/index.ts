export type { Detector } from "./detector.ts"
export { evaluateScrub, type KindScore, type ScrubEvaluation } from "./evaluate-scrub.ts"
export { findIdentifiers } from "./find-identifiers.ts"
export {
  allKinds,
  defaultKinds,
  formatKinds,
  type IdentifierKind,
  identifierKinds,
  isIdentifierKind,
  type KindSet,
  kindBit,
  kindSet,
  kindsIn,
  noKinds,
  parseKinds,
} from "./kinds.ts"
export { type LabelledQuery, parseLabels } from "./labels.ts"
export { detectKinds, detectorOf, detectors } from "./registry.ts"
export { scanQueries } from "./scan-queries.ts"
