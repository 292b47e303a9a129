import type { Command } from "commander"
import { verifyExposures } from "../../../verify/exposures.ts"
import { overall } from "../../../verify/registry.ts"
import type { Check } from "../../../verify/verifier.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { checksTable, stateCodes } from "../verify.ts"
import { openProfile, profileArgument, profileFlags } from "./open-profile.ts"

const sentences: Record<Check["state"], string> = {
  holds: "Every exposure kept what was promised.",
  fails: "An exposure did not keep what was promised.",
  unchecked: "Nothing failed, but not everything could be checked.",
}

/** `personal verify PROFILE` */
export function verifyProfileCommand(): Command {
  return defineCommand({
    name: "verify",
    summary: "replay the history of exposures (exit 0: holds, 1: fails, 3: something could not be checked)",
    argument: profileArgument,
    flags: profileFlags,
    async run(session, flags, [path = ""]) {
      const { taxonomy, file } = await openProfile(path, flags, session)
      const { history } = file.store
      const checks = verifyExposures({ taxonomy, history })
      const state = overall(checks)
      session.answer({ file: path, exposures: history.records.length, state, checks })
      session.say(`${textTable(checksTable(checks))}\n\n${history.records.length} exposures. ${sentences[state]}`)
      return stateCodes[state]
    },
  })
}
