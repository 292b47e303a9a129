import { type Static, Type } from "#typebox"

const decimal = (description: string) => Type.Optional(Type.String({ placeholder: "n", description }))

const most = (what: string) =>
  Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    description: `most distinct ${what} of one user that count`,
  })

export const countsOptions = Type.Object({
  epsilon: decimal("privacy loss of the whole release (no default: say what you spend)"),
  delta: decimal(
    "chance that the bound fails, of the whole release (no default; 0 and not to be given with --mode pure)",
  ),
  mode: Type.Enum(["approximate", "pure", "paper"], {
    default: "approximate",
    description: "keys from the log and δ > 0; keys from a public list alone and δ = 0; or as published, δ = 1",
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
  sessionGap: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 100_000,
    description: "minutes within which the next search of a user is a transition",
  }),
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
  pool: Type.Optional(
    Type.String({
      placeholder: "file|wordnet",
      fromFile: "lines",
      unless: ["wordnet"],
      private: true,
      description:
        "public queries, one a line, that are shown by their noisy count alone (pure mode: wordnet unless given)",
    }),
  ),
  poolUrls: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: "with --mode pure: public urls, one a line; without them there is no table of clicks",
    }),
  ),
  threshold: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "with --mode pure: least noisy count that is shown (default: about one key of the pool by noise alone)",
    }),
  ),
  noiseScale: decimal("with --mode paper: b, the scale of the noise"),
  cutoff: Type.Optional(
    Type.Integer({ minimum: 0, description: "with --mode paper: K, which a noisy count must exceed" }),
  ),
  firstQueries: Type.Optional(
    Type.Integer({ minimum: 1, description: "with --mode paper: q_f, the searches of a user that count" }),
  ),
  firstClicks: Type.Optional(
    Type.Integer({ minimum: 1, description: "with --mode paper: c_f, the clicks of a user that count" }),
  ),
  scrub: Type.Optional(Type.String()), // as every method's; the pool is scrubbed too
  chosenOnData: Type.Boolean({
    default: false,
    description: "say that these options were chosen by looking at the log, as plan counts does",
  }),
})

export type CountsOptions = Static<typeof countsOptions>
export const tableNames = ["queries", "clicks", "transitions"] as const
export type TableName = (typeof tableNames)[number]
