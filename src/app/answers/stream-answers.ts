import { Type } from "#typebox"
import { answer, count, counts, flag, maybeNumber, text, texts } from "./parts.ts"

const topics = Type.Array(Type.Object({ path: text(), count: count() }))
const quantiles = Type.Object({ p50: maybeNumber(), p99: maybeNumber(), mean: maybeNumber() })

/** Answers of the live stream. */
export const streamAnswers = {
  "stream-run": answer("stream-run", "what happened to all records, over all runs of the store", {
    k: count(),
    depth: count(),
    mode: Type.Enum(["strict", "paper"]),
    users: text("how long the name of a user lasts"),
    promised: flag(),
    reasons: texts(),
    lines: count(),
    taken: count(),
    released: count(),
    waiting: count(),
    cells: count(),
    rejected: counts("lines, by reason"),
    withheld: counts("searches, by reason"),
    delay: Type.Object({ records: quantiles, seconds: quantiles }, { description: "of the releases of this run" }),
    late: Type.Object({ records: count(), seconds: maybeNumber() }),
    resumed: Type.Object({ waiting: count(), repeated: count(), cut: count() }),
  }),
  "stream-searches": answer("stream-searches", "the searches that a stream accepted, as a log", {
    file: text(),
    searches: count(),
  }),
  "stream-profile": answer("stream-profile", "what was shown under one user", {
    releases: count("as of this release"),
    topics,
    leftOut: count("topics of few users"),
  }),
  "stream-profiles-export": Type.Union(
    [
      answer("stream-profiles-export", "the first line", { releases: count("as of this release") }),
      Type.Object({ user: text(), topics }, { description: "every other line" }),
    ],
    { description: "JSON Lines: a first line, then one for each user" },
  ),
}
