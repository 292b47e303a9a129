import { createContext, type RunContext } from "../kernels/context.ts"
import type { AnyProbe, ProbeSubject } from "../probes/probe.ts"
import { type ProbeChoice, type ProbeOutcome, runChosen } from "../probes/run-probes.ts"
import type { Release } from "../release/read-release.ts"
import { attackRegistry, type BuiltInAttack, type ExtensionAttacks } from "./attack-registry.ts"
import { dpAudit } from "./dp-audit/dp-audit.ts"
import { injection } from "./injection/injection.ts"
import { interests } from "./interests.ts"
import { intersection } from "./intersection/intersection.ts"
import { knownQuery } from "./known-query.ts"
import { linkage } from "./linkage/linkage.ts"
import { membership } from "./membership/membership.ts"
import { profile } from "./profile/profile.ts"
import { secrets } from "./secrets/secrets.ts"

const byName = {
  secrets,
  injection,
  "known-query": knownQuery,
  linkage,
  profile,
  membership,
  intersection,
  "dp-audit": dpAudit,
  interests,
} satisfies Record<BuiltInAttack, AnyProbe>

/** Every attack, including those of extensions. The list grows when an attack is registered. */
export const attacks: readonly AnyProbe[] = attackRegistry.complete(Object.values(byName))

/** @inline */
type ByName = typeof byName & ExtensionAttacks

/** The name of an attack. */
export type AttackName = keyof ByName

/** Which attacks to run, and their options. */
export type AttackOptions = ProbeChoice<ByName>

/** Runs the named attacks, or all, on a release and its original. */
export async function attack(
  subject: ProbeSubject<Release>,
  options: AttackOptions = {},
  context: RunContext = createContext(),
): Promise<ProbeOutcome[]> {
  return runChosen({ who: "attack", probes: attacks }, subject, options, context)
}
