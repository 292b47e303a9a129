import { Command } from "commander"
import { Type } from "typebox"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { tableOf } from "../../methods/table.ts"
import { anonymize, methodOptions, type Parameters, type RowsDraft } from "../../release/anonymize.ts"
import { fileFormats } from "../../release/manifest.ts"
import { composeReceipt, receiptPath } from "../../release/receipt.ts"
import { reserveRelease, writeRelease } from "../../release/write-release.ts"
import { logArgument, outputFlag, readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { type Given, required } from "../flags.ts"
import { textTable } from "../print.ts"
import type { Session } from "../session.ts"

const writeFlags = Type.Object({
  output: outputFlag("dir", "folder of the release"),
  preset: Type.Optional(Type.Enum(["paper"], { description: "take every default from the paper" })),
  to: Type.Enum([...fileFormats], { default: "tsv", description: "file format of the release" }),
  audit: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "folder for side files that explain the release to its owner (private)",
    }),
  ),
  force: Type.Boolean({ default: false, description: "replace a release that is already there" }),
  ...readFlags.properties,
})

/** `anonymize METHOD LOG -o DIR`: one subcommand for each method. */
export function anonymizeCommand(): Command {
  const command = new Command("anonymize").description("turn a log into a release that can be published")
  for (const method of methods) command.addCommand(methodCommand(method))
  return command
}

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  return defineCommand({
    name: method.name,
    summary: method.summary,
    argument: logArgument,
    flags: Type.Object({ ...options.properties, ...writeFlags.properties }),
    run: async (session, flags, paths) => {
      const chosen = Object.fromEntries(Object.entries(flags).filter(([key]) => key in options.properties))
      const given = await readFileFlags(options, chosen)
      return run(method, session, { paths, given: given as Parameters, write: flags as Given<typeof writeFlags> })
    },
  })
}

async function run(
  method: Method,
  session: Session,
  { paths, given, write }: { paths: string[]; given: Parameters; write: Given<typeof writeFlags> },
): Promise<number> {
  const { context } = session
  const { preset, to, audit, force } = write
  const folder = required(write.output, "output")
  const places = { ...(to && { to }), ...(audit && { audit }), ...(force && { force }) }
  await reserveRelease(folder, places)
  const input = await session.readLog(paths, write)
  const draft = await anonymize(input.log, { ...given, ...(preset && { preset }), method: method.name }, context)
  const manifest = await writeRelease(draft, folder, { ...places, input }, context)
  for (const text of draft.warnings) session.warn(text)
  const receipt = composeReceipt(draft, input)
  session.answer({ folder, manifest, receipt })
  const sizes = tableOf(
    ["", "log", "release"],
    [
      ["rows", receipt.input.rows, draft.kind === "rows" ? receipt.released.rows : ""],
      ...(draft.kind === "rows"
        ? [["distinct queries", receipt.input.queries, countQueries(draft.rows)]]
        : Object.entries(draft.tables).map(([name, { rows }]) => [name, "", rows])),
    ],
  )
  const lines = [
    textTable(sizes),
    "",
    manifest.guarantee.statement,
    `Release: ${folder}`,
    `Receipt: ${receiptPath(folder)} (private: it describes the log)`,
    ...(audit === undefined ? [] : [`Audit:   ${audit} (private: it names withheld queries)`]),
    `Check it: queryveil verify ${folder} --against ${[...paths, ...readWords(write), ...(audit === undefined ? [] : ["--audit", audit])].join(" ")}`,
  ]
  session.say(lines.join("\n"))
  return 0
}

/** The flags that a log must be read with to be the same log again. */
function readWords(write: Given<typeof writeFlags>): string[] {
  const { format, columns, jsonPath, unit, encoding } = write
  return Object.entries({ format, columns, "json-path": jsonPath, unit, encoding }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
}

function countQueries({ log, order, queries }: RowsDraft["rows"]): number {
  const seen = new Uint8Array(queries.offsets.length)
  for (const row of order) seen[log.query[row] ?? 0] = 1
  return seen.reduce((sum, one) => sum + one, 0)
}
