import type { TSchema } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { completeOptions, findMethod, makeDraft, ownPlace } from "../release/anonymize.ts"
import type { Manifest } from "../release/manifest.ts"
import { openDraft, type Release } from "../release/read-release.ts"

/**
 * True if the method of a release can be run again as it was. A manifest may have been altered, so its method must be
 * one of ours and must accept its parameters. No manifest names the owner's files or the lists of public keys.
 */
function canRunAgain({ method: name, parameters, guarantee }: Manifest): boolean {
  try {
    const method = findMethod(name)
    completeOptions(method, parameters)
    const isElsewhere = (key: string) => {
      const schema: TSchema & { place?: boolean } = method.options.properties[key] ?? {}
      return schema.place === true && parameters[key] === ownPlace
    }
    const { noise } = traitsOf(guarantee)
    if (noise === undefined) return !Object.keys(parameters).some(isElsewhere)
    const ofList = ["pure", "korolova"].includes(noise.mode) && noise.mechanisms.some(({ table }) => table === "clicks")
    return !ofList && ["none", "wordnet"].includes(noise.pool)
  } catch (error) {
    if (error instanceof QueryveilError) return false
    throw error
  }
}

/** True if the method can be run again, else the reason why an attack that needs this cannot run. */
export const repeatable = (manifest: Manifest): true | string =>
  canRunAgain(manifest) || "the manifest has no method and parameters that can run again"

/** Runs the method of a release, with the release's own parameters, on another log, for the rows that it makes. */
export async function runAgain(
  { method, parameters, guarantee }: Manifest,
  log: SearchLog,
  context: RunContext,
): Promise<Release> {
  const pool = traitsOf(guarantee).noise?.pool === "wordnet" ? { pool: "wordnet" } : {}
  return openDraft(await makeDraft(log, { ...parameters, ...pool, method }, { ...context, rowsOnly: true }))
}
