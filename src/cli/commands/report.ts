import type { Command } from "commander"
import { Type } from "#typebox"
import { attack } from "../../attacks/registry.ts"
import { measure } from "../../measures/registry.ts"
import { besidePath, writeFileWhole } from "../../release/output.ts"
import { readRelease } from "../../release/read-release.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { reportPage } from "../../study/report-page.ts"
import { overall, verify } from "../../verify/registry.ts"
import { labelsFlag, outputFlag, releaseArgument, releaseFlags, truthFlag } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { stateCodes } from "./verify.ts"

/** `report DIR [--against LOG]`: verify, attack and measure on one page. */
export function reportCommand(): Command {
  return defineCommand({
    name: "report",
    summary: "verify, attack and measure a release, as one HTML page that can be signed",
    argument: releaseArgument,
    flags: Type.Object({
      ...releaseFlags.properties,
      truth: truthFlag,
      labels: labelsFlag,
      output: outputFlag("file", "the page (default: DIR.report.html, beside the release)"),
    }),
    async run(session, flags, [folder = ""]) {
      const { context } = session
      const page = flags.output ?? besidePath(folder, ".report.html")
      await refusePrivate(page)
      const release = await readRelease(folder)
      const truth = await session.readTruth(flags.truth)
      const labels = await session.readLabels(flags.labels)
      const audit = await session.openAudit(flags.audit)
      const original = flags.against === undefined ? undefined : await session.readLog(flags.against, flags)
      const subject = original === undefined ? undefined : { release, log: original.log, ...truth, ...labels, ...audit }
      const checks = await verify(subject ?? { release }, context)
      const attacks = subject === undefined ? [] : await attack(subject, {}, context)
      const measures = subject === undefined ? [] : await measure(subject, {}, context)
      const created = new Date(context.now())
      const against = subject !== undefined
      const content = { folder, manifest: release.manifest, checks, attacks, measures, against, created }
      await writeFileWhole(page, reportPage(content), { mode: 0o600 })
      const state = overall(checks)
      session.answer({ folder, page, state, checks, attacks, measures })
      session.say(`${page} (private: it describes the log)\nChecks: ${state}`)
      return stateCodes[state]
    },
  })
}
