/**
 * Every answer for machines, and the version of its schema. Increase a version when a field is removed, renamed, or
 * changes its type or meaning. Do not increase it when a field is added.
 */
export const answerVersions = {
  advise: 1,
  anonymize: 1,
  attack: 1,
  classify: 1,
  "classify-evaluate": 1,
  "classify-train": 1,
  demo: 1,
  error: 1,
  explain: 1,
  inspect: 1,
  labels: 1,
  measure: 1,
  "personal-attack": 1,
  "personal-engine": 1,
  "personal-expose": 1,
  "personal-forget": 1,
  "personal-learn": 1,
  "personal-map": 1,
  "personal-mark": 1,
  "personal-serve": 1,
  "personal-verify": 1,
  plan: 1,
  report: 1,
  samples: 1,
  "scrub-evaluate": 1,
  "stream-change": 1,
  "stream-classify": 1,
  "stream-profile": 1,
  "stream-profiles-export": 1,
  "stream-profiles-follow": 1,
  "stream-profiles-publish": 1,
  "stream-run": 1,
  "stream-seal": 1,
  "stream-searches": 1,
  "stream-swap": 1,
  "stream-topics": 1,
  "stream-watch": 1,
  studio: 1,
  "studio-decision": 1,
  "studio-hand-out": 1,
  "studio-register": 1,
  study: 1,
  synth: 1,
  "taxonomy-import": 1,
  "taxonomy-show": 1,
  "taxonomy-stats": 1,
  verify: 1,
} as const

/** The name of an answer. */
export type AnswerName = keyof typeof answerVersions

/** The value of an answer's field `schema`: `queryveil/verify/1`. */
export const schemaName = (name: AnswerName): string => `queryveil/${name}/${answerVersions[name]}`
