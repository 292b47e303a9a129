import type { Command } from "commander"
import { Type } from "#typebox"
import { reserveFile } from "../../files/reserve.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { describeReading } from "../../log/formats/reading.ts"
import { type Inspection, inspectLog } from "../../log/inspect-log.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { inspectPage } from "../../study/inspect/inspect-page.ts"
import { tokenOptions } from "../../text/tokens.ts"
import { logArgument, readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { inspectionText } from "../inspection-text.ts"

const flags = Type.Object({
  ...tokenOptions.properties,
  html: Type.Optional(Type.String({ placeholder: "file", description: "a page with figures (private)" })),
  force: Type.Boolean({ default: false, description: "replace a page that is already there" }),
  ...readFlags.properties,
})

/** `inspect LOG`: what a log is like, in counts. */
export function inspectCommand(): Command {
  return defineCommand({
    name: "inspect",
    summary: "what a log is like: size, lengths, n-grams, how exposed its users are",
    argument: logArgument,
    flags,
    async run(session, { tokens, html, force = false, ...read }, paths) {
      const { context } = session
      if (html !== undefined) {
        await refusePrivate(html)
        await reserveFile(html, { force })
      }
      const { log, intake } = await session.readLog(paths, read)
      const readings = intake.read.map((reading) => describeReading(reading, intake.unit))
      const inspection: Inspection = await inspectLog(log, { ...(tokens && { tokens }) }, context)
      if (html !== undefined) {
        const page = await inspectPage(inspection, { created: new Date(context.now()), readings })
        await writeFileWhole(html, page, { mode: 0o600, replace: force })
      }
      session.answer({ read: intake.read, ...inspection, ...(html && { html }) })
      session.say(inspectionText(inspection, readings))
      if (html !== undefined) session.say(`\n${html} (private: it describes the log)`)
      return 0
    },
  })
}
