import { Type } from "#typebox"
import { answer, count, counts, flag, maybeNumber, text, texts } from "./parts.ts"

const topics = Type.Array(Type.Object({ path: text(), count: count() }))
const quantiles = Type.Object({ p50: maybeNumber(), p99: maybeNumber(), mean: maybeNumber() })

const role = Type.Enum(["classify", "swap", "profiles"])
const recent = Type.Object({ p50: Type.Number(), p99: Type.Number() }, { description: "over the last minutes" })

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
  "stream-topics": answer("stream-topics", "the topics of a group of workers", {
    group: text(),
    plan: count("counts the plans of the group"),
    partitions: count(),
    categories: count(),
    largest: maybeNumber("share of the searches that are of the largest category; null without weights"),
    topics: Type.Array(Type.Object({ topic: text(), isNew: flag() })),
  }),
  "stream-classify": answer("stream-classify", "what a classifier did since it started", {
    messages: count(),
    classified: count(),
    rejected: counts("messages, by reason"),
    withheld: counts("searches, by reason"),
  }),
  "stream-swap": answer("stream-swap", "the partitions that a swapper worked on", {
    partitions: Type.Array(
      Type.Object({
        topic: text(),
        partition: count(),
        released: count("over the whole life of the partition"),
        waiting: count("when the swapper last worked on it"),
        withheld: counts("searches over the whole life of the partition, by reason"),
        cells: count(),
      }),
    ),
  }),
  "stream-change": answer("stream-change", "a change that was sent to a group of workers", { partitions: count() }),
  "stream-watch": answer("stream-watch", "all workers of a group", {
    group: text(),
    k: Type.Array(count(), {
      description: "the values in force, ascending; several while a change reaches partitions",
    }),
    promised: Type.Union([flag(), Type.Null()], { description: "null before any partition is swapped" }),
    reasons: texts(),
    perSecond: Type.Object({ in: Type.Number(), out: Type.Number() }, { description: "searches read and released" }),
    released: count("under the plan in force, as are cells and withheld"),
    waiting: count(),
    cells: count(),
    withheld: counts("searches, by reason"),
    lag: Type.Object(
      { classify: count(), swap: count(), profiles: maybeNumber("null if nobody keeps profiles") },
      { description: "messages that are not done" },
    ),
    workers: Type.Array(
      Type.Object({
        ...{ worker: text(), role, version: text(), startedAt: Type.Number() },
        ...{ silentSeconds: Type.Number(), isSilent: flag("it should have reported again") },
        ...{ partitions: count(), restarts: count(), memory: Type.Object({ rss: count(), heap: count() }) },
      }),
    ),
    partitions: Type.Array(
      Type.Object({
        role,
        worker: Type.Union([text(), Type.Null()], { description: "null if no worker has the partition" }),
        topic: text(),
        partition: count(),
        plan: Type.Optional(count("of a swapper: the plan that the partition belongs to")),
        isMoved: Type.Optional(flag("of a swapper: it was handed over to the next plan and has no more work")),
        isWorking: flag(),
        lag: maybeNumber("messages that are not done; null while this is unknown"),
        restarts: count(),
        transactions: count(),
        transactionSeconds: recent,
        swap: Type.Optional(
          Type.Object({
            ...{ k: count(), promised: flag(), reasons: texts(), released: count(), cells: count(), waiting: count() },
            withheld: counts("searches, by reason"),
            delaySeconds: recent,
            restored: Type.Object({ waiting: count(), pairs: count(), seconds: Type.Number() }),
          }),
        ),
      }),
    ),
  }),
  "stream-profile": answer("stream-profile", "what was shown under one user", {
    releases: count("as of this release"),
    topics,
    leftOut: count("topics of few users"),
  }),
  "stream-profiles-follow": answer("stream-profiles-follow", "what was counted of a group's releases", {
    group: text(),
    plan: count("the plan in force"),
    releases: count("counted in all"),
    counted: count("by this process"),
    lost: count("at most this many were deleted before they were counted"),
    lag: count("releases that are not counted"),
  }),
  "stream-profiles-export": Type.Union(
    [
      answer("stream-profiles-export", "the first line", { releases: count("as of this release") }),
      Type.Object({ user: text(), topics }, { description: "every other line" }),
    ],
    { description: "JSON Lines: a first line, then one for each user" },
  ),
}
