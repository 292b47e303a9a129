import { Type } from "#typebox"
import { counted, notCovered } from "./guarantee-parts.ts"

/**
 * The fields that every guarantee of an extension method has. The extension's own schema is stricter. It is checked
 * where the extension is loaded.
 */
export const extensionGuarantee = Type.Object({
  model: Type.Unsafe<`x-${string}`>(
    Type.String({ pattern: "^x-[a-z0-9]+(-[a-z0-9]+)*$", description: "the name of the guarantee, after x-" }),
  ),
  unit: Type.Enum(["query", "record", "user"], { description: "who or what is protected" }),
  counted,
  k: Type.Integer({ minimum: 1, description: "the least number of users; urls that fewer clicked are not shown" }),
  statement: Type.String(),
  notCovered,
})
