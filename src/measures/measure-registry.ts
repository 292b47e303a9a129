import type { TObject } from "#typebox"
import { Registry } from "../kernels/registry.ts"
import type { AnyProbe, Probe, ReleaseProbe, TablesProbe } from "../probes/probe.ts"

const builtInMeasures = [
  "events-kept",
  "queries-kept",
  "kept-per-user",
  "top-queries",
  "top-urls",
  "ncp",
  "f-beta",
  "topic-distance",
  "profile-distance",
  "topic-loss",
  "shown-counts",
  "retrieval",
  "suggestions",
  "perplexity",
  "unique-suppressed",
  "objects-changed",
  "member-distance",
] as const

/**
 * Measures of extensions, by name. Declare yours here (`declare module "queryveil/extend"`), so that `measure` accepts
 * its name and its options.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add their names
export interface ExtensionMeasures {}

/** The name of a built-in measure. */
export type BuiltInMeasure = (typeof builtInMeasures)[number]

/** All measures. `registry.ts` puts the built-in ones first when it is loaded. */
export const measureRegistry = new Registry<AnyProbe>("measure", builtInMeasures)

/** Adds a measure. It then runs with the others, or alone by its name, and its options become flags of the command. */
export function registerMeasure<O extends TObject>(measure: Probe<O> | TablesProbe<O> | ReleaseProbe<O>): void {
  measureRegistry.add(measure)
}
