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
    { description: "bounds of the chance that it is released; equal if it was computed exactly" },
  ),
}
const vertex = { query: text(), users: count(), degree: count() }

/** Answers about logs. */
export const logAnswers = {
  inspect: answer("inspect", "counts that describe a log", {
    read: readings,
    unit: Type.Enum(["user", "session"]),
    tokens: text("how queries were split into words"),
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
    query: text("the normalised text"),
    users: count("distinct users who issued it in the log"),
    searches: count(),
    identifiers: texts("scrubbed kinds of identifiers that the query contains"),
    parameters: optionValues("the options that the release would have"),
    ...outcome,
    reasons: texts("why, in sentences"),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "the deciding numbers, by name; they depend on the method",
    }),
    changes: Type.Array(
      Type.Object({
        ...outcome,
        options: optionValues("options to give in addition"),
        users: Type.Optional(count("this many more users must issue it, each once and nothing else")),
        smallest: flag("true: one step less is not enough; false: less may be enough"),
        price: text(),
      }),
      { description: "what would change the outcome; the list is not complete" },
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
    truth: Type.Optional(text("folder with its planted secrets and topics")),
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
        taken: Type.Array(Type.Object({ as: text("-: no topic"), queries: count() })),
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
