import { Type } from "#typebox"
import { swapModes } from "./swapper.ts"

/** What decides who changes places with whom, in a log as in a stream. */
export const swapperOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1_000_000,
    description: "users among whom the one of a search is hidden: a cell holds one more",
  }),
  mode: Type.Enum([...swapModes], {
    default: "strict",
    description:
      "whole cells of k + 1 users, which is what the promise is about; or the paper's algorithm, without one",
  }),
  backlog: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      "strict: different queries of one user that may wait in one topic; more are withheld, since what leaves late points to who searches much",
  }),
  cellTexts: Type.Enum(["distinct", "any"], {
    default: "distinct",
    description:
      "strict: whether two users of a cell may have searched for the same text; if distinct, the later search is withheld, so that nobody is shown with a text of their own",
  }),
  repeats: Type.Optional(
    Type.Enum(["keep", "once"], {
      description:
        "a query that its user issues again after it was released: withheld (once), or released again (keep), which tells who it is to one who compares the users around it (default: once in strict mode, keep in paper mode)",
    }),
  ),
  sensitiveCategories: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: "topics, one path a line: users are swapped across all that lies below the parent of each",
    }),
  ),
})
