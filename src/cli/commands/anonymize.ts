import { Command } from "commander"
import { Type } from "#typebox"
import { openLog } from "../../app/open-log.ts"
import { openRemote } from "../../app/open-remote.ts"
import { escapeFormulasOption, logOptions, outputOption, pickOptions } from "../../app/options.ts"
import { releaseAny } from "../../app/release.ts"
import type { LedgerChoice } from "../../app/release-places.ts"
import { flagName, flagWords, readWords, shellCommand } from "../../app/shell-words.ts"
import type { RemoteLog } from "../../engine/remote-log.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { methodOptions, type OptionValues, presetOption } from "../../release/anonymize.ts"
import { fileFormats } from "../../release/manifest.ts"
import { receiptPath } from "../../release/receipt.ts"
import { serviceWarning } from "../../taxonomy/classify/open-classifier.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { extensionWords } from "../extensions.ts"
import { readFileFlags } from "../file-flags.ts"
import { type Given, required } from "../flags.ts"
import { emptyCode, emptyExit, sizesText } from "../released-text.ts"
import type { Session } from "../session.ts"

const writeFlags = Type.Object({
  output: outputOption("dir", "write the release to this folder"),
  ...presetOption.properties,
  to: Type.Enum([...fileFormats], { default: "tsv", description: "write the release in this file format" }),
  ...escapeFormulasOption.properties,
  audit: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "write side files that explain the release to its owner (private)",
    }),
  ),
  force: Type.Boolean({ default: false, description: "replace an existing release" }),
  ...logOptions.properties,
})

/** Flags of methods that release rows. */
const riskFlags = Type.Object({
  maxRisk: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "attack the release first, and write nothing if an attack may gain more than this over a guess",
    }),
  ),
})

/** Flags of methods that spend a privacy budget. */
const budgetFlags = Type.Object({
  ledger: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "keep what each log has spent in this file, and refuse to overspend (private)",
    }),
  ),
  budget: Type.Optional(
    Type.String({
      placeholder: "n",
      pattern: "^[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?$",
      description: "with --ledger: allow this ε for all releases of this log together (needed the first time)",
    }),
  ),
  deltaBudget: Type.Optional(
    Type.String({
      placeholder: "n",
      pattern: "^[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?$",
      description: "with --ledger: allow this δ for all releases of this log together (default 0.001)",
    }),
  ),
  ledgerName: Type.Optional(
    Type.String({
      placeholder: "name",
      description: "with --ledger: record the log under this name (default its fingerprint)",
    }),
  ),
})

/** `anonymize METHOD LOG -o DIR`: one subcommand for each method. */
export function anonymizeCommand(): Command {
  const command = new Command("anonymize").description("turn a log into a release that can be published")
  for (const method of methods) command.addCommand(methodCommand(method))
  return command
}

const costsBudget = ({ options }: Method) => "epsilon" in options.properties

/** Flags of methods that an engine may run. */
const engineFlags = Type.Object({
  engine: Type.Optional(
    Type.String({
      placeholder: "address",
      description: "release a table or files of a cluster where they are (sc://HOST:15002 for Spark; docs/spark.md)",
    }),
  ),
})

const allFlags = Type.Object({
  ...writeFlags.properties,
  ...riskFlags.properties,
  ...budgetFlags.properties,
  ...engineFlags.properties,
})

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  return defineCommand({
    name: method.name,
    summary: method.summary,
    argument: logArgument,
    exits: { 1: "the data failed, or the risk is over --max-risk; nothing is written", ...emptyExit },
    flags: Type.Object({
      ...options.properties,
      ...writeFlags.properties,
      ...engineFlags.properties,
      ...(method.releases !== "tables" ? riskFlags : costsBudget(method) ? budgetFlags : Type.Object({})).properties,
    }),
    run: async (session, flags, paths) => {
      const chosen = pickOptions(options, flags) as OptionValues
      const given = await readFileFlags(options, chosen)
      return run(method, session, { paths, chosen, given, write: flags as Given<typeof allFlags> })
    },
  })
}

async function run(
  method: Method,
  session: Session,
  {
    paths,
    chosen,
    given,
    write,
  }: { paths: string[]; chosen: OptionValues; given: OptionValues; write: Given<typeof allFlags> },
): Promise<number> {
  const { preset, to, escapeFormulas, audit, force, cache, maxRisk, engine } = write
  const folder = required(write.output, "output")
  const warning = "classifier" in given ? serviceWarning(String(given.classifier)) : undefined
  if (warning !== undefined) session.warn(warning)
  let remote: RemoteLog | undefined
  const open = async () => {
    if (engine === undefined) return openLog(paths, write, session.context)
    remote = await openRemote(paths, { ...write, engine }, session.context)
    return remote
  }
  const { manifest, receipt, queries, risk, isEmpty } = await releaseAny(
    open,
    { ...given, ...(preset && { preset }), method: method.name },
    {
      folder,
      ...(to && { to }),
      ...(escapeFormulas && { escapeFormulas }),
      ...(audit && { audit }),
      ...(force && { force }),
      ledger: ledgerOf(write),
      maxRisk,
      keepApart: cache === undefined ? [] : [cache],
    },
    session.context,
  ).finally(() => remote?.close())
  for (const text of receipt.warnings) session.warnOnce(text)
  session.answer("anonymize", { folder, manifest, receipt, empty: isEmpty, ...(risk && { risk }) })
  const plan = [
    "queryveil",
    "plan",
    method.name,
    ...paths,
    ...readWords(write),
    ...flagWords({ ...chosen, preset }),
    ...extensionWords(),
  ]
  const check = [
    "queryveil",
    "verify",
    folder,
    "--against",
    ...paths,
    ...readWords(write),
    ...flagWords({ audit, engine }),
    ...extensionWords(),
  ]
  const lines = [
    sizesText({ receipt, queries }),
    ...(method.preview === undefined || engine !== undefined
      ? []
      : [`See which options keep more: ${shellCommand(plan)}`]),
    ...(isEmpty ? ["The release is empty. It was written, and shows nothing of the log."] : []),
    "",
    manifest.guarantee.statement,
    ...(risk
      ? [
          `Strongest attack: ${risk.attack} gained ${risk.value.toFixed(4)} over a guess, ` +
            `and may gain ${risk.high.toFixed(4)}.`,
        ]
      : []),
    `Release: ${folder}`,
    `Receipt: ${receiptPath(folder)} (private: it describes the log)`,
    ...(audit === undefined ? [] : [`Audit: ${audit} (private: it explains the release)`]),
    `Check it: ${shellCommand(check)}`,
  ]
  session.say(lines.join("\n"))
  return isEmpty ? emptyCode : 0
}

function ledgerOf({ ledger, budget, deltaBudget, ledgerName }: Given<typeof allFlags>): LedgerChoice | undefined {
  if (ledger !== undefined) return { file: ledger, budget, deltaBudget, name: ledgerName }
  const lost = Object.entries({ budget, deltaBudget, ledgerName }).find(([, value]) => value !== undefined)
  if (lost === undefined) return undefined
  throw new QueryveilError("usage", `${flagName(lost[0])} is for --ledger. Add --ledger, or leave it out.`)
}
