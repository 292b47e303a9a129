import type { Command } from "commander"
import { pickOptions } from "../../app/options.ts"
import { isOfOtherLog, type Reported, reportOptions, reportRelease } from "../../app/report-release.ts"
import { releaseArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { stateCodes, stateExits } from "./verify.ts"

/** `report DIR [--against LOG]`: verifies, attacks and measures, and writes one page. */
export function reportCommand(): Command {
  return defineCommand({
    name: "report",
    summary: "verify, attack and measure a release, and write one page to sign",
    argument: releaseArgument,
    exits: stateExits,
    flags: reportOptions,
    async run(session, flags, [folder = ""]) {
      const reported = await reportRelease(folder, pickOptions(reportOptions, flags), session.context)
      session.answer("report", reported)
      session.say([`${reported.page} (private: it describes the log)`, ...sayVerdicts(reported)].join("\n"))
      // Checks against a different log count as not checked.
      const code = stateCodes[reported.state]
      return code === 0 && isOfOtherLog(reported) ? stateCodes["not checked"] : code
    },
  })
}

/** Both verdicts, and the meaning of the worst attack. */
function sayVerdicts({ verdicts: { promise, attacks } }: Reported): string[] {
  const kept = promise.empty ? `${promise.kept}, but the release is empty` : promise.kept
  return [
    `Promise kept: ${kept}. ${promise.sentence}`,
    `Attacks: ${attacks.state}. ${[attacks.sentence, ...attacks.caveats].join(" ")}`,
    ...attacks.meanings.slice(0, 1),
  ]
}
