import { Type } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import { findInputs } from "../log/inputs.ts"
import { openWordNet } from "../wordnet/open-wordnet.ts"
import { importTaxonomy } from "./load/import-taxonomy.ts"
import { type Taxonomy, taxonomyFrom } from "./taxonomy.ts"
import { readTaxonomyFile } from "./taxonomy-file.ts"
import { wordNetTaxonomy } from "./wordnet/wordnet-taxonomy.ts"

/** Name of the taxonomy that comes with the package. */
export const builtIn = "wordnet"

/** The flag of every command that takes a taxonomy. */
export const taxonomyOption = Type.Object({
  taxonomy: Type.String({
    default: builtIn,
    placeholder: `file|${builtIn}`,
    place: true,
    unless: [builtIn],
    description: "take topics from WordNet's nouns, or from a taxonomy file",
  }),
})

/**
 * Opens the taxonomy that a person chose: `wordnet`, a file that `taxonomy import` wrote, or any file that it reads,
 * strictly. `cache` is a folder for WordNet, which then opens faster. `makesParents`: a file may leave out lines of
 * parents.
 */
export async function openTaxonomy(
  choice: string | undefined,
  options: { cache?: string; makesParents?: boolean },
  context: RunContext,
): Promise<Taxonomy> {
  if (choice === undefined || choice === builtIn) return wordNetTaxonomy(await openWordNet(options, context))
  const [input] = await findInputs([choice])
  const columns = input.size === undefined ? undefined : await readTaxonomyFile(input.path)
  return taxonomyFrom(
    columns ?? (await importTaxonomy([choice], { makesParents: options.makesParents ?? false }, context)).columns,
  )
}
