import { Type } from "#typebox"
import { scoreSchema } from "../../probes/score.ts"
import { answer, check, count, flag, maybeNumber, number, state, text, texts } from "./parts.ts"

const file = text("the profile")
const queryClass = text("how clear the query is by itself")
const metrics = { PG: number(), TS: number(), DP: number(), risk: maybeNumber("null: nothing is marked sensitive") }
const maybeMetrics = (more: object = {}) => Type.Union([Type.Object({ ...metrics, ...more }), Type.Null()])
const inFull = Type.Array(Type.Object({ path: text(), share: number() }), {
  description: "sensitive topics so small that the bounds let them be shown whole",
})

/** Answers of personal search. All are private. */
export const personalAnswers = {
  "personal-map": answer("personal-map", "the topics of a query", {
    by: text("how they were found"),
    pages: count(),
    topics: Type.Array(Type.Object({ path: text(), relevance: number(), probability: number() })),
    dpWithoutProfile: number(),
    queryClass,
  }),
  "personal-learn": answer("personal-learn", "a profile that learned", {
    file,
    isNew: flag(),
    documents: count(),
    placed: count("documents with a topic"),
    topics: count("topics of the profile"),
  }),
  "personal-attack": answer("personal-attack", "what engines could learn from what they were shown", {
    file,
    riskIsCounted: flag(),
    engines: Type.Array(Type.Object({ engine: text(), scores: Type.Array(scoreSchema) })),
  }),
  "personal-verify": answer("personal-verify", "checks of the history of exposures", {
    file,
    exposures: count(),
    state,
    riskIsCounted: flag(),
    checks: Type.Array(check),
    lateMarks: Type.Array(
      Type.Object({ path: text(), mark: Type.Enum(["sensitive", "never"]), engine: text(), time: maybeNumber() }),
    ),
  }),
  "personal-expose": answer("personal-expose", "the part of a profile that is shown with a query", {
    outcome: text("exposed, or why nothing is"),
    kept: texts("paths that are shown"),
    dpWithoutProfile: number(),
    queryClass,
    util: maybeNumber(),
    floor: maybeNumber("risk of the root alone"),
    seed: maybeMetrics(),
    exposed: maybeMetrics(),
    forbidding: maybeMetrics({ topics: count() }),
    gap: maybeNumber(),
    taken: count(),
    steps: Type.Array(Type.Object({ ...metrics, pruned: text() })),
    sensitiveInQuery: texts(),
    sensitiveNotInProfile: texts(),
    lifetimeRisk: maybeNumber(),
    queryRisk: maybeNumber(),
    inFull,
    algorithm: text(),
    delta: number(),
    lifetimeDelta: number(),
    queryDelta: number(),
  }),
  "personal-mark": answer("personal-mark", "the marks of a profile", {
    file,
    sensitive: Type.Array(Type.Object({ path: text(), sensitivity: number() })),
    never: texts(),
    proposals: Type.Array(Type.Object({ kind: text(), path: text(), name: text(), support: number() })),
    riskIsCounted: flag(),
    bound: number("the lowest of the saved bounds"),
    inFull,
  }),
  "personal-forget": answer("personal-forget", "what a profile forgot", {
    file,
    documents: count(),
    exposures: count(),
    stillShown: count("topics that engines were shown"),
  }),
  "personal-serve": answer("personal-serve", "the page that was opened; its address holds a token", {
    url: text(),
    profile: file,
    engines: texts(),
  }),
  "personal-engine": answer("personal-engine", "the engine that was opened", { url: text() }),
}
