import { Command, CommanderError } from "commander"
import { type ErrorCode, QueryveilError } from "../kernels/error.ts"
import { packageVersion } from "../release/package-version.ts"
import { allExits, exitsText } from "./exit-codes.ts"
import { loadExtension, takeExtensions } from "./extensions.ts"
import { wrapProse } from "./print.ts"
import { setSpeech, tellError } from "./tell-error.ts"

/** The commands, in the order of the help. Each is loaded when it is named: all of them take longer than most runs. */
const commands: Record<string, () => Promise<Command>> = {
  inspect: async () => (await import("./commands/inspect.ts")).inspectCommand(),
  anonymize: async () => (await import("./commands/anonymize.ts")).anonymizeCommand(),
  explain: async () => (await import("./commands/explain-query.ts")).explainCommand(),
  plan: async () => (await import("./commands/plan.ts")).planCommand(),
  verify: async () => (await import("./commands/verify.ts")).verifyCommand(),
  attack: async () => (await import("./commands/probe.ts")).attackCommand(),
  measure: async () => (await import("./commands/probe.ts")).measureCommand(),
  study: async () => (await import("./commands/study.ts")).studyCommand(),
  advise: async () => (await import("./commands/advise.ts")).adviseCommand(),
  report: async () => (await import("./commands/report.ts")).reportCommand(),
  labels: async () => (await import("./commands/labels.ts")).labelsCommand(),
  scrub: async () => (await import("./commands/scrub.ts")).scrubCommand(),
  stream: async () => (await import("./commands/stream/stream.ts")).streamCommand(),
  synth: async () => (await import("./commands/synth.ts")).synthCommand(),
  taxonomy: async () => (await import("./commands/taxonomy/taxonomy.ts")).taxonomyCommand(),
  classify: async () => (await import("./commands/classify/classify.ts")).classifyCommand(),
  personal: async () => (await import("./commands/personal/personal.ts")).personalCommand(),
  demo: async () => (await import("./commands/demo.ts")).demoCommand(),
}

async function buildProgram(named: string | undefined): Promise<Command> {
  const alone = Object.entries(commands).filter(([name]) => name === named)
  const asksVersion = named === "--version" || named === "-V"
  const needed = alone.length > 0 || asksVersion ? alone : Object.entries(commands)

  const program = new Command("queryveil")
    .description("Publish, stream and personalise search logs without exposing the people who searched.")
    .version(packageVersion())
    .option(
      "--extend <file>",
      "module that registers formats, methods, attacks, measures, transports or engines of your own; it runs as code of this program (repeatable, with every command)",
    )
    .enablePositionalOptions() // the flags of classify train are not those of classify
    .addHelpText("after", `\n${wrapProse(exitsText(allExits))}`)
  for (const command of await Promise.all(needed.map(([, load]) => load()))) program.addCommand(command)
  settle(program)
  return program
}

const codes = new Map<string, ErrorCode>([
  ["commander.unknownOption", "option-unknown"],
  ["commander.unknownCommand", "unknown-name"],
])

/**
 * Wrong usage is thrown like every other error, instead of printed and left. A command that only groups others prints its help
 * on stdout, as if it had been asked for it.
 */
function settle(command: Command): void {
  const write = (text: string) => process.stdout.write(text)
  command.configureOutput({ outputError: () => {}, writeErr: write, writeOut: write }).exitOverride((error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error
    if (error.code === "commander.missingArgument" && isBare(command)) command.help()
    const message = error.message.replace(/^error: /, "").replace(/\.$/, "")
    const code = codes.get(error.code) ?? "usage"
    throw new QueryveilError(code, `${message}. Try: ${fullName(command)} --help`)
  })
  for (const child of command.commands) settle(child)
}

/** Whether a command with others below it was given nothing at all. */
const isBare = (command: Command) =>
  command.commands.length > 0 && command.args.length === 0 && Object.keys(command.opts()).length === 0

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/**
 * Runs `queryveil` with these arguments, reports an error on stderr, and returns the exit code, which the process has then.
 * `failed`: an error ended it, and its threads and reads may still go on.
 */
export async function runCommandLine(args: readonly string[]): Promise<{ code: number; failed: boolean }> {
  setSpeech({ json: args.includes("--json"), debug: args.includes("--debug") })
  process.exitCode = undefined
  let failed = false
  try {
    const { extensions, rest } = takeExtensions(args)
    for (const file of extensions) await loadExtension(file) // before flags are made of what is registered
    const program = await buildProgram(rest[0])
    await program.parseAsync(rest, { from: "user" })
  } catch (error) {
    failed = !(error instanceof CommanderError)
    if (error instanceof CommanderError)
      process.exitCode = 0 // help or the version was printed
    else process.exitCode = tellError(error)
  }
  return { code: Number(process.exitCode ?? 0), failed }
}
