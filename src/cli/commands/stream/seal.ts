import { Type } from "#typebox"
import { openLog } from "../../../app/open-log.ts"
import { escapeFormulasOption, logOptions, outputOption, releaseOptions } from "../../../app/options.ts"
import { flagWords, readWords, shellCommand } from "../../../app/shell-words.ts"
import { tableOf } from "../../../kernels/table.ts"
import { isEmptyRelease } from "../../../release/manifest.ts"
import { composeReceipt, receiptPath } from "../../../release/receipt.ts"
import { sealStream } from "../../../release/seal/seal-stream.ts"
import { reserveRelease, writeRelease } from "../../../release/write-release.ts"
import { classifierOption, serviceWarning } from "../../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"
import { textTable } from "../../print.ts"
import { emptyCode, emptyExit } from "../../released-text.ts"

const flags = Type.Object({
  audit: Type.Optional(
    Type.String({ placeholder: "dir", description: "read the folder that stream run --audit wrote" }),
  ),
  against: releaseOptions.properties.against,
  from: Type.Optional(
    Type.String({
      placeholder: "time|n",
      description: "begin at this shown time or release number (default the first)",
    }),
  ),
  to: Type.Optional(
    Type.String({
      placeholder: "time|n",
      description: "end before this shown time, or at this release number (default the last)",
    }),
  ),
  output: outputOption("dir", "write the release to this folder"),
  auditOut: Type.Optional(
    Type.String({ placeholder: "dir", description: "write side files that verify and attack need (private)" }),
  ),
  force: Type.Boolean({ default: false, description: "replace an existing release" }),
  ...escapeFormulasOption.properties,
  ...taxonomyOption.properties,
  ...classifierOption.properties,
  ...logOptions.properties,
})

/** `stream seal OUTPUT --audit DIR --against LOG -o RELEASE` */
export function sealCommand() {
  return defineCommand({
    name: "seal",
    summary: "close a period of a stream into a release",
    argument: { syntax: "<releases>", description: "file that the stream wrote, or the folder output of its store" },
    flags,
    exits: emptyExit,
    help: [
      "The stream may run meanwhile. Its audit covers what was released before the last checkpoint. Times are UTC.",
      "--against is the log that the stream read. If there is none, `stream searches` writes one.",
    ].join("\n"),
    async run(session, given, [output = ""]) {
      const { context } = session
      const audit = required(given.audit, "audit")
      const folder = required(given.output, "output")
      const against = required(given.against, "against")
      const { from, to, taxonomy, classifier, force, escapeFormulas } = given
      const places = {
        ...(given.auditOut && { audit: given.auditOut }),
        ...(force && { force }),
        ...(escapeFormulas && { escapeFormulas }),
      }
      await reserveRelease(folder, places)
      const warning = serviceWarning(classifier)
      if (warning !== undefined) session.warn(warning)
      const input = await openLog(against, given, context)
      const options = { output, audit, from, to, taxonomy, classifier }
      const { draft, released, covered } = await sealStream(options, input.log, context)
      const manifest = await writeRelease(draft, folder, { ...places, input }, context)
      for (const text of draft.warnings) session.warn(text)
      const rows = draft.rows.order.length
      session.answer("stream-seal", {
        folder,
        manifest,
        receipt: composeReceipt(draft, manifest, input),
        released,
        covered,
        sealed: rows,
        empty: isEmptyRelease(manifest),
      })
      const sizes = [
        ["in the output", released],
        ["covered by the audit", covered],
        ["sealed", rows],
      ]
      const check = ["queryveil", "verify", folder, "--against", ...against, ...readWords(given)]
      session.say(
        [
          textTable(tableOf(["releases", ""], sizes)),
          "",
          manifest.guarantee.statement,
          `Release: ${folder}`,
          `Receipt: ${receiptPath(folder)} (private: it describes the log)`,
          ...(given.auditOut === undefined ? [] : [`Audit: ${given.auditOut} (private: it undoes the release)`]),
          `Check it: ${shellCommand([...check, ...flagWords({ audit: given.auditOut })])}`,
        ].join("\n"),
      )
      return isEmptyRelease(manifest) ? emptyCode : 0
    },
  })
}
