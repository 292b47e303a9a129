import type { Command } from "commander"
import { Type } from "#typebox"
import { besidePath } from "../../files/reserve.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { usualSeed } from "../../probes/run-probes.ts"
import { readRelease } from "../../release/read-release.ts"
import { composeReport } from "../../study/report/compose-report.ts"
import { reportPage } from "../../study/report/report-page.ts"
import { verdictOf } from "../../study/report/verdict.ts"
import { overall } from "../../verify/verifier.ts"
import { reserveAnswer } from "../answers.ts"
import { commandLine } from "../command-line.ts"
import {
  labelsFlag,
  otherFlags,
  outputFlag,
  releaseArgument,
  releaseFlags,
  seedFlag,
  truthFlag,
} from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import type { Given } from "../flags.ts"
import { stateCodes } from "./verify.ts"

const reportFlags = Type.Object({
  ...releaseFlags.properties,
  truth: truthFlag,
  labels: labelsFlag,
  seed: seedFlag,
  ...otherFlags,
  output: outputFlag("file", "the page (default: DIR.report.html, beside the release)"),
})

/** `report DIR [--against LOG]`: verify, attack and measure on one page. */
export function reportCommand(): Command {
  return defineCommand({
    name: "report",
    summary: "verify, attack and measure a release, as one HTML page that can be signed",
    argument: releaseArgument,
    flags: reportFlags,
    async run(session, flags, [folder = ""]) {
      const { context } = session
      const page = flags.output ?? besidePath(folder, ".report.html")
      await reserveAnswer(page, folder)
      const release = await readRelease(folder)
      const planted = await session.readTruth(flags.truth)
      const labels = await session.readLabels(flags.labels)
      const audit = await session.openAudit(flags.audit)
      const other = await session.openOther(flags)
      const original = flags.against && (await session.readOriginal(flags.against, flags, { folder, output: page }))
      const truth = original && session.fitTruth(planted, original) // without the log nothing is looked for
      const seed = flags.seed ?? usualSeed
      const commands = linesToRepeat(folder, { ...flags, seed })
      const subject = { release, ...original, ...truth, ...labels, ...audit, ...other }
      const content = await composeReport(subject, { folder, seed, commands }, context)
      await writeFileWhole(page, reportPage(content), { mode: 0o600 })
      const { checks, attacks, measures } = content
      const state = overall(checks)
      session.answer({ folder, page, state, seed, checks, attacks, measures })
      session.say(`${page} (private: it describes the log)\n${verdictOf(content.manifest, checks).sentence}`)
      return stateCodes[state]
    },
  })
}

/** The commands that find again what the page says. */
function linesToRepeat(folder: string, flags: Given<typeof reportFlags>): string[] {
  const pick = (keys: object) => Object.fromEntries(Object.entries(flags).filter(([key]) => key in keys))
  const { rejects: _written, ...reading } = releaseFlags.properties
  const probing = pick({ ...reading, truth: truthFlag, labels: labelsFlag, seed: seedFlag })
  const attacking = { ...probing, ...pick(otherFlags) }
  const judging = [commandLine("attack", folder, attacking), commandLine("measure", folder, probing)]
  return [
    commandLine("verify", folder, pick(reading)),
    ...(flags.against === undefined ? [] : judging),
    commandLine("report", folder, attacking),
  ]
}
