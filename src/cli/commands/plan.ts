import { Command } from "commander"
import { Type } from "#typebox"
import { logOptions, pickOptions } from "../../app/options.ts"
import { planAny } from "../../app/plan-release.ts"
import { flagName } from "../../app/shell-words.ts"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { methodOptions, type OptionValues, presetOption } from "../../release/anonymize.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import type { Given } from "../flags.ts"
import { textTable } from "../print.ts"

/** `plan METHOD LOG`: one subcommand for each method that can preview the effect of its options. */
export function planCommand(): Command {
  const command = new Command("plan").description(
    "show what a method would release with other options, and release nothing",
  )
  for (const method of methods) if (method.preview !== undefined) command.addCommand(methodCommand(method))
  return command
}

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  return defineCommand({
    name: method.name,
    summary: `show what ${method.name} would release, for a grid of its options`,
    argument: logArgument,
    flags: Type.Object({ ...options.properties, ...presetOption.properties, ...logOptions.properties }),
    async run(session, flags, paths) {
      const given = (await readFileFlags(options, pickOptions(options, flags))) as OptionValues
      const { preset } = flags as Given<typeof presetOption>
      const choice = { ...given, ...(preset && { preset }), method: method.name }
      const planned = await planAny(paths, choice, pickOptions(logOptions, flags), session.context)
      session.answer("plan", planned)
      const words = Object.entries(planned.suggested).map(([key, value]) =>
        value === true ? flagName(key) : `${flagName(key)} ${value}`,
      )
      session.say(
        [
          textTable(planned.table),
          "",
          "Private: this table is computed from the log.",
          "Options chosen by it reveal something about the log, and the release says that they were chosen so.",
          `Options that keep the most events: ${words.join(" ")}`,
        ].join("\n"),
      )
      return 0
    },
  })
}
