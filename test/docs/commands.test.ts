import { type Command, CommanderError } from "commander"
import { describe, expect, test } from "vitest"
import { buildProgram } from "#dist/cli/build-program.js"
import { takeExtensions } from "#dist/cli/extensions.js"
import { commandsOf, documentedPages, wordsOf } from "../support/documented-commands.ts"
import { pageAt } from "../support/page-commands.ts"

/** A word in the place of a value: LOG, N, DIR2, tsv|odp. */
const isPlaceholder = (value: string) => /^[A-Z]+[0-9…]*$|\|/.test(value)

/** Lets commands read their flags and arguments, and then do nothing. A value that is only shown is not read. */
function disarm(command: Command, isShown: (value: string) => boolean): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} })
  const onlyGroups = command.commands.length > 0 && command.registeredArguments.length === 0
  if (!onlyGroups) command.action(() => {})
  for (const value of [...command.options, ...command.registeredArguments]) {
    const { parseArg } = value
    if (parseArg === undefined) continue
    value.parseArg = <T>(text: string, previous: T) => (isShown(text) ? previous : parseArg(text, previous))
  }
  for (const child of command.commands) disarm(child, isShown)
}

/** Why the command line does not accept this; undefined if it does. */
async function whyRefused(words: string[]): Promise<string | undefined> {
  const { extensions, rest } = takeExtensions(words)
  const program = await buildProgram(rest[0])
  disarm(program, (value) => isPlaceholder(value) || extensions.length > 0) // an extension has names of its own
  try {
    await program.parseAsync(rest, { from: "user" })
    return undefined
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (isHelp) return undefined
    return error instanceof Error ? error.message : String(error)
  }
}

describe("every command on a page can be typed: it, its arguments and its flags exist", () => {
  test.each(documentedPages)("%s", async (path) => {
    for (const command of commandsOf(pageAt(path)))
      expect({ command, refused: await whyRefused(wordsOf(command)) }).toEqual({ command, refused: undefined })
  })

  test("and many are found", () => {
    expect(commandsOf(pageAt("docs/papers.md")).length).toBeGreaterThan(50)
    expect(documentedPages.flatMap((path) => commandsOf(pageAt(path))).length).toBeGreaterThan(200)
  })
})

describe("the check of commands", () => {
  test.each([
    ["unveil log.tsv", "unknown command"],
    ["inspect log.tsv --no-such-flag", "unknown option"],
    ["anonymize nothing LOG -o DIR", "unknown command"],
    ["synth --rows many -o log.tsv", "many"],
    ["verify release another", "too many arguments"],
    ["attack", "missing required argument"],
  ])("refuses %s", async (command, reason) => {
    expect(await whyRefused(wordsOf(command))).toContain(reason)
  })

  test("accepts placeholders and notes for the reader", async () => {
    const written = "anonymize affinity LOG -k K [--approximate] … -o DIR   # also rare queries"
    expect(await whyRefused(wordsOf(written))).toBe(undefined)
  })
})
