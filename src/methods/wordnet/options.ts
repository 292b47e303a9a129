import { type Static, Type } from "#typebox"

/** Options that decide the concept of a query, before any part is split. */
const placeOptions = Type.Object({
  match: Type.Enum(["content", "all"], {
    default: "content",
    description: "take the concept of a query's last longest noun, or the most shared of all its words (the paper)",
  }),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        "go down to this level of concepts; 1 is entity, the paper's Table 5 has 3 (default as deep as k allows)",
    }),
  ),
  counts: Type.Enum(["users", "queries"], {
    default: "users",
    description: "count users, or distinct queries, which may all be of one person (the paper)",
  }),
})

/** Options of generalisation. */
export const wordnetOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "require this many users of a concept; with --counts queries, distinct queries",
  }),
  split: Type.Enum(["finest", "greedy"], {
    default: "finest",
    description: "choose concepts from the leaves up, or from the top by greatest gain (the paper)",
  }),
  ...placeOptions.properties,
})

export type PlaceOptions = Static<typeof placeOptions>
export type WordnetOptions = Static<typeof wordnetOptions>
