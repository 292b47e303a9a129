import { join } from "node:path"
import { type TObject, Type } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { readLabels, readQueryList } from "../release/labels.ts"
import { readTruth } from "../release/truth.ts"
import { studies } from "../study/registry.ts"
import { computeStudy, type StudyOutcome, writeStudy } from "../study/run-study.ts"
import type { Study } from "../study/study.ts"
import { pageFile, withStudyFolder } from "../study/study-folder.ts"
import { completeStudyOptions } from "../study/study-options.ts"
import { fingerprintInput } from "./fingerprint-input.ts"
import { type LogPlace, listWarnings, openLog } from "./open-log.ts"
import { fitPlanted } from "./open-subject.ts"
import {
  checkOptions,
  type GivenOptions,
  labelsOption,
  logOptions,
  outputOption,
  studySeedOption,
  truthOption,
} from "./options.ts"

/** Options of every study. */
export const studyOptions = Type.Object({
  output: outputOption("dir", "write the study to this folder; points already in it are not computed again"),
  truth: truthOption,
  seed: studySeedOption,
  ...logOptions.properties,
})

/** The option of studies that have the paper's values. */
export const studyPreset = Type.Object({
  preset: Type.Optional(Type.Enum(["paper"], { description: "use the paper's defaults" })),
})

/** Files that some studies read. */
export const studyFiles = Type.Object({
  labels: labelsOption,
  queries: Type.Optional(
    Type.String({ placeholder: "file", description: "show these queries by their text, one a line (private)" }),
  ),
})

/** All options that any study takes. */
export const studyLogOptions = Type.Object({
  ...studyOptions.properties,
  ...studyPreset.properties,
  ...studyFiles.properties,
})

/**
 * Where to keep a study, the study's own options (`values`), what it reads besides the log, and how to read the log.
 */
export interface StudyLogOptions extends Omit<GivenOptions<typeof studyLogOptions>, "output"> {
  /** Folder of the study; points already in it are not computed again. */
  output: string
  values?: object | undefined
}

/** A study that was written, and its points. */
export interface Studied extends StudyOutcome {
  folder: string
  /** The page. */
  index: string
  warnings: string[]
}

/**
 * Runs a study of a log and writes its page, as `queryveil study` does. The log is named by its files, or was read
 * before.
 */
export async function studyLog(
  name: string,
  log: LogPlace,
  { values = {}, ...options }: StudyLogOptions,
  given: RunContext = createContext(),
): Promise<Studied> {
  const study = findStudy(name)
  const { output: folder, preset, seed = 1, ...files } = checkOptions("studyLog", studyLogOptions, options)
  if (folder === undefined) throw new QueryveilError("usage", "studyLog: output is missing.", { flag: "--output" })
  refuseUnread(study, { preset, ...files })
  refuseUnknownOption(study.name, values, Object.keys(study.options.properties))
  refuseWrongValue(study.name, Type.Partial<TObject>(study.options), values)
  const chosen = completeStudyOptions(study, values, preset)
  study.points(chosen) // refuses impossible options before the log is read
  const { context, warnings } = listWarnings(given)
  const planted = files.truth === undefined ? undefined : await readTruth(files.truth)
  const beside = {
    ...(files.labels !== undefined && { labels: await readLabels(files.labels) }),
    ...(files.queries !== undefined && { queries: await readQueryList(files.queries) }),
  }
  const outcome = await withStudyFolder(folder, async (held) => {
    const read = await openLog(log, files, context)
    const known = { ...fitPlanted(planted, read, context), ...beside }
    const input = fingerprintInput(read, known)
    const run = { study, options: chosen, seed, input, subject: { ...read, ...known } }
    const computed = await computeStudy(held, run, context)
    stopIfCancelled(context)
    await writeStudy(held, run, computed.results)
    return computed
  })
  return { folder, index: join(folder, pageFile), ...outcome, warnings }
}

function findStudy(name: string): Study {
  const study = studies.find((candidate) => candidate.name === name)
  if (study !== undefined) return study
  const known = studies.map((candidate) => candidate.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no study called ${name}. Studies: ${known}.`)
}

/**
 * Refuses files and presets that this study does not use. If they were ignored, the study would look as if it had used
 * them.
 */
function refuseUnread({ name, reads = [], paper }: Study, given: GivenOptions<typeof studyLogOptions>): void {
  const unread = (["labels", "queries"] as const).find((key) => given[key] !== undefined && !reads.includes(key))
  const lost = unread ?? (given.preset !== undefined && paper === undefined ? "preset" : undefined)
  if (lost !== undefined) throw new QueryveilError("option-unknown", `${name} has no option ${lost}.`)
}
