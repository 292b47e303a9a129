import type { RunContext } from "../kernels/context.ts"
import type { AnyProbe, ProbeSubject } from "../release/probe.ts"
import type { Release } from "../release/read-release.ts"
import { type ProbeOptions, type ProbeOutcome, runProbes, selectProbes } from "../release/run-probes.ts"
import { dpAudit } from "./dp-audit/dp-audit.ts"
import { injection } from "./injection/injection.ts"
import { interests } from "./interests.ts"
import { intersection } from "./intersection/intersection.ts"
import { knownQuery } from "./known-query.ts"
import { linkage } from "./linkage/linkage.ts"
import { membership } from "./membership/membership.ts"
import { profile } from "./profile/profile.ts"
import { secrets } from "./secrets/secrets.ts"

/** Every attack, by name. */
export const attacks: readonly AnyProbe[] = [
  secrets,
  injection,
  knownQuery,
  linkage,
  profile,
  membership,
  intersection,
  dpAudit,
  interests,
]

/** Runs the attacks of these names, or all, on a release and its original. */
export async function attack(
  subject: ProbeSubject<Release>,
  options: { only?: readonly string[] } & ProbeOptions,
  context: RunContext,
): Promise<ProbeOutcome[]> {
  return runProbes(selectProbes(attacks, options.only), subject, options, context)
}
