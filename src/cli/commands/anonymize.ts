import { Command, Option } from "commander"
import { Type } from "typebox"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { tableOf } from "../../methods/table.ts"
import { anonymize, methodOptions, type Parameters } from "../../release/anonymize.ts"
import { fileFormats } from "../../release/manifest.ts"
import { composeReceipt, receiptPath } from "../../release/receipt.ts"
import { reserveRelease, writeRelease } from "../../release/write-release.ts"
import { addFlags } from "../flags.ts"
import { textTable } from "../print.ts"
import { addReadFlags, finish, type Session } from "../session.ts"

const writeFlags = Type.Object({
  to: Type.Enum([...fileFormats], { default: "tsv", description: "file format of the release" }),
  audit: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "folder for side files that explain the release to its owner (private)",
    }),
  ),
  force: Type.Boolean({ default: false, description: "replace a release that is already there" }),
})

/** `anonymize METHOD LOG -o DIR`: one subcommand for each method. */
export function anonymizeCommand(): Command {
  const command = new Command("anonymize").description("turn a log into a release that can be published")
  for (const method of methods) command.addCommand(methodCommand(method))
  return command
}

function methodCommand(method: Method): Command {
  const command = new Command(method.name)
    .description(method.summary)
    .argument("<log...>", "search log: files, globs, or - for the standard input")
    .addOption(new Option("-o, --output <dir>", "folder of the release"))
    .addOption(new Option("--preset <paper>", "take every default from the paper").choices(["paper"]))
  addFlags(command, methodOptions(method))
  addFlags(command, writeFlags)
  addReadFlags(command)
  return finish(command, (session, paths) => run(method, session, paths))
}

async function run(method: Method, session: Session, paths: string[]): Promise<number> {
  const { context } = session
  const folder = session.required("output")
  const write = session.values(writeFlags)
  await reserveRelease(folder, write)
  const input = await session.readLog(paths)
  const preset = session.flag("preset") === "paper" ? { preset: "paper" as const } : {}
  const given = session.values(methodOptions(method)) as Parameters
  const draft = await anonymize(input.log, { ...given, ...preset, method: method.name }, context)
  const manifest = await writeRelease(draft, folder, { ...write, input }, context)
  for (const text of draft.warnings) session.warn(text)
  const receipt = composeReceipt(draft, input)
  session.answer({ folder, manifest, receipt })
  session.say(
    [
      textTable(
        tableOf(
          ["", "log", "release"],
          [
            ["rows", receipt.input.rows, receipt.released.rows],
            [
              "distinct queries",
              receipt.input.queries,
              receipt.input.queries - (draft.withheld["queries under k"] ?? 0),
            ],
          ],
        ),
      ),
      "",
      manifest.guarantee.statement,
      `Release: ${folder}`,
      `Receipt: ${receiptPath(folder)} (private: it describes the log)`,
      ...(typeof write.audit === "string" ? [`Audit:   ${write.audit} (private: it names withheld queries)`] : []),
      `Check it: queryveil verify ${folder} --against ${paths.join(" ")}`,
    ].join("\n"),
  )
  return 0
}
