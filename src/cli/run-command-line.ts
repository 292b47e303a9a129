import { type Command, CommanderError } from "commander"
import { type ErrorCode, QueryveilError } from "../kernels/error.ts"
import { buildProgram } from "./build-program.ts"
import { loadExtension, takeExtensions } from "./extensions.ts"
import { reportError, setReporting } from "./report-error.ts"

const codes = new Map<string, ErrorCode>([
  ["commander.unknownOption", "option-unknown"],
  ["commander.unknownCommand", "unknown-name"],
])

/**
 * Makes commander throw wrong usage like every other error, instead of printing it and exiting. A command that only
 * groups others prints its help on stdout, as if asked for it.
 */
function settle(command: Command): void {
  const write = (text: string) => process.stdout.write(text)
  command.configureOutput({ outputError: () => {}, writeErr: write, writeOut: write }).exitOverride((error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error
    if (error.code === "commander.missingArgument" && isBare(command)) command.help()
    const message = error.message
      .replace(/^error: /, "")
      .replace(/\n\(Did you mean/, " (did you mean")
      .replace(/\.$/, "")
    const code = codes.get(error.code) ?? "usage"
    throw new QueryveilError(code, `${message}. Try: ${fullName(command)} --help`)
  })
  for (const child of command.commands) settle(child)
}

/** True if a command with subcommands was given nothing at all. */
const isBare = (command: Command) =>
  command.commands.length > 0 && command.args.length === 0 && Object.keys(command.opts()).length === 0

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/**
 * Runs `queryveil` with these arguments, reports an error on stderr, and returns the exit code, which is also set on
 * the process. `failed` is true if an error ended the run; its threads and reads may still be active.
 */
export async function runCommandLine(args: readonly string[]): Promise<{ code: number; failed: boolean }> {
  setReporting({ json: args.includes("--json"), debug: args.includes("--debug") })
  process.exitCode = undefined
  let failed = false
  try {
    const { extensions, rest } = takeExtensions(args)
    for (const file of extensions) await loadExtension(file) // before flags are built from the registries
    const program = await buildProgram(rest[0])
    settle(program)
    await program.parseAsync(rest, { from: "user" })
  } catch (error) {
    failed = !(error instanceof CommanderError)
    if (error instanceof CommanderError)
      process.exitCode = 0 // help or the version was printed
    else process.exitCode = reportError(error)
  }
  return { code: Number(process.exitCode ?? 0), failed }
}
