import type { Command } from "commander"
import { inspect, inspectOptions } from "../../app/inspect.ts"
import { pickOptions } from "../../app/options.ts"
import { describeReading } from "../../log/formats/reading.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { inspectionText } from "../inspection-text.ts"

/** `inspect LOG`: describes a log in counts. */
export function inspectCommand(): Command {
  return defineCommand({
    name: "inspect",
    summary: "describe a log: size, query lengths, word sequences, how exposed its users are",
    argument: logArgument,
    flags: inspectOptions,
    async run(session, flags, paths) {
      const found = await inspect(paths, pickOptions(inspectOptions, flags), session.context)
      session.answer("inspect", found)
      const readings = found.read.map((reading) => describeReading(reading, found.unit))
      session.say(inspectionText(found, readings))
      if (found.html !== undefined) session.say(`\n${found.html} (private: it describes the log)`)
      return 0
    },
  })
}
