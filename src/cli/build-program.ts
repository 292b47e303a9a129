import { Command } from "commander"
import { packageVersion } from "../release/package-version.ts"
import { allExits, exitsText } from "./exit-codes.ts"
import { layOutHelp } from "./help-layout.ts"
import { wrapProse } from "./print.ts"

/**
 * The commands, in the order of the help. Each is loaded only when it is named: loading all takes longer than most
 * runs.
 */
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
  studio: async () => (await import("./commands/studio/studio.ts")).studioCommand(),
  labels: async () => (await import("./commands/labels.ts")).labelsCommand(),
  scrub: async () => (await import("./commands/scrub.ts")).scrubCommand(),
  stream: async () => (await import("./commands/stream/stream.ts")).streamCommand(),
  synth: async () => (await import("./commands/synth.ts")).synthCommand(),
  samples: async () => (await import("./commands/samples.ts")).samplesCommand(),
  taxonomy: async () => (await import("./commands/taxonomy/taxonomy.ts")).taxonomyCommand(),
  classify: async () => (await import("./commands/classify/classify.ts")).classifyCommand(),
  personal: async () => (await import("./commands/personal/personal.ts")).personalCommand(),
  completion: async () => (await import("./commands/completion.ts")).completionCommand(() => buildProgram()),
  kernel: async () => (await import("./commands/kernel.ts")).kernelCommand(),
  demo: async () => (await import("./commands/demo.ts")).demoCommand(),
}

/** The program with only the named command, or with all commands. */
export async function buildProgram(named?: string): Promise<Command> {
  const alone = Object.entries(commands).filter(([name]) => name === named)
  const asksVersion = named === "--version" || named === "-V"
  const needed = alone.length > 0 || asksVersion ? alone : Object.entries(commands)

  const program = new Command("queryveil")
    .description("Publish, stream and personalise search logs without exposing the people who searched.")
    .version(packageVersion(), "-V, --version", "print the version")
    .option(
      "--extend <file>",
      "load a module that registers your own formats, methods, attacks, measures, transports or engines; " +
        "its code runs in this program (repeatable, for every command)",
    )
    .enablePositionalOptions() // classify train has flags of its own, apart from those of classify
    .addHelpText("after", `\n${wrapProse(exitsText(allExits))}`)
  for (const command of await Promise.all(needed.map(([, load]) => load()))) program.addCommand(command)
  layOutHelp(program)
  return program
}
