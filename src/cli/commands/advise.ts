import type { Command } from "commander"
import { type Advised, adviseOptions, adviseRelease } from "../../app/advise-release.ts"
import { pickOptions } from "../../app/options.ts"
import { shellCommand } from "../../app/shell-words.ts"
import { describeMatchingK } from "../../study/advise/matching-k.ts"
import { uses } from "../../study/frontier/scores.ts"
import { formatCell } from "../../study/pages/page.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { extensionWords } from "../extensions.ts"

/** `advise LOG`: recommends a method and parameters, from a coarse frontier on a sample. */
export function adviseCommand(): Command {
  return defineCommand({
    name: "advise",
    summary: "choose a method and its parameters for a log",
    argument: logArgument,
    exits: { 3: "no release is safe enough" },
    flags: adviseOptions,
    async run(session, flags, paths) {
      const advised = completeCommand(await adviseRelease(paths, pickOptions(adviseOptions, flags), session.context))
      session.answer("advise", advised)
      session.say(adviceText(advised, paths))
      return advised.chosen === undefined ? 3 : 0
    },
  })
}

/** The command to run, including the extensions of this run. */
function completeCommand(advised: Advised): Advised {
  const more = extensionWords()
  if (advised.command === undefined || more.length === 0) return advised
  return { ...advised, command: `${advised.command} ${shellCommand(more)}` }
}

function adviceText(advised: Advised, paths: readonly string[]): string {
  const { use, maxRisk, chosen, reasons, command, matching, notChecked, index } = advised
  const head =
    chosen === undefined
      ? [`No release with a risk of at most ${maxRisk} keeps anything. ${describeSafest(advised)}`]
      : [
          reasons.join(" "),
          "",
          command ?? "",
          ...(paths.includes("-") ? ["(- reads the standard input: give it the same log again)"] : []),
        ]
  return [
    ...head,
    ...(matching === undefined ? [] : ["", describeMatchingK(matching)]),
    "",
    "Not checked:",
    ...notChecked.map((item) => `  - ${item}`),
    ...(index === undefined ? [] : ["", `${index} (private: it describes the log)`]),
    ...(chosen === undefined
      ? ["", `Try another --use than ${use}, more of the log (--sample), or a higher --max-risk.`]
      : []),
  ].join("\n")
}

function describeSafest({ safest, use }: Advised): string {
  if (safest === undefined) return "No release could be both attacked and measured."
  const { name, risk } = safest
  const gain = `gained ${formatCell(risk.value)} over a guess and may gain ${formatCell(risk.high)}`
  const kept = `${uses[use].title} ${formatCell(safest.use.value)}`
  return `The safest was ${name}. Its strongest attack, ${risk.attack}, ${gain}. It keeps: ${kept}.`
}
