import { Command } from "commander"
import { type TObject, Type } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
import { commonFlags } from "./common-flags.ts"
import { type ExitCodes, exitsText } from "./exit-codes.ts"
import { addFlags, type Given, gatherFlags, MissingFlag } from "./flags.ts"
import { wrapProse } from "./print.ts"
import { setReporting } from "./report-error.ts"
import { Session } from "./session.ts"

interface Argument {
  syntax: string
  description: string
}

/** A command: its name and arguments, its flags as one schema, and its action, which returns the exit code. */
export interface CommandSpec<F extends TObject> {
  name: string
  summary: string
  argument?: Argument | readonly Argument[]
  flags: F
  /** Shown below the help. */
  help?: string
  /** Exit codes that are specific to this command, or mean more here. */
  exits?: ExitCodes
  run(session: Session, flags: Given<F>, args: string[]): Promise<number>
}

export function defineCommand<F extends TObject>(spec: CommandSpec<F>): Command {
  const command = new Command(spec.name).description(spec.summary)
  for (const { syntax, description } of [spec.argument ?? []].flat()) command.argument(syntax, description)
  const after = [...(spec.help === undefined ? [] : [spec.help]), exitsText(spec.exits)]
  for (const text of after) command.addHelpText("after", `\n${wrapProse(text)}`)
  const schema = Type.Object({ ...spec.flags.properties, ...commonFlags.properties })
  addFlags(command, schema)
  return command.action(async (...params: unknown[]) => {
    const args = params
      .slice(0, -2)
      .flat()
      .filter((arg) => typeof arg === "string")
    const given: Record<string, unknown> = command.opts()
    const flags = await gatherFlags(schema, given, typeof given.config === "string" ? given.config : undefined)
    const common = flags as Given<typeof commonFlags>
    setReporting({ json: common.json ?? false, debug: common.debug ?? false })
    const session = new Session(common)
    try {
      process.exitCode = await spec.run(session, flags as Given<F>, args)
    } catch (error) {
      throw error instanceof MissingFlag ? missing(command, error.key) : error
    } finally {
      session.close()
    }
  })
}

function missing(command: Command, key: string): QueryveilError {
  const option = command.options.find((candidate) => candidate.attributeName() === key)
  return new QueryveilError("usage", `${option?.flags} is missing: ${option?.description}.`, {
    flag: option?.long ?? key,
  })
}
