import { type Static, Type } from "#typebox"

const decimal = (description: string) => Type.Optional(Type.String({ placeholder: "n", description }))

const most = (what: string) =>
  Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    description: `most distinct ${what} of one user that count`,
  })

/** Which next search of a user is a transition. */
export const transitionOptions = Type.Object({
  sessionGap: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description:
        "minutes within which the next search of a user is a transition (default: 30; without limit with --mode paper)",
    }),
  ),
  repeats: Type.Optional(
    Type.Enum(["drop", "keep"], {
      description: "whether a search for the same query again is a transition (default: drop; keep with --mode paper)",
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
      description:
        "public queries, one a line, with a frequency after a tab if known; never from this log (pure mode: wordnet unless given)",
    }),
  ),
  poolNgrams: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: "the pool is public text, such as titles: take all runs of 1 to n words of its lines as queries",
    }),
  ),
  poolMinFrequency: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "leave out queries of the pool that are rarer there",
  }),
  poolFrequencies: Type.Optional(
    Type.Enum(["add", "ignore"], {
      description:
        "add a query's frequency in the pool to its count, as the paper does (default: ignore; add with --mode paper)",
    }),
  ),
  poolUrls: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description:
        "with --mode pure or korolova: public urls, one a line, or a table with a column of them; never from this log; without them there is no table of clicks",
    }),
  ),
})

export const countsOptions = Type.Object({
  epsilon: decimal("privacy loss of the whole release (no default: say what you spend)"),
  delta: decimal(
    "chance that the bound fails, of the whole release (no default; 0 and not to be given with --mode pure)",
  ),
  mode: Type.Enum(["approximate", "pure", "korolova", "paper"], {
    default: "approximate",
    description:
      "keys from the log and δ > 0; keys from a public list alone and δ = 0; the mechanism of Korolova et al. 2009, δ > 0; or as published, δ = 1",
  }),
  split: Type.String({
    default: "2,1,1",
    placeholder: "q,c,t",
    pattern: "^[0-9]{1,6},[0-9]{1,6},[0-9]{1,6}$",
    description: "shares of ε and δ for queries, clicks and transitions; a table with 0 is left out",
  }),
  maxQueries: most("queries"),
  maxClicks: most("clicks"),
  maxTransitions: most("transitions"),
  maxPerKey: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: "most that one user adds to one count",
  }),
  bound: Type.Enum(["first", "random"], {
    default: "first",
    description: "which of a user's keys count when there are too many: the first ones, or some at random",
  }),
  ...transitionOptions.properties,
  minUsers: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "users that a key of the log needs besides reaching its threshold, which grows with it",
  }),
  select: Type.Enum(["laplace", "optimal"], {
    default: "laplace",
    description:
      "noise of the selection: discrete Laplace, or truncated geometric, which shows more keys (approximate mode)",
  }),
  ...poolOptions.properties,
  threshold: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "with --mode pure or korolova: least noisy count of a public key that is shown (default: noise alone hardly reaches it)",
    }),
  ),
  noiseScale: decimal("with --mode paper: b, the scale of the noise"),
  cutoff: Type.Optional(
    Type.Integer({ minimum: 0, description: "with --mode paper: K, which a noisy count must exceed" }),
  ),
  firstQueries: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        "with --mode paper or korolova: q_f or d, the searches of a user that count (korolova: 10 unless given)",
    }),
  ),
  firstClicks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        "with --mode paper or korolova: c_f or d_c, the clicks of a user that count (korolova: 10 unless given)",
    }),
  ),
  scrub: Type.Optional(Type.String()), // as every method's; the pool is scrubbed too
  scrubExempt: Type.Optional(Type.String()),
  chosenOnData: Type.Boolean({
    default: false,
    description: "say that these options were chosen by looking at the log, as plan counts does",
  }),
})

export type CountsOptions = Static<typeof countsOptions>
export const tableNames = ["queries", "clicks", "transitions"] as const
export type TableName = (typeof tableNames)[number]

/** Options with the defaults that depend on the mode. The paper's transitions have no time limit and count repeats. */
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
