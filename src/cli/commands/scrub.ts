import { readFile } from "node:fs/promises"
import { Command } from "commander"
import { Type } from "#typebox"
import { readError } from "../../files/read-error.ts"
import { tableOf } from "../../kernels/table.ts"
import { evaluateScrub } from "../../text/identifiers/evaluate-scrub.ts"
import { parseKinds } from "../../text/identifiers/kinds.ts"
import { parseLabels } from "../../text/identifiers/labels.ts"
import { scrubOption } from "../../text/identifiers/scrub-option.ts"
import { defineCommand } from "../define-command.ts"
import { required } from "../flags.ts"
import { textTable } from "../print.ts"

/** `scrub evaluate --labels FILE` */
export function scrubCommand(): Command {
  const evaluate = defineCommand({
    name: "evaluate",
    summary: "measure precision and recall of the detectors on labelled queries",
    flags: Type.Object({
      labels: Type.Optional(
        Type.String({
          placeholder: "file",
          description: "read labels: tab-separated, with the header query, kind, is_pii",
        }),
      ),
      ...scrubOption("all").properties,
    }),
    async run(session, flags) {
      const file = required(flags.labels, "labels")
      const text = await readFile(file, "utf8").catch((error: unknown) => {
        throw readError(file, error)
      })
      const result = evaluateScrub(parseLabels(text, { file }), parseKinds(flags.scrub ?? "all"))
      session.answer("scrub-evaluate", result)
      const share = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? "–" : value.toFixed(3))
      const rows = result.kinds.map(({ kind, truePositives, falsePositives, falseNegatives, ...shares }) => [
        kind,
        truePositives,
        falsePositives,
        falseNegatives,
        share(shares.precision),
        share(shares.recall),
        share(shares.falseAlarmRate),
      ])
      session.say(
        textTable(
          tableOf(["kind", "found", "false alarms", "missed", "precision", "recall", "false alarm rate"], rows),
        ),
      )
      session.say(`\nIdentifiers in queries with digits that are found: ${share(result.digitRecall)}`)
      session.say(`Harmless queries with digits that are withheld: ${share(result.harmlessDigitWithheld)}`)
      return 0
    },
  })
  return new Command("scrub").description("evaluate the detectors of direct identifiers").addCommand(evaluate)
}
