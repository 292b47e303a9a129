import { Type } from "#typebox"
import { answer, count, maybeNumber, number, readings, text, texts, warnings } from "./parts.ts"

const part = { queries: count(), queryShare: number(), events: count(), eventShare: number() }
const tally = { events: count(), queries: count() }
const ngram = { unique: count(), total: count() }
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
  "explain-affinity": answer("explain-affinity", "why a query has its degree; private", {
    query: text(),
    state: Type.Enum(["expanded", "plain", "excluded"]),
    users: count(),
    degree: count(),
    bound: Type.Enum(["exact", "lower"]),
    k: count(),
    concepts: Type.Array(Type.Object({ ngram: text(), weight: number() })),
    neighbours: Type.Array(Type.Object({ ...vertex, cosine: number() }), { description: "the nearest" }),
    affine: count("all neighbours"),
    graph: Type.Object({
      vertices: Type.Array(Type.Object({ ...vertex, isCore: Type.Boolean() })),
      edges: Type.Array(Type.Array(count(), { minItems: 2, maxItems: 2 })),
      queries: count(),
      vectors: count(),
      inCore: count(),
      closed: Type.Boolean(),
    }),
    identifiers: texts("kinds that the query holds"),
    parameters: Type.Object({
      theta: number(),
      functionWords: text(),
      tokens: text(),
      minConceptUsers: count(),
      minTermUsers: count(),
    }),
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
