import { Type } from "#typebox"
import { verdicts } from "../../methods/explanation.ts"
import {
  answer,
  count,
  flag,
  maybeNumber,
  number,
  optionValues,
  readings,
  table,
  text,
  texts,
  warnings,
} from "./parts.ts"

const part = { queries: count(), queryShare: number(), events: count(), eventShare: number() }
const tally = { events: count(), queries: count() }
const ngram = { unique: count(), total: count() }
const outcome = {
  verdict: Type.Enum([...verdicts]),
  chance: Type.Object(
    { low: number(), high: number() },
    { description: "bounds of the chance that it is released; equal where it was computed" },
  ),
}
const vertex = { query: text(), users: count(), degree: count() }

/** Answers about logs. */
export const logAnswers = {
  inspect: answer("inspect", "what a log is like, in counts", {
    read: readings,
    unit: Type.Enum(["user", "session"]),
    tokens: text("how queries were cut into words"),
    size: Type.Object({ rows: count(), events: count(), users: count(), queries: count(), urls: count() }),
    time: Type.Union([Type.Object({ first: text(), last: text(), days: number() }), Type.Null()]),
    lengths: Type.Array(Type.Object({ ...part, words: count(), orMore: Type.Boolean() })),
    ngrams: Type.Object({
      leastUsers: count(),
      lengths: Type.Array(Type.Object({ ...ngram, n: count(), frequent: Type.Object(ngram) })),
    }),
    exposure: Type.Union(
      [
        Type.Object({
          queries: Type.Array(Type.Object({ ...part, fewerThan: count() })),
          usersWithUniqueQuery: Type.Object({ users: count(), share: number() }),
        }),
        Type.Null(),
      ],
      { description: "null: no row has a user" },
    ),
    identifiers: Type.Array(Type.Object({ kind: text(), queries: count(), events: count(), rows: count() })),
    html: Type.Optional(text("the page")),
    warnings,
  }),
  explain: answer("explain", "why a query is in a release or not; private", {
    method: text(),
    query: text("as it is normalised"),
    users: count("distinct users of it in the log"),
    searches: count(),
    identifiers: texts("kinds that are scrubbed and that the query holds"),
    parameters: optionValues("the options that the release would have"),
    ...outcome,
    reasons: texts("why, in sentences"),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "the numbers that decided, by name; which there are depends on the method",
    }),
    changes: Type.Array(
      Type.Object({
        ...outcome,
        options: optionValues("options to give besides those that were given"),
        users: Type.Optional(count("so many more users must issue it, each once and nothing else")),
        smallest: flag("one step less does not suffice; false: less may suffice too"),
        price: text(),
      }),
      { description: "what would change the outcome; not all that would" },
    ),
    tables: Type.Record(Type.String(), table("longer lists, by title")),
    graph: Type.Optional(
      Type.Object({
        vertices: Type.Array(Type.Object({ ...vertex, isCore: flag() })),
        edges: Type.Array(Type.Array(count(), { minItems: 2, maxItems: 2 })),
        queries: count(),
        vectors: count(),
        inCore: count(),
        closed: flag(),
      }),
    ),
    svg: Type.Optional(text("the drawing")),
    warnings,
  }),
  labels: answer("labels", "a file of queries to judge", { file: text(), queries: count(), warnings }),
  synth: answer("synth", "a synthetic log that was written", {
    file: text(),
    truth: Type.Optional(text("folder of what is true about it")),
    rows: count(),
    users: count(),
    seed: count(),
    secrets: number("share of rows with a planted secret"),
    follow: number(),
    secretRows: count(),
    seconds: number(),
  }),
  samples: answer("samples", "sample files that were written", {
    folder: text(),
    files: texts("names of the files in it"),
  }),
  classify: answer("classify", "how much of a log has a topic", {
    ...tally,
    classified: Type.Object(tally),
    unclassified: Type.Object(tally),
    depths: Type.Array(Type.Object({ ...tally, depth: count() })),
    topics: Type.Array(Type.Object({ ...tally, path: text() })),
    output: Type.Optional(text("file of the classified rows")),
    warnings,
  }),
  "classify-train": answer("classify-train", "a lexicon that was written", {
    file: text(),
    words: count(),
    topics: count(),
    warnings,
  }),
  "classify-evaluate": answer("classify-evaluate", "a classifier against labels", {
    queries: count(),
    classified: count(),
    levels: Type.Array(Type.Object({ level: count(), queries: count(), right: count(), accuracy: maybeNumber() })),
    confusion: Type.Array(
      Type.Object({
        label: text(),
        queries: count(),
        right: count(),
        taken: Type.Array(Type.Object({ as: text("- for no topic"), queries: count() })),
      }),
    ),
  }),
  "scrub-evaluate": answer("scrub-evaluate", "the detectors of identifiers against labels", {
    kinds: Type.Array(
      Type.Object({
        kind: text(),
        truePositives: count(),
        falsePositives: count(),
        falseNegatives: count(),
        otherKind: count(),
        precision: maybeNumber(),
        recall: maybeNumber(),
        falseAlarmRate: maybeNumber(),
      }),
    ),
    queries: count(),
    identifiers: count(),
    digitRecall: maybeNumber(),
    digitIdentifiers: count(),
    harmlessDigitWithheld: maybeNumber(),
    harmlessDigitQueries: count(),
    harmlessWithheld: maybeNumber(),
    harmlessQueries: count(),
  }),
}
