import { Type } from "#typebox"
import { identifierKinds } from "./kinds.ts"

/** The owner's list of queries that are not scrubbed although a detector finds something in them. */
export const exemptOption = Type.Object({
  scrubExempt: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: "do not scrub these queries, one a line; they need the users that the method asks for",
    }),
  ),
})

/** Which direct identifiers a released query must not contain. */
export const scrubOption = (usual = "default") =>
  Type.Object({
    scrub: Type.String({
      default: usual,
      ...(usual === "default" && { defaultWords: "all but person" }),
      placeholder: "kinds",
      description:
        "leave out queries with these identifiers: all, none, default (all but person), " +
        `or some of ${identifierKinds.join(",")}`,
    }),
  })
