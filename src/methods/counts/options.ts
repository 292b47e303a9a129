import { type Static, Type } from "#typebox"

const decimal = (description: string) => Type.Optional(Type.String({ placeholder: "n", description }))

const most = (what: string) =>
  Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    description: `count at most this many distinct ${what} of a user`,
  })

/** Options that decide which consecutive searches of a user are a transition. */
export const transitionOptions = Type.Object({
  sessionGap: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description:
        "count the next search within this many minutes as a transition (default 30; no limit with --mode paper)",
    }),
  ),
  repeats: Type.Optional(
    Type.Enum(["drop", "keep"], {
      description: "count a repeated query as a transition (keep) or not (drop) (default drop; keep with --mode paper)",
    }),
  ),
})

/** Public keys, and how they are read from files. */
export const poolOptions = Type.Object({
  pool: Type.Optional(
    Type.String({
      placeholder: "file|wordnet",
      fromFile: "lines",
      unless: ["wordnet"],
      private: true,
      description: [
        "read public queries, one per line, with a frequency after a tab if known;",
        "never from this log (default wordnet with --mode pure)",
      ].join(" "),
    }),
  ),
  poolNgrams: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: "take all runs of 1 to n words of the pool's lines as queries, for public text such as titles",
    }),
  ),
  poolMinFrequency: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "leave out queries that are rarer in the pool",
  }),
  poolFrequencies: Type.Optional(
    Type.Enum(["add", "ignore"], {
      description:
        "add a query's frequency in the pool to its count, as the paper does (default ignore; add with --mode paper)",
    }),
  ),
  poolUrls: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: [
        "with --mode pure or korolova: read public urls, one per line or as a column;",
        "never from this log (default no table of clicks)",
      ].join(" "),
    }),
  ),
})

export const countsOptions = Type.Object({
  epsilon: decimal("spend this privacy loss on the whole release (no default)"),
  delta: decimal("accept this chance that the bound fails (no default; leave out with --mode pure)"),
  mode: Type.Enum(["approximate", "pure", "korolova", "paper"], {
    default: "approximate",
    description: [
      "take keys from the log (δ > 0), from a public list alone (δ = 0),",
      "as Korolova et al. 2009 (δ > 0), or as published (δ = 1)",
    ].join(" "),
  }),
  split: Type.String({
    default: "2,1,1",
    placeholder: "q,c,t",
    pattern: "^[0-9]{1,6},[0-9]{1,6},[0-9]{1,6}$",
    description: "divide ε and δ among queries, clicks and transitions; a table with 0 is left out",
  }),
  maxQueries: most("queries"),
  maxClicks: most("clicks"),
  maxTransitions: most("transitions"),
  maxPerKey: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: "let a user add at most this much to a count",
  }),
  bound: Type.Enum(["first", "random"], {
    default: "first",
    description: "count a user's first keys, or random ones, when there are too many",
  }),
  ...transitionOptions.properties,
  minUsers: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "require this many users of a key besides its threshold, which grows with it",
  }),
  select: Type.Enum(["laplace", "optimal"], {
    default: "laplace",
    description:
      "approximate mode: select by discrete Laplace noise, or by truncated geometric noise, which shows more keys",
  }),
  ...poolOptions.properties,
  threshold: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: [
        "with --mode pure or korolova: show public keys from this noisy count on",
        "(default a count that noise alone rarely reaches)",
      ].join(" "),
    }),
  ),
  noiseScale: decimal("with --mode paper: add noise of this scale b"),
  cutoff: Type.Optional(Type.Integer({ minimum: 0, description: "with --mode paper: show noisy counts above this K" })),
  firstQueries: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        "with --mode paper or korolova: count this many searches of a user, q_f or d (default 10 with korolova)",
    }),
  ),
  firstClicks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        "with --mode paper or korolova: count this many clicks of a user, c_f or d_c (default 10 with korolova)",
    }),
  ),
  scrub: Type.Optional(Type.String()), // as for every method; applies to the pool too
  scrubExempt: Type.Optional(Type.String()),
  chosenOnData: Type.Boolean({
    default: false,
    description: "state that these options were chosen by looking at the log, as plan counts does",
  }),
})

export type CountsOptions = Static<typeof countsOptions>
export const tableNames = ["queries", "clicks", "transitions"] as const
export type TableName = (typeof tableNames)[number]

/** Fills in the defaults that depend on the mode. The paper's transitions have no time limit and include repeats. */
export function settleOptions(options: CountsOptions): CountsOptions {
  const { mode, sessionGap, repeats, poolFrequencies, firstQueries, firstClicks } = options
  const isPaper = mode === "paper"
  return {
    ...options,
    ...(isPaper ? {} : { sessionGap: sessionGap ?? 30 }),
    repeats: repeats ?? (isPaper ? "keep" : "drop"),
    poolFrequencies: poolFrequencies ?? (isPaper ? "add" : "ignore"),
    ...(mode === "korolova" ? { firstQueries: firstQueries ?? 10, firstClicks: firstClicks ?? 10 } : {}),
  }
}
