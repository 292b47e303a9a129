#!/usr/bin/env node
import { readFileSync } from "node:fs"
import { Command, CommanderError } from "commander"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { anonymizeCommand } from "./commands/anonymize.ts"
import { demoCommand } from "./commands/demo.ts"
import { attackCommand, measureCommand } from "./commands/probe.ts"
import { reportCommand } from "./commands/report.ts"
import { studyCommand } from "./commands/study.ts"
import { verifyCommand } from "./commands/verify.ts"

const usageCodes = new Set(["usage", "option-unknown", "option-value", "config", "unknown-name"])

function buildProgram(): Command {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  )
  const program = new Command("queryveil")
    .description("Publish search logs without exposing the people who searched.")
    .version(version)
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 the data or a check failed, 2 wrong usage, 3 something could not be checked, 130 interrupted.",
    )
  for (const command of [
    anonymizeCommand(),
    verifyCommand(),
    attackCommand(),
    measureCommand(),
    studyCommand(),
    reportCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command)
  }
  settle(program)
  return program
}

/** Every command throws instead of leaving the process, and shows how to get help. */
function settle(command: Command): void {
  command.exitOverride().showHelpAfterError(`Try: ${fullName(command)} --help`)
  for (const child of command.commands) settle(child)
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** Tells a person what went wrong and returns the exit code. Never text from a log: only our own messages are shown. */
function explain(error: unknown, options: { debug: boolean; json: boolean }): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const known = error instanceof QueryveilError
  const code = known ? error.code : "internal"
  const message = known
    ? error.message
    : `Something went wrong inside queryveil (${errorName(error)}). Run again with --debug.`
  if (options.json)
    process.stderr.write(`${JSON.stringify({ error: { code, message, ...(known ? error.fields : {}) } })}\n`)
  else process.stderr.write(`queryveil: ${message}\n`)
  if (options.debug && error instanceof Error)
    process.stderr.write(`${error.stack}\n${error.cause === undefined ? "" : `${String(error.cause)}\n`}`)
  if (code === "interrupted") return 130
  return usageCodes.has(code) ? 2 : 1
}

const errorName = (error: unknown) => systemCode(error) ?? (error instanceof Error ? error.name : typeof error)

async function main(): Promise<void> {
  // A size limit (ulimit -f) arrives as a signal first; with a handler the write fails with EFBIG and is cleaned up.
  process.on("SIGXFSZ", () => {})
  process.stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") process.exit(0) // the reader (head, less) has seen enough
    process.stderr.write(`queryveil: the answer could not be written (${systemCode(error)}).\n`)
    process.exit(1)
  })
  const asked = (flag: string) => process.argv.includes(flag)
  try {
    await buildProgram().parseAsync()
  } catch (error) {
    process.exitCode = explain(error, { debug: asked("--debug"), json: asked("--json") })
  }
}

await main()
