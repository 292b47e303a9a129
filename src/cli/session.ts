import { type Command, Option } from "commander"
import { Type } from "typebox"
import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { type ReadResult, readLog, readOptions } from "../log/index.ts"
import { addFlags, gatherValues, readConfig } from "./flags.ts"
import { ProgressLine } from "./progress.ts"
import { writeRejects } from "./rejects.ts"

/** Flags that every command has. */
const commonOptions = Type.Object({
  workers: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "threads to use (default: all cores)" }),
  ),
})

const rejectsOption = Type.Object({
  rejects: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "file for the lines that are no rows: file, line and reason, never text (private)",
    }),
  ),
})

/** What a command's action works with. */
export interface Session {
  context: RunContext
  json: boolean
  /** Values of a schema's keys, from flags and config. */
  values(schema: Parameters<typeof gatherValues>[0]): Record<string, unknown>
  flag(name: string): string | undefined
  /** A flag that must be given, on the command line or in the config file. */
  required(name: string): string
  /** A flag that takes several values. */
  list(name: string): string[] | undefined
  readLog(paths: readonly string[]): Promise<ReadResult>
  /** For people on stdout; silent under --json. */
  say(text: string): void
  /** For machines on stdout; silent without --json. */
  answer(value: unknown): void
  warn(text: string): void
}

export type Action = (session: Session, args: string[]) => Promise<number>

/** Gives a command its common flags and runs its action in a session. */
export function finish(command: Command, action: Action): Command {
  addFlags(command, commonOptions)
  command
    .addOption(new Option("--config <file>", "JSON file with the same keys as the flags"))
    .addOption(new Option("--json", "answer in JSON"))
    .addOption(new Option("--quiet", "no progress, no warnings"))
    .addOption(new Option("--debug", "show stack traces"))
  return command.action(async (...params: unknown[]) => {
    const args = params
      .slice(0, -2)
      .flat()
      .filter((arg) => typeof arg === "string")
    const session = await openSession(command)
    try {
      process.exitCode = await action(session, args)
    } finally {
      session.close()
    }
  })
}

async function openSession(command: Command): Promise<Session & { close(): void }> {
  const flags: Record<string, unknown> = command.optsWithGlobals()
  const known = command.options
    .map((option) => option.attributeName())
    .filter((name) => !["config", "help"].includes(name))
  const config = await readConfig(typeof flags.config === "string" ? flags.config : undefined, known)
  const isSet = (name: string) => (flags[name] ?? config[name]) === true
  const quiet = isSet("quiet")
  const json = isSet("json")
  const line = new ProgressLine(process.stderr, { quiet })
  const controller = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(signal)
  }
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt).on("SIGHUP", interrupt)
  const common = gatherValues(commonOptions, flags, config)
  const context = createContext({
    signal: controller.signal,
    report: (progress) => line.report(progress),
    ...(typeof common.workers === "number" ? { workers: common.workers } : {}),
  })
  const warn = (text: string) => {
    line.clear()
    if (!quiet) process.stderr.write(`warning: ${text}\n`)
  }
  const flag = (name: string) => {
    const value = flags[name] ?? config[name]
    return value === undefined || value === false ? undefined : String(value)
  }
  return {
    context,
    json,
    values: (schema) => gatherValues(schema, flags, config),
    flag,
    required: (name) => flag(name) ?? missingFlag(command, name),
    list: (name) => {
      const value = flags[name] ?? config[name]
      return value === undefined ? undefined : [value].flat().map(String)
    },
    readLog: async (paths) => {
      const result = await readLog(paths, gatherValues(readOptions, flags, config), context)
      const { rejects } = gatherValues(rejectsOption, flags, config)
      if (typeof rejects === "string") await writeRejects(rejects, result.intake)
      for (const text of result.intake.warnings) warn(text)
      return result
    },
    say: (text) => {
      line.clear()
      if (!json) process.stdout.write(`${text}\n`)
    },
    answer: (value) => {
      line.clear()
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    warn,
    close: () => {
      line.clear()
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt).off("SIGHUP", interrupt)
    },
  }
}

function missingFlag(command: Command, name: string): never {
  const option = command.options.find((candidate) => candidate.attributeName() === name)
  throw new QueryveilError(
    "usage",
    `${option?.flags ?? name} is missing: ${option?.description ?? "it must be given"}.`,
    {
      flag: `--${name}`,
    },
  )
}

/** Flags of a command that reads a log. */
export function addReadFlags(command: Command): void {
  addFlags(command, readOptions)
  addFlags(command, rejectsOption)
}
