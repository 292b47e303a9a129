import { isDeepStrictEqual } from "node:util"
import { yieldAndReport } from "../kernels/context.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import { equalityGuarantee } from "../methods/query-guarantees.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { compareRows, findReleased, originalPromises, unitDetail } from "./original.ts"
import { compareRemotely } from "./original-elsewhere.ts"
import { countDistinctPairs } from "./pairs.ts"
import type { Check, Verifier } from "./verifier.ts"
import { checkOriginalUsers, checkWitnesses } from "./witnesses.ts"

/**
 * Verifies plain k-anonymity. From the release alone: a query shown under fewer than k names (or in fewer than k rows)
 * cannot have k users. With the original: every released text has k users there. The release has all rows of each
 * released text and no others, so its k users are in the release too. No name or url shows more than the column policy
 * allows.
 */
export const equalityVerifier: Verifier = {
  model: "equality",
  async verify({ release, log, remote }, context) {
    const released = await release.log(context)
    const { k, counted } = release.manifest.guarantee
    const checks = [checkManifest(release), checkWitnesses(release, released, { k, text: "query" })]
    await yieldAndReport(context, { stage: "verifying", done: 1, total: 3 })
    const against = [usersPromise(counted), ...Object.values(originalPromises)]
    const unit = log?.unit ?? remote?.unit
    if (unit !== undefined && unit !== counted)
      return [...checks, ...against.map((about): Check => ({ ...about, state: "failed", detail: unitDetail(unit) }))]
    if (log === undefined && remote !== undefined) {
      const users = await remote.countUsers(released.queries, context)
      checks.push(checkOriginalUsers(release, released, { k, users, about: usersPromise(counted) }))
      return [...checks, ...(await compareRemotely(remote, { release, released }, context))]
    }
    if (log === undefined)
      return [...checks, ...against.map((about): Check => ({ ...about, state: "not checked", needs: "against" }))]
    const users = usersOfTexts(released, log)
    checks.push(checkOriginalUsers(release, released, { k, users, about: usersPromise(counted) }))
    await yieldAndReport(context, { stage: "verifying", done: 2, total: 3 })
    return [...checks, ...compareRows({ release, released, log, releasedOf: findReleased(released, log) }, context)]
  },
}

const usersPromise = (counted: Unit) => ({
  name: "users-original",
  promise: `every released query has k ${counted}s in the original`,
})

/**
 * Checks that the guarantee, in words and numbers, is the one that follows from the parameters. Nothing may be added or
 * left out.
 */
function checkManifest({ manifest }: RowsRelease): Check {
  const { method, parameters, guarantee } = manifest
  const promised = equalityGuarantee({ k: Number(parameters.k), counted: guarantee.counted })
  const same = method === "equality" && isDeepStrictEqual(guarantee, promised)
  return { name: "manifest", promise: "the guarantee follows from the parameters", state: same ? "passed" : "failed" }
}

/** By released text: its distinct users in the original. */
function usersOfTexts(released: SearchLog, log: SearchLog): number[] {
  const users = countDistinctPairs(log.query, log.user, log.queries.size)
  return Array.from({ length: released.queries.size }, (_, text) => {
    const found = log.queries.findBytes(released.queries.bytes(text))
    return found < 0 ? 0 : users[found]
  })
}
