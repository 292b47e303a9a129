import { type Static, type TObject, Value } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { enterStep, type RunContext, yieldAndReport } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { mixWords, seededRandom } from "../kernels/random.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { definedOf, type OptionValues } from "../release/anonymize.ts"
import type { Release } from "../release/read-release.ts"
import type { AnyProbe, ProbeSubject } from "./probe.ts"
import { type Finding, nameFindings, type Score } from "./score.ts"

/** The outcome of one probe: its scores, or why it does not apply. */
export type ProbeOutcome = { probe: string } & ({ scores: Score[] } | { skipped: string })

/** The scores of all probes that have any. */
export function scoresOf(outcomes: readonly ProbeOutcome[]): Score[] {
  return outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
}

/** The probes with these names, each once, or all. */
export function selectProbes(probes: readonly AnyProbe[], names: readonly string[] | undefined): AnyProbe[] {
  if (names === undefined) return [...probes]
  return [...new Set(names)].map((name) => {
    const probe = probes.find((candidate) => candidate.name === name)
    if (probe !== undefined) return probe
    const known = probes.map((candidate) => candidate.name).join(", ")
    throw new QueryveilError("unknown-name", `Unknown name: ${name}. Known: ${known}.`, {
      flag: "--only",
    })
  })
}

/** The default seed of probes, which makes their results repeatable. */
export const usualSeed = 1

/** Options of attacks and measures, shared by name, and the seed that makes them repeatable. */
export interface ProbeOptions {
  /** What progress messages call a probe: an attack or a measure. */
  kind?: "attack" | "measure"
  values?: OptionValues
  /**
   * Makes the results repeatable. Each probe has its own random source, so it finds the same alone and among others.
   */
  seed?: number
}

/**
 * The intersection of all members of a union type.
 * @inline
 */
type Joined<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer All) => void ? All : never
/** @inline */
type OptionsOf<P> = P extends { options: infer O extends TObject } ? Static<O> : never

/** Which probes of a registry to run, by name, and the options of any of them. */
export interface ProbeChoice<Registry> {
  only?: readonly (keyof Registry)[] | undefined
  values?: Partial<Joined<OptionsOf<Registry[keyof Registry]>>> | undefined
  /**
   * Makes the results repeatable. Each probe has its own random source, so it finds the same alone and among others.
   */
  seed?: number | undefined
}

/** Runs the chosen probes. Refuses a name or an option that no probe has. */
export async function runChosen(
  { who, probes }: { who: "attack" | "measure"; probes: readonly AnyProbe[] },
  subject: ProbeSubject<Release>,
  choice: { only?: readonly PropertyKey[] | undefined; values?: object | undefined; seed?: number | undefined },
  context: RunContext,
): Promise<ProbeOutcome[]> {
  refuseUnknownOption(who, choice, ["only", "values", "seed"])
  const { only, values = {}, seed } = choice
  const known = new Set(probes.flatMap(({ options }) => Object.keys(options.properties)))
  refuseUnknownOption(who, values, [...known].sort())
  const selected = selectProbes(probes, only?.map(String))
  const options = { kind: who, values: definedOf(values), ...(seed !== undefined && { seed }) }
  return runProbes(selected, subject, options, context)
}

/** Runs probes one after the other. Options are shared by name; each probe takes those it declares. */
export async function runProbes(
  probes: readonly AnyProbe[],
  subject: ProbeSubject<Release>,
  options: ProbeOptions,
  context: RunContext,
): Promise<ProbeOutcome[]> {
  const outcomes: ProbeOutcome[] = []
  for (const [i, probe] of probes.entries()) {
    const values = completeValues(probe, options.values)
    const step = { kind: options.kind ?? "part", number: i + 1, total: probes.length, name: probe.name }
    const within = enterStep(contextOf(probe, options, context), step)
    const outcome = await runProbe(probe, subject, values, within)
    const reason = outcome.length === 0 ? "there was nothing to score" : outcome
    outcomes.push({
      probe: probe.name,
      ...(typeof reason === "string" ? { skipped: reason } : { scores: nameFindings(probe, reason) }),
    })
    await yieldAndReport(within, { stage: "scoring", done: 1, total: 1 })
  }
  return outcomes
}

/** The values that a probe declares, with its defaults. */
function completeValues({ name, options }: AnyProbe, values: OptionValues | undefined): Record<string, unknown> {
  const complete = Value.Default(options, Value.Clean(options, { ...values }))
  refuseWrongValue(name, options, complete)
  return Value.Parse(options, complete)
}

function contextOf({ name }: AnyProbe, { seed }: ProbeOptions, context: RunContext): RunContext {
  if (seed === undefined) return context
  const start = mixWords(seed, Math.floor(seed / 2 ** 32))
  return { ...context, random: seededRandom(Buffer.from(name).reduce(mixWords, start)) }
}

/** The scores, or why there are none. A probe of rows does not apply to tables, nor the other way round. */
async function runProbe(
  probe: AnyProbe,
  subject: ProbeSubject<Release>,
  values: Record<string, unknown>,
  context: RunContext,
): Promise<Finding[] | string> {
  const { release } = subject
  if (traitsOf(release.manifest.guarantee).shows === "profiles" && probe.looksAtProfiles !== true)
    return "the release has profiles, not searches"
  if (probe.looksAt === "any") {
    const applies = probe.applies(subject, values)
    return applies === true ? probe.run(subject, values, context) : applies
  }
  if (probe.looksAt === "tables") {
    if (release.kind !== "tables") return "the release has rows, not tables of counts"
    const applies = probe.applies({ ...subject, release }, values)
    return applies === true ? probe.run({ ...subject, release }, values, context) : applies
  }
  if (release.kind !== "rows") return "the release has tables of counts, not rows"
  const applies = probe.applies({ ...subject, release }, values)
  return applies === true ? probe.run({ ...subject, release }, values, context) : applies
}
