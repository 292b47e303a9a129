import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type, Value } from "#typebox"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { seededRandom } from "../kernels/random.ts"
import { sampleUsers } from "../log/sample-users.ts"
import { listUnchecked } from "../study/advise/advice-limits.ts"
import { findMatchingK, type MatchingK } from "../study/advise/matching-k.ts"
import { frontierStudy } from "../study/frontier/frontier-study.ts"
import { readFrontier } from "../study/frontier/rows.ts"
import { type UseName, useNames } from "../study/frontier/scores.ts"
import { computeStudy, writeStudy } from "../study/run-study.ts"
import { pageFile, type StudyFolder, withStudyFolder } from "../study/study-folder.ts"
import { type ChosenRelease, chooseRelease } from "./choose-release.ts"
import { fingerprintInput } from "./fingerprint-input.ts"
import { listWarnings, openLog } from "./open-log.ts"
import { checkOptions, type GivenOptions, logOptions, outputOption, pickOptions, studySeedOption } from "./options.ts"

const { methods, targets } = frontierStudy.options.properties

export const adviseOptions = Type.Object({
  maxRisk: Type.Number({
    default: 0.05,
    minimum: 0,
    maximum: 1,
    description: "allow the strongest attack to gain this much over a guess, by the upper end of its interval",
  }),
  use: Type.Enum([...useNames], {
    default: "suggestions",
    placeholder: "name",
    description: `choose the release for this use: ${useNames.join(", ")}`,
  }),
  methods,
  sample: Type.Integer({
    default: 250_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "use at most this many rows, as whole users drawn at random",
  }),
  targets,
  seed: studySeedOption,
  output: outputOption("dir", "keep the study in this folder (default not kept)"),
  ...logOptions.properties,
})

/** What the release is for, how much risk is acceptable, how much of the log to try, and how to read the log. */
export interface AdviseOptions extends GivenOptions<typeof adviseOptions> {}

/** The release to make from a log, and the reasons for it. */
export interface Advised extends ChosenRelease {
  use: UseName
  maxRisk: number
  sample: { rows: number; users: number; ofRows: number; ofUsers: number }
  /** The k of affinity that releases as much as a small k of equality, if both methods are compared. */
  matching?: MatchingK
  notChecked: string[]
  /** Releases that a method refused to make. */
  refused: { label: string; why: string }[]
  /** The page of the study, if the study is kept. */
  index?: string
  warnings: string[]
}

/** Chooses a method and its parameters for a log from a coarse frontier on a sample, as `queryveil advise` does. */
export async function adviseRelease(
  log: string | readonly string[],
  options: AdviseOptions = {},
  given: RunContext = createContext(),
): Promise<Advised> {
  const checked = checkOptions("adviseRelease", adviseOptions, options)
  const { use = "suggestions", maxRisk = 0.05, seed = 1, sample = 250_000, output } = checked
  const study = frontierStudy
  const values = { ...pickOptions(study.options, checked), coarse: true, discardReleases: true }
  const chosen = Value.Parse(study.options, Value.Default(study.options, values))
  study.points(chosen) // refuses impossible options before the log is read
  const { context, warnings } = listWarnings(given)
  const { results, whole, part, matching } = await withFolder(output, async (folder) => {
    const whole = await openLog(log, checked, context)
    const part = sampleUsers(whole.log, { rows: sample }, seededRandom(seed))
    const input = fingerprintInput(whole, part === whole.log ? {} : { sample })
    const run = { study, options: chosen, seed, input, subject: { log: part, intake: whole.intake } }
    const { results } = await computeStudy(folder, run, context)
    stopIfCancelled(context)
    if (output !== undefined) await writeStudy(folder, run, results)
    const matching = comparesAffinity(checked.methods) ? await findMatchingK(part, context) : undefined
    return { results, whole: whole.log, part, matching }
  })
  const refused = readFrontier(results).flatMap(({ label, refused: why }) =>
    why === undefined ? [] : [{ label, why }],
  )
  return {
    use,
    maxRisk,
    sample: { rows: part.rows, users: part.users.size, ofRows: whole.rows, ofUsers: whole.users.size },
    ...(await chooseRelease(results, { use, maxRisk, log, reading: checked })),
    ...(matching && { matching }),
    notChecked: listUnchecked({ sample: part, whole }),
    refused,
    ...(output !== undefined && { index: join(output, pageFile) }),
    warnings,
  }
}

/** True if both methods are tried. All methods are tried unless some are named. */
const comparesAffinity = (methods: readonly string[] | undefined) =>
  ["equality", "affinity"].every((name) => methods?.includes(name) ?? true)

/** Runs work in a folder that is kept, or in a private temporary one that is always removed afterwards. */
async function withFolder<T>(kept: string | undefined, work: (folder: StudyFolder) => Promise<T>): Promise<T> {
  if (kept !== undefined) return withStudyFolder(kept, work)
  const folder = await mkdtemp(join(tmpdir(), "queryveil-advise-")) // mode 0700
  try {
    return await work({ path: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
