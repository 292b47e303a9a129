import { Command, CommanderError } from "commander"
import { type ErrorCode, QueryveilError } from "../kernels/error.ts"
import { packageVersion } from "../release/package-version.ts"
import { loadExtension, takeExtensions } from "./extensions.ts"
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
  samples: async () => (await import("./commands/samples.ts")).samplesCommand(),
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
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 the data or a check failed, 2 wrong usage, 3 something could not be checked, 130 interrupted.",
    )
  for (const command of await Promise.all(needed.map(([, load]) => load()))) program.addCommand(command)
  settle(program)
  return program
}

const codes = new Map<string, ErrorCode>([
  ["commander.unknownOption", "option-unknown"],
  ["commander.unknownCommand", "unknown-name"],
])

/** Wrong usage is thrown like every other error, instead of printed and left. */
function settle(command: Command): void {
  command.configureOutput({ outputError: () => {} }).exitOverride((error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error
    const message = error.message.replace(/^error: /, "").replace(/\.$/, "")
    const code = codes.get(error.code) ?? "usage"
    throw new QueryveilError(code, `${message}. Try: ${fullName(command)} --help`)
  })
  for (const child of command.commands) settle(child)
}

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
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = tellError(error)
  }
  return { code: Number(process.exitCode ?? 0), failed }
}
