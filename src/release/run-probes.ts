import { Value } from "typebox/value"
import { breathe, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Parameters } from "./anonymize.ts"
import type { Probe, ProbeSubject, Score } from "./probe.ts"

/** What came of one probe: its scores, or why it says nothing here. */
export type ProbeOutcome = { probe: string } & ({ scores: Score[] } | { skipped: string })

/** The probes of these names, or all. */
export function selectProbes(probes: readonly Probe[], names: readonly string[] | undefined): Probe[] {
  if (names === undefined) return [...probes]
  return names.map((name) => {
    const probe = probes.find((candidate) => candidate.name === name)
    if (probe !== undefined) return probe
    const known = probes.map((candidate) => candidate.name).join(", ")
    throw new QueryveilError("unknown-name", `There is nothing called ${name} here. Known: ${known}.`, {
      flag: "--only",
    })
  })
}

/** Runs probes one after the other; options are shared by name, and each takes those it declares. */
export async function runProbes(
  probes: readonly Probe[],
  subject: ProbeSubject,
  options: { values?: Parameters },
  context: RunContext,
): Promise<ProbeOutcome[]> {
  const outcomes: ProbeOutcome[] = []
  for (const [i, probe] of probes.entries()) {
    const applies = probe.applies(subject)
    if (applies === true) {
      const values = Value.Parse(
        probe.options,
        Value.Default(probe.options, Value.Clean(probe.options, { ...options.values })),
      )
      outcomes.push({ probe: probe.name, scores: await probe.run(subject, values, context) })
    } else {
      outcomes.push({ probe: probe.name, skipped: applies })
    }
    await breathe(context, { stage: "probing", done: i + 1, total: probes.length })
  }
  return outcomes
}
