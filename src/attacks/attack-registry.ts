import type { TObject } from "#typebox"
import { Registry } from "../kernels/registry.ts"
import type { AnyProbe, Probe, ReleaseProbe, TablesProbe } from "../probes/probe.ts"

const builtInAttacks = [
  "secrets",
  "injection",
  "known-query",
  "linkage",
  "profile",
  "membership",
  "intersection",
  "dp-audit",
  "interests",
] as const

/**
 * Attacks of extensions, by name. Declare yours here (`declare module "queryveil/extend"`), so that `attack` accepts
 * its name and its options.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add their names
export interface ExtensionAttacks {}

/** The name of a built-in attack. */
export type BuiltInAttack = (typeof builtInAttacks)[number]

/** All attacks. `registry.ts` puts the built-in ones first when it is loaded. */
export const attackRegistry = new Registry<AnyProbe>("attack", builtInAttacks)

/** Adds an attack. It then runs with the others, or alone by its name, and its options become flags of the command. */
export function registerAttack<O extends TObject>(attack: Probe<O> | TablesProbe<O> | ReleaseProbe<O>): void {
  attackRegistry.add(attack)
}
