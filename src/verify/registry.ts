import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Release } from "../release/read-release.ts"
import { affinityVerifier } from "./affinity.ts"
import { dpVerifier } from "./dp.ts"
import { equalityVerifier } from "./equality.ts"
import { readExemptList } from "./exempt-list.ts"
import { generalisationVerifier } from "./generalisation.ts"
import { groupsVerifier } from "./groups.ts"
import { checkOrder } from "./independent-order.ts"
import { profilesVerifier } from "./profiles.ts"
import { checkRelease } from "./release-checks.ts"
import { swapVerifier } from "./swap.ts"
import type { Check, TablesVerifier, Verifier, VerifySubject } from "./verifier.ts"
import { extensionVerifiers } from "./verifier-registry.ts"

/** One verifier for each guarantee model about rows. */
const verifiers: readonly Verifier[] = [
  equalityVerifier,
  affinityVerifier,
  generalisationVerifier,
  groupsVerifier,
  swapVerifier,
]

/** One verifier for each guarantee model about tables. */
const tablesVerifiers: readonly TablesVerifier[] = [dpVerifier, profilesVerifier]

/** Checks a release: first what every release must show, then its guarantee. */
export async function verify(subject: VerifySubject<Release>, context: RunContext = createContext()): Promise<Check[]> {
  const { release } = subject
  try {
    await (release.kind === "rows" ? release.log(context) : release.tables(context))
  } catch (error) {
    if (!(error instanceof QueryveilError) || error.code !== "release-broken") throw error
    const about = { name: "readable", promise: "the files contain what the manifest names, and nothing else" }
    return [{ ...about, state: "failed", detail: error.message }]
  }
  const exempt = await readExemptList(subject)
  const checks = await checkRelease(release, exempt, context)
  return [...checks, ...(await checkGuarantee({ ...subject, exempt: exempt.queries }, context))]
}

async function checkGuarantee(subject: VerifySubject<Release>, context: RunContext): Promise<Check[]> {
  const { release } = subject
  const { model } = release.manifest.guarantee
  if (release.kind === "rows") {
    const verifier = [...verifiers, ...extensionVerifiers.rows].find((candidate) => candidate.model === model)
    if (verifier !== undefined) {
      const checks = await verifier.verify({ ...subject, release }, context)
      return [...checks, ...(await checkOrder({ ...subject, release }, context))]
    }
  } else {
    const verifier = [...tablesVerifiers, ...extensionVerifiers.tables].find((candidate) => candidate.model === model)
    if (verifier !== undefined) return verifier.verify({ ...subject, release }, context)
  }
  throw new QueryveilError("release-broken", `There is no verifier for ${model}.`)
}
