#!/usr/bin/env node
import { readFileSync } from "node:fs"
import { Command, CommanderError } from "commander"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { anonymizeCommand } from "./commands/anonymize.ts"
import { classifyCommand } from "./commands/classify/classify.ts"
import { demoCommand } from "./commands/demo.ts"
import { explainCommand } from "./commands/explain-query.ts"
import { inspectCommand } from "./commands/inspect.ts"
import { personalCommand } from "./commands/personal/personal.ts"
import { planCommand } from "./commands/plan.ts"
import { attackCommand, measureCommand } from "./commands/probe.ts"
import { reportCommand } from "./commands/report.ts"
import { scrubCommand } from "./commands/scrub.ts"
import { studyCommand } from "./commands/study.ts"
import { synthCommand } from "./commands/synth.ts"
import { taxonomyCommand } from "./commands/taxonomy/taxonomy.ts"
import { verifyCommand } from "./commands/verify.ts"
import { explain } from "./explain.ts"

function buildProgram(): Command {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  )
  const program = new Command("queryveil")
    .description("Publish search logs without exposing the people who searched.")
    .version(version)
    .enablePositionalOptions() // the flags of classify train are not those of classify
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 the data or a check failed, 2 wrong usage, 3 something could not be checked, 130 interrupted.",
    )
  for (const command of [
    inspectCommand(),
    anonymizeCommand(),
    explainCommand(),
    planCommand(),
    verifyCommand(),
    attackCommand(),
    measureCommand(),
    studyCommand(),
    reportCommand(),
    scrubCommand(),
    synthCommand(),
    taxonomyCommand(),
    classifyCommand(),
    personalCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command)
  }
  settle(program)
  return program
}

/** Wrong usage is thrown like every other error, instead of printed and left. */
function settle(command: Command): void {
  command.configureOutput({ outputError: () => {} }).exitOverride((error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error
    const message = error.message.replace(/^error: /, "")
    const code = error.code === "commander.unknownOption" ? "option-unknown" : "usage"
    throw new QueryveilError(code, `${message}. Try: ${fullName(command)} --help`)
  })
  for (const child of command.commands) settle(child)
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

async function main(): Promise<void> {
  // A size limit (ulimit -f) arrives as a signal first; with a handler the write fails with EFBIG and is cleaned up.
  process.on("SIGXFSZ", () => {})
  process.stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") process.exit(0) // the reader (head, less) has seen enough
    process.stderr.write(`queryveil: the answer could not be written (${systemCode(error)}).\n`)
    process.exit(1)
  })
  try {
    await buildProgram().parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = explain(error)
    // A read that waits for a pipe would keep the process.
    if (process.exitCode === 130) process.exit()
  }
}

await main()
