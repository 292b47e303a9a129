import { Command } from "commander"
import { Type } from "#typebox"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { completeOptions, methodOptions, type Parameters, presetOption } from "../../release/anonymize.ts"
import { previewAny } from "../../release/preview.ts"
import { logArgument, readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { flagName, type Given } from "../flags.ts"
import { textTable } from "../print.ts"

/** `plan METHOD LOG`: one subcommand for each method that can say what its options would give. */
export function planCommand(): Command {
  const command = new Command("plan").description(
    "show what releases with other options would hold, and release nothing",
  )
  for (const method of methods) if (method.preview !== undefined) command.addCommand(methodCommand(method))
  return command
}

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  return defineCommand({
    name: method.name,
    summary: `what ${method.name} would release, for a grid of its options`,
    argument: logArgument,
    flags: Type.Object({ ...options.properties, ...presetOption.properties, ...readFlags.properties }),
    async run(session, flags, paths) {
      const chosen = Object.fromEntries(Object.entries(flags).filter(([key]) => key in options.properties))
      const given = (await readFileFlags(options, chosen)) as Parameters
      const { preset } = flags as Given<typeof presetOption>
      completeOptions(method, given, preset)
      const { log } = await session.readLog(paths, flags as Given<typeof readFlags>)
      const chosenOptions = { ...given, ...(preset && { preset }), method: method.name }
      const { table, suggested } = await previewAny(log, chosenOptions, session.context)
      session.answer({ table, suggested })
      const words = Object.entries(suggested).map(([key, value]) =>
        value === true ? flagName(key) : `${flagName(key)} ${value}`,
      )
      session.say(
        [
          textTable(table),
          "",
          "Computed on the log: for its owner alone. Options chosen by it say something of the log, and the release says that they were.",
          `Most events: ${words.join(" ")}`,
        ].join("\n"),
      )
      return 0
    },
  })
}
