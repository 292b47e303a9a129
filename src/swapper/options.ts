import { Type } from "#typebox"
import { swapModes } from "./swapper.ts"

/** Options that decide which users are swapped, in a log and in a stream. */
export const swapperOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1_000_000,
    description: "hide the user of a search among this many others",
  }),
  mode: Type.Enum([...swapModes], {
    default: "strict",
    description: "release whole cells of k + 1 users, as promised; or run the paper's algorithm, without a promise",
  }),
  backlog: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 1_000_000_000,
    description: [
      "strict: let at most this many different queries of a user wait in a topic and withhold the rest;",
      "late releases point to heavy users",
    ].join(" "),
  }),
  cellTexts: Type.Enum(["distinct", "any"], {
    default: "distinct",
    description: [
      "strict: withhold the later of two equal texts in a cell,",
      "so that nobody is shown with their own text (distinct), or allow it (any)",
    ].join(" "),
  }),
  repeats: Type.Optional(
    Type.Enum(["keep", "once"], {
      description: [
        "withhold a query that its user repeats (once), or release it again (keep),",
        "which helps an attacker find the user (default once in strict mode, keep in paper mode)",
      ].join(" "),
    }),
  ),
  sensitiveCategories: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description:
        "read sensitive topics, one path a line; users are swapped across everything below the parent of each",
    }),
  ),
})
