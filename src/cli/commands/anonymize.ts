import { Command } from "commander"
import { Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Intake } from "../../log/intake.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { tableOf } from "../../methods/table.ts"
import {
  anonymize,
  completeOptions,
  type Draft,
  methodOptions,
  type Parameters,
  type RowsDraft,
  type TablesDraft,
} from "../../release/anonymize.ts"
import {
  checkBudget,
  earlierFingerprints,
  fingerprintOf,
  type LedgerPlace,
  spendBudget,
} from "../../release/budget-ledger.ts"
import { fileFormats } from "../../release/manifest.ts"
import { composeReceipt, receiptPath } from "../../release/receipt.ts"
import { refusePrivate, reserveRelease, writeRelease } from "../../release/write-release.ts"
import type { Risk } from "../../study/frontier/risk.ts"
import { serviceWarning } from "../../taxonomy/classify/open-classifier.ts"
import { logArgument, outputFlag, presetFlag, readFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { flagName, type Given, required } from "../flags.ts"
import { textTable } from "../print.ts"
import type { Session } from "../session.ts"
import { flagWords, readWords, shellCommand } from "../shell-words.ts"

const writeFlags = Type.Object({
  output: outputFlag("dir", "folder of the release"),
  ...presetFlag.properties,
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

/** Flags of methods that release rows. */
const riskFlags = Type.Object({
  maxRisk: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "attack the release by profiles first, and write nothing if that may gain more over a guess than this",
    }),
  ),
})

/** Flags of methods that spend a privacy budget. */
const budgetFlags = Type.Object({
  ledger: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "what was spent of each log over time; refuses to overspend (private)",
    }),
  ),
  budget: Type.Optional(
    Type.String({
      placeholder: "n",
      pattern: "^[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?$",
      description: "with --ledger: most ε that all releases of this log may cost together (needed the first time)",
    }),
  ),
  deltaBudget: Type.Optional(
    Type.String({
      placeholder: "n",
      pattern: "^[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?$",
      description: "with --ledger: most δ that all releases of this log may cost together (default: 0.001)",
    }),
  ),
  ledgerName: Type.Optional(
    Type.String({ placeholder: "name", description: "with --ledger: the log's name there (default: its fingerprint)" }),
  ),
})

/** `anonymize METHOD LOG -o DIR`: one subcommand for each method. */
export function anonymizeCommand(): Command {
  const command = new Command("anonymize").description("turn a log into a release that can be published")
  for (const method of methods) command.addCommand(methodCommand(method))
  return command
}

const costsBudget = ({ options }: Method) => "epsilon" in options.properties

const allFlags = Type.Object({ ...writeFlags.properties, ...riskFlags.properties, ...budgetFlags.properties })

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  return defineCommand({
    name: method.name,
    summary: method.summary,
    argument: logArgument,
    flags: Type.Object({
      ...options.properties,
      ...writeFlags.properties,
      ...(method.releases !== "tables" ? riskFlags : costsBudget(method) ? budgetFlags : Type.Object({})).properties,
    }),
    run: async (session, flags, paths) => {
      const chosen = Object.fromEntries(Object.entries(flags).filter(([key]) => key in options.properties))
      const given = await readFileFlags(options, chosen)
      return run(method, session, { paths, given: given as Parameters, write: flags as Given<typeof allFlags> })
    },
  })
}

async function run(
  method: Method,
  session: Session,
  { paths, given, write }: { paths: string[]; given: Parameters; write: Given<typeof allFlags> },
): Promise<number> {
  const { context } = session
  const { preset, to, audit, force } = write
  const folder = required(write.output, "output")
  const places = { ...(to && { to }), ...(audit && { audit }), ...(force && { force }) }
  await reserveRelease(folder, places)
  for (const beside of [write.ledger, write.cache]) if (beside !== undefined) await refusePrivate(beside, folder)
  const warning = "classifier" in given ? serviceWarning(String(given.classifier)) : undefined
  if (warning !== undefined) session.warn(warning)
  const options = completeOptions(method, given, preset) // what cannot be done is said before the log is read
  const { mode } = options
  if (write.ledger !== undefined && mode === "paper")
    throw new QueryveilError("usage", "--mode paper proves nothing that a budget could count. Leave --ledger out.")
  const input = await session.readLog(paths, write)
  const place = ledgerPlace(write, input.intake)
  const price = { epsilon: String(options.epsilon), delta: String(options.delta ?? "0"), unit: input.log.unit }
  if (place !== undefined) await checkBudget(place, price)
  const paid = new Set<string>()
  const beforeNoise = async (release = "") => {
    if (place === undefined) return
    await spendBudget(place, { ...price, release, created: new Date(context.now()).toISOString() })
    paid.add(release)
  }
  const draft = await anonymize(
    input.log,
    { ...given, ...(preset && { preset }), method: method.name },
    { ...context, beforeNoise },
  )
  if (draft.kind === "tables" && costsBudget(method)) checkPaid(draft, { place, paid })
  const risk = await judgeRisk(draft, { log: input.log, maxRisk: write.maxRisk }, context)
  const manifest = await writeRelease(draft, folder, { ...places, input }, context)
  for (const text of draft.warnings) session.warn(text)
  const receipt = composeReceipt(draft, input)
  session.answer({ folder, manifest, receipt, ...(risk && { risk }) })
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
    ...(risk
      ? [`Attacked: ${risk.attack} gained ${risk.value.toFixed(4)} over a guess, and may gain ${risk.high.toFixed(4)}.`]
      : []),
    `Release: ${folder}`,
    `Receipt: ${receiptPath(folder)} (private: it describes the log)`,
    ...(audit === undefined ? [] : [`Audit:   ${audit} (private: it explains the release)`]),
    `Check it: ${shellCommand(["queryveil", "verify", folder, "--against", ...paths, ...readWords(write), ...flagWords({ audit })])}`,
  ]
  session.say(lines.join("\n"))
  return 0
}

/** The attack is loaded where it is asked for. */
async function judgeRisk(
  draft: Draft,
  { log, maxRisk }: { log: SearchLog; maxRisk: number | undefined },
  context: RunContext,
): Promise<Risk | undefined> {
  if (maxRisk === undefined || draft.kind !== "rows") return undefined
  const { checkRisk } = await import("../check-risk.ts")
  return checkRisk(draft, { log, maxRisk }, context)
}

function ledgerPlace(
  { ledger, budget, deltaBudget, ledgerName }: Given<typeof allFlags>,
  intake: Intake,
): LedgerPlace | undefined {
  const lost = Object.entries({ budget, deltaBudget, ledgerName }).find(([, value]) => value !== undefined)
  if (ledger === undefined) {
    if (lost === undefined) return undefined
    throw new QueryveilError("usage", `${flagName(lost[0])} is for --ledger. Add --ledger, or leave it out.`)
  }
  const named = ledgerName === undefined ? { earlier: earlierFingerprints(intake) } : {}
  const budgets = { ...(budget === undefined ? {} : { budget }), ...(deltaBudget === undefined ? {} : { deltaBudget }) }
  return { file: ledger, log: ledgerName ?? fingerprintOf(intake), ...named, ...budgets }
}

/** Before anything is written: a release was paid for, or the owner is told that releases add up. */
function checkPaid(
  { manifest, warnings }: TablesDraft,
  { place, paid }: { place: LedgerPlace | undefined; paid: ReadonlySet<string> },
): void {
  if (place === undefined) {
    warnings.push(
      "Every release of this log adds its ε and δ to those before it. Keep count with --ledger FILE --budget E.",
    )
  } else if (!paid.has(manifest.id)) {
    throw new QueryveilError("internal", "The release was not paid for.")
  }
}

function countQueries({ log, order, queries }: RowsDraft["rows"]): number {
  const seen = new Uint8Array(queries.offsets.length)
  for (const row of order) seen[log.query[row] ?? 0] = 1
  return seen.reduce((sum, one) => sum + one, 0)
}
