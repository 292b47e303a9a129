import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Command } from "commander"
import { Type, Value } from "#typebox"
import { seededRandom } from "../../kernels/random.ts"
import { sampleUsers } from "../../log/sample-users.ts"
import { listUnchecked } from "../../study/advise/advice-limits.ts"
import { type Advice, type AdviceOptions, advise } from "../../study/advise/advise.ts"
import { describeMatchingK, findMatchingK, type MatchingK } from "../../study/advise/matching-k.ts"
import { frontierStudy } from "../../study/frontier/frontier-study.ts"
import { parametersOf } from "../../study/frontier/point.ts"
import { type Comparable, readFrontier } from "../../study/frontier/rows.ts"
import { useNames, uses } from "../../study/frontier/scores.ts"
import { formatCell } from "../../study/pages/page.ts"
import { computeStudy, writeStudy } from "../../study/run-study.ts"
import { type StudyFolder, withStudyFolder } from "../../study/study-folder.ts"
import { anonymizeWords } from "../anonymize-words.ts"
import { logArgument, outputFlag, readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { fingerprintInput } from "../fingerprint-input.ts"
import type { Given } from "../flags.ts"
import type { Session } from "../session.ts"
import { readWords, shellCommand } from "../shell-words.ts"

const { methods, targets } = frontierStudy.options.properties

const adviseFlags = Type.Object({
  maxRisk: Type.Number({
    default: 0.05,
    minimum: 0,
    maximum: 1,
    description: "the most that the strongest attack may gain over a guess, by the upper end of its interval",
  }),
  use: Type.Enum([...useNames], {
    default: "suggestions",
    placeholder: "name",
    description: `what the release is to be good for: ${useNames.join(", ")}`,
  }),
  methods,
  sample: Type.Integer({
    default: 250_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "rows to look at, at most, as whole users drawn at random",
  }),
  targets,
  seed: Type.Integer({ default: 1, minimum: 0, description: "the same seed draws the same numbers" }),
  output: outputFlag("dir", "folder to keep the study in (default: nothing is kept)"),
  ...readFlags.properties,
})

/** `advise LOG`: which method, with which parameters, by a coarse frontier on a sample. */
export function adviseCommand(): Command {
  return defineCommand({
    name: "advise",
    summary: "choose a method and its parameters for a log (exit 3: none is safe enough)",
    argument: logArgument,
    flags: adviseFlags,
    run: (session, flags, paths) => run(session, flags, paths),
  })
}

async function run(session: Session, flags: Given<typeof adviseFlags>, paths: string[]): Promise<number> {
  const { use = "suggestions", maxRisk = 0.05, seed = 1, sample = 250_000 } = flags
  const study = frontierStudy
  const given = Value.Clean(study.options, { ...flags, coarse: true, discardReleases: true })
  const options = Value.Parse(study.options, Value.Default(study.options, given))
  study.points(options) // what cannot be done is said before the log is read
  const { rows, whole, log, matching } = await withFolder(flags.output, async (folder) => {
    const whole = await session.readLog(paths, flags)
    const log = sampleUsers(whole.log, { rows: sample }, seededRandom(seed))
    const input = fingerprintInput(whole, log === whole.log ? {} : { sample })
    const found = { study, options, seed, input, subject: { log, intake: whole.intake } }
    const { results } = await computeStudy(folder, found, session.context)
    if (flags.output !== undefined) await writeStudy(folder, found, results)
    const matching = comparesAffinity(flags.methods) ? await findMatchingK(log, session.context) : undefined
    return { rows: readFrontier(results), whole, log, matching }
  })
  const advice = advise(rows, { use, maxRisk })
  const { chosen } = advice
  const command = chosen && shellCommand(anonymizeWords(chosen.row.point, { paths, read: readWords(flags), maxRisk }))
  const notChecked = listUnchecked({ sample: log, whole: whole.log })
  const refused = rows.flatMap(({ label, refused: why }) => (why === undefined ? [] : [{ label, why }]))
  session.answer({
    use,
    maxRisk,
    sample: { rows: log.rows, users: log.users.size, ofRows: whole.log.rows, ofUsers: whole.log.users.size },
    ...(chosen && { chosen: summarise(chosen) }),
    ...(advice.safest && { safest: summarise(advice.safest) }),
    alternatives: advice.alternatives.map(({ option, why }) => ({ ...summarise(option), why })),
    reasons: advice.reasons,
    ...(command && { command }),
    ...(matching && { matching }),
    notChecked,
    refused,
    ...(flags.output && { index: join(flags.output, "index.html") }),
  })
  session.say(adviceText(advice, { use, maxRisk, command, matching, notChecked, output: flags.output, paths }))
  return chosen === undefined ? 3 : 0
}

/** Whether both are among the methods; all are, unless some are named. */
const comparesAffinity = (methods: readonly string[] | undefined) =>
  ["equality", "affinity"].every((name) => methods?.includes(name) ?? true)

/** A folder that is kept, or a private one that is gone afterwards, whatever happens. */
async function withFolder<T>(kept: string | undefined, work: (folder: StudyFolder) => Promise<T>): Promise<T> {
  if (kept !== undefined) return withStudyFolder(kept, work)
  const folder = await mkdtemp(join(tmpdir(), "queryveil-advise-")) // mode 0700
  try {
    return await work({ path: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function summarise({ row, risk, use }: Comparable) {
  return { method: row.point.method, parameters: parametersOf(row.point), risk, use }
}

interface TextOptions extends AdviceOptions {
  command: string | undefined
  matching: MatchingK | undefined
  notChecked: readonly string[]
  output: string | undefined
  paths: readonly string[]
}

function adviceText({ chosen, safest, reasons }: Advice, options: TextOptions): string {
  const { use, maxRisk, command, matching, notChecked, output, paths } = options
  const head =
    chosen === undefined
      ? [`No release stays within a risk of ${maxRisk} and keeps anything. ${describeSafest(safest, options)}`]
      : [reasons.join(" "), "", command ?? "", ...(paths.includes("-") ? ["(-: give it the same log once more)"] : [])]
  return [
    ...head,
    ...(matching === undefined ? [] : ["", describeMatchingK(matching)]),
    "",
    "Not checked:",
    ...notChecked.map((item) => `  - ${item}`),
    ...(output === undefined ? [] : ["", `${join(output, "index.html")} (private: it describes the log)`]),
    ...(chosen === undefined
      ? ["", `Try another --use than ${use}, more of the log (--sample), or a higher --max-risk.`]
      : []),
  ].join("\n")
}

function describeSafest(safest: Comparable | undefined, { use }: AdviceOptions): string {
  if (safest === undefined) return "None could be attacked and measured."
  const { row, risk } = safest
  const kept = `${uses[use].title} ${formatCell(safest.use.value)}`
  return `The safest was ${row.series} with ${row.parameters}: ${risk.attack} gained ${formatCell(risk.value)} over a guess, and may gain ${formatCell(risk.high)}; ${kept}.`
}
