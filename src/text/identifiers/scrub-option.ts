import { Type } from "#typebox"
import { identifierKinds } from "./kinds.ts"

/** Which direct identifiers a released query may not hold. */
export const scrubOption = (usual = "default") =>
  Type.Object({
    scrub: Type.String({
      default: usual,
      placeholder: "kinds",
      description: `leave out queries with these identifiers: all, none, default (all but person), or some of ${identifierKinds.join(",")}`,
    }),
  })
