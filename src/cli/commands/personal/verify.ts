import type { Command } from "commander"
import { costLayer } from "../../../personal/cost-layer.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { verifyExposures } from "../../../verify/exposures.ts"
import { findLateMarks, type LateMark } from "../../../verify/late-marks.ts"
import type { Check } from "../../../verify/verifier.ts"
import { overall } from "../../../verify/verifier.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { checksTable, stateCodes, stateExits } from "../verify.ts"
import { openProfile, profileArgument, profileFlags } from "./open-profile.ts"

const sentences: Record<Check["state"], string> = {
  passed: "Every exposure kept its promises.",
  failed: "At least one exposure broke a promise.",
  "not checked": "Nothing failed, but not everything could be checked.",
  "not promised": "Nothing was promised.",
}

function sayLateMark({ path, mark, engine, time }: LateMark): string {
  const marked = mark === "never" ? "never show" : "sensitive"
  if (time === null) {
    const unknown = "The time is no longer known, so the mark may have come later."
    return `${path}: is marked ${marked}, and ${engine} was shown it. ${unknown}`
  }
  const day = new Date(1000 * time).toISOString().slice(0, 10)
  return `${path}: was marked ${marked} only after ${engine} had been shown it, first on ${day}.`
}

/** `personal verify PROFILE` */
export function verifyProfileCommand(): Command {
  return defineCommand({
    name: "verify",
    summary: "check the history of exposures against its promises",
    argument: profileArgument,
    exits: stateExits,
    flags: profileFlags,
    async run(session, flags, [path = ""]) {
      const { taxonomy, file } = await openProfile(path, flags, session)
      const { history, sensitive, never } = file.store
      const checks = verifyExposures({ taxonomy, history })
      const pathsOf = (topics: Iterable<number>) => Array.from(topics, (topic) => taxonomy.path(topic))
      const lateMarks = findLateMarks(history, { sensitive: pathsOf(sensitive.topic), never: pathsOf(never) })
      const state = overall(checks)
      const isCounted = costLayer(file.store.interests.profile(), sensitive).total > 0
      session.answer("personal-verify", {
        file: path,
        exposures: history.records.length,
        state,
        riskIsCounted: isCounted,
        checks,
        lateMarks,
      })
      session.say(`${textTable(checksTable(checks))}\n\n${history.records.length} exposures. ${sentences[state]}`)
      if (!isCounted) session.say(`Now ${noRisk}.`)
      for (const mark of lateMarks) session.say(sayLateMark(mark))
      return stateCodes[state]
    },
  })
}
