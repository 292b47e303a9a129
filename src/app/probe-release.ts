import { type Static, type TObject, Type } from "#typebox"
import { type AttackOptions, attacks } from "../attacks/registry.ts"
import { refuseUnknownOption } from "../kernels/check-options.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { type MeasureOptions, measures } from "../measures/registry.ts"
import type { AnyProbe, ProbeSubject } from "../probes/probe.ts"
import { type ProbeOutcome, runProbes, selectProbes, usualSeed } from "../probes/run-probes.ts"
import { withTrecFolder } from "../probes/write-trec.ts"
import { definedOf } from "../release/anonymize.ts"
import { type AttackVerdict, attackVerdict } from "../study/report/attack-verdict.ts"
import { showsNothing } from "../study/report/promise-verdict.ts"
import { serviceWarning } from "../taxonomy/classify/open-classifier.ts"
import { type AnswerOrigin, originOf, reserveAnswer, writeAnswer } from "./answer-files.ts"
import { listWarnings, warn } from "./open-log.ts"
import { openSubject } from "./open-subject.ts"
import {
  answerOption,
  checkOptions,
  engineOption,
  type GivenOptions,
  labelsOption,
  onlyOption,
  otherOptions,
  releaseOptions,
  seedOption,
  truthOption,
} from "./options.ts"

const probeOptions = Type.Object({
  ...releaseOptions.properties,
  engine: engineOption,
  truth: truthOption,
  labels: labelsOption,
  only: onlyOption,
  seed: seedOption,
  output: answerOption(),
})

/** Options of `attackRelease` besides the options of the attacks. */
export const attackOptions = Type.Object({ ...probeOptions.properties, ...otherOptions })

/** Options of `measureRelease` besides the options of the measures. */
export const measureOptions = Type.Object({
  ...probeOptions.properties,
  trec: Type.Optional(
    Type.String({
      placeholder: "dir",
      description:
        "write the runs and judgements of retrieval in TREC's format (private: they hold queries of the log)",
    }),
  ),
})

/** The options of a schema except those that are typed by a registry of probes. */
type PlacesOf<S extends TObject> = Omit<GivenOptions<S>, "against" | "only" | "seed"> & {
  /** The original log: files, globs, or `-`. */
  against: string | readonly string[]
}

/** The original and its side files, which attacks to run and their options, and a file for the answer. */
export interface AttackReleaseOptions extends PlacesOf<typeof attackOptions>, AttackOptions {}

/** The original and its side files, which measures to run and their options, and a file for the answer. */
export interface MeasureReleaseOptions extends PlacesOf<typeof measureOptions>, MeasureOptions {}

/** What attacks or measures found. */
export interface Probed extends AnswerOrigin {
  folder: string
  outcomes: ProbeOutcome[]
  /** The verdict on the attacks; measures have none. */
  verdicts?: { attacks: AttackVerdict }
  warnings: string[]
}

/** Attacks the release in a folder, scored with the original, as `queryveil attack` does. */
export function attackRelease(
  folder: string,
  options: AttackReleaseOptions,
  context: RunContext = createContext(),
): Promise<Probed> {
  return probeRelease({ name: "attack", probes: attacks, schema: attackOptions }, folder, options, context)
}

/** Measures how useful the release in a folder still is compared with the original, as `queryveil measure` does. */
export function measureRelease(
  folder: string,
  options: MeasureReleaseOptions,
  context: RunContext = createContext(),
): Promise<Probed> {
  return probeRelease({ name: "measure", probes: measures, schema: measureOptions }, folder, options, context)
}

/** `attackRelease` or `measureRelease` for names and values that are known only at run time. */
export async function probeRelease<S extends TObject>(
  kind: { name: "attack" | "measure"; probes: readonly AnyProbe[]; schema: S },
  folder: string,
  { values = {}, ...options }: { values?: object | undefined; only?: readonly string[] | undefined },
  given: RunContext,
): Promise<Probed> {
  const { name, probes, schema } = kind
  const who = `${name}Release`
  const checked: Partial<Static<typeof attackOptions> & Static<typeof measureOptions>> = checkOptions(
    who,
    schema,
    options,
  )
  const { only, seed = usualSeed, trec, ...places } = checked
  const known = new Set(probes.flatMap(({ options }) => Object.keys(options.properties)))
  refuseUnknownOption(who, values, [...known].sort())
  const { context, warnings } = listWarnings(given)
  const selected = selectProbes(probes, only)
  await reserveAnswer(places.output, folder)
  if (places.against === undefined)
    throw new QueryveilError("usage", `${who}: against is missing: the original log.`, { flag: "--against" })
  const { release, original, receipt, relation, ...side } = await openSubject(folder, places, context)
  if (original === undefined) throw new QueryveilError("internal", "The original was not read.")
  const classifier = "classifier" in values ? String(values.classifier) : ""
  const warning = selected.some(usesClassifier) ? serviceWarning(classifier) : undefined
  if (warning !== undefined) warn(context, warning)
  const subject = { release, log: original.log, ...side }
  const run = (write?: ProbeSubject["trec"]) =>
    runProbes(
      selected,
      { ...subject, ...(write && { trec: write }) },
      { kind: name, values: definedOf(values), seed },
      context,
    )
  const outcomes = await (trec === undefined ? run() : withTrecFolder(trec, run))
  const { manifest } = release
  const judging = {
    all: selected,
    relation,
    acceptedRisk: receipt?.maxRisk,
    isEmpty: await showsNothing(release, context),
  }
  const verdicts = name === "attack" ? { verdicts: { attacks: attackVerdict(outcomes, judging) } } : {}
  const answer = { folder, ...originOf(manifest, { intake: original.intake, seed }), outcomes, ...verdicts, warnings }
  stopIfCancelled(context)
  await writeAnswer(places.output, name, answer)
  return answer
}

const usesClassifier = ({ options }: AnyProbe) => "classifier" in options.properties
