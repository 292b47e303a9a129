import { Type } from "#typebox"
import { taxonomyOption } from "../../../taxonomy/open-taxonomy.ts"

export const taxonomyFlags = Type.Object({
  ...taxonomyOption.properties,
  cache: Type.Optional(
    Type.String({ placeholder: "dir", description: "keep WordNet in this folder, so that it opens faster" }),
  ),
})
