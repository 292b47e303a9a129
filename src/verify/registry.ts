import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { affinityVerifier } from "./affinity.ts"
import { equalityVerifier } from "./equality.ts"
import { generalisationVerifier } from "./generalisation.ts"
import { groupsVerifier } from "./groups.ts"
import { checkRelease } from "./release-checks.ts"
import { swapVerifier } from "./swap.ts"
import type { Check, Verifier, VerifySubject } from "./verifier.ts"

/** One verifier for each model of guarantee. */
export const verifiers: readonly Verifier[] = [
  equalityVerifier,
  affinityVerifier,
  generalisationVerifier,
  groupsVerifier,
  swapVerifier,
]

/** Checks a release: what every release must show, then its guarantee. */
export async function verify(subject: VerifySubject, context: RunContext): Promise<Check[]> {
  const { model } = subject.release.manifest.guarantee
  const verifier = verifiers.find((candidate) => candidate.model === model)
  if (verifier === undefined) throw new QueryveilError("release-broken", `There is no verifier for ${model}.`)
  try {
    await subject.release.log(context)
  } catch (error) {
    if (!(error instanceof QueryveilError) || error.code !== "release-broken") throw error
    const about = { name: "readable", promise: "the files hold what the manifest names, and nothing else" }
    return [{ ...about, state: "fails", detail: error.message }]
  }
  return [...(await checkRelease(subject.release, context)), ...(await verifier.verify(subject, context))]
}

/** One word for many checks: a failure weighs most, then what could not be checked. */
export function overall(checks: readonly Check[]): Check["state"] {
  if (checks.some(({ state }) => state === "fails")) return "fails"
  return checks.some(({ state }) => state === "unchecked") ? "unchecked" : "holds"
}
