import { randomBytes } from "node:crypto"
import { type TObject, type TSchema, Type, Value } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { type ColumnTable, type Table, tableOf } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { ExtensionMethods } from "../methods/extension-methods.ts"
import { type Guarantee, guaranteeProblem, type TablesGuarantee, traitsOf } from "../methods/guarantee.ts"
import type { Method, MethodResult } from "../methods/method.ts"
import { applyDecision } from "../methods/query-decision.ts"
import { methods, type TablesGuarantees } from "../methods/registry.ts"
import type { ExemptQueries } from "../text/identifiers/exempt-queries.ts"
import { formatKinds, kindSet, noKinds } from "../text/identifiers/kinds.ts"
import { exemptOption, scrubOption } from "../text/identifiers/scrub-option.ts"
import { type ArrangedRows, arrangeRows } from "./arrange-rows.ts"
import { auditTrail } from "./audit-trail.ts"
import { columnPolicy, policyOf, releaseColumns } from "./column-policy.ts"
import { type RowsManifest, releaseVersion, type TablesManifest } from "./manifest.ts"
import type { MethodChoice, MethodName } from "./method-options.ts"
import { type ExemptFigures, type ScrubRule, scrubLog, scrubRuleOf } from "./scrub.ts"

/** A release that is not written yet: what will be published, and what stays private. */
export type Draft = RowsDraft | TablesDraft

/** A draft of released rows. */
export interface RowsDraft extends PrivateSide {
  kind: "rows"
  manifest: Omit<RowsManifest, "files">
  rows: ArrangedRows
}

/** A draft of released tables. */
export interface TablesDraft<G extends TablesGuarantee = TablesGuarantee> extends PrivateSide {
  kind: "tables"
  manifest: Omit<TablesManifest<G>, "files">
  /** By file name without extension. Rows are in key order. */
  tables: Record<string, ColumnTable>
}

/** The kind of draft that the method of this name makes. If the name is known only at run time, either kind. */
export type DraftOf<M extends string> = string extends M
  ? Draft
  : M extends keyof TablesGuarantees
    ? TablesDraft<TablesGuarantees[M]>
    : M extends keyof ExtensionMethods
      ? Draft
      : RowsDraft

/** The parts of a draft that are never published. */
export interface PrivateSide {
  /** Private: how much was withheld, by reason. */
  withheld: Record<string, number>
  /** Private side tables. */
  audit: Record<string, Table>
  /** Private: the files and addresses that options name. The manifest does not contain them. */
  places: Record<string, string>
  warnings: string[]
  /** Private: the exact values of numbers that the manifest states rounded. */
  measured?: Record<string, string | number>
  /** Private: figures about the owner's list of queries that are not scrubbed. */
  exempted?: ExemptFigures
}

/** Options by name, as in flags and in the manifest. */
export type OptionValues = Record<string, string | number | boolean>

/** The method of this name. Throws `unknown-name` if there is none. */
export function findMethod(name: string): Method {
  const method = methods.find((candidate) => candidate.name === name)
  if (method !== undefined) return method
  const known = methods.map((candidate) => candidate.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no method called ${name}. Methods: ${known}.`)
}

/** All options of a method: its own, those of scrubbing, and the column policy if it releases rows. */
export function methodOptions(method: Method) {
  return Type.Object({
    ...method.options.properties,
    ...scrubOption(method.scrub).properties,
    ...exemptOption.properties,
    ...(method.releases === "tables" ? {} : { ...columnPolicy.properties, ...method.columns?.properties }),
  })
}

/** The preset. It is not an option of a method. */
export const presetOption = Type.Object({
  preset: Type.Optional(Type.Enum(["paper"], { description: "use the paper's defaults" })),
})

/** Combines the defaults, then the preset, then the given values. Checks every value. */
export function completeOptions(method: Method, given: OptionValues, preset?: "paper"): OptionValues {
  const schema = methodOptions(method)
  refuseUnknownOption(method.name, given, Object.keys(schema.properties))
  refuseWrongValue(method.name, presetOption, preset === undefined ? {} : { preset })
  const complete = Value.Default(schema, { ...(preset === "paper" ? method.paper : {}), ...exactOf(schema, given) })
  refuseWrongValue(method.name, schema, complete)
  const parameters = { ...(complete as OptionValues), ...method.settle?.(complete as OptionValues) } as OptionValues
  method.check?.(parameters)
  const { kinds } = checkScrub(parameters)
  return { ...parameters, scrub: formatKinds(kinds) }
}

/** Refuses a list of exempt queries if nothing is scrubbed, because the list would have no effect. */
function checkScrub(parameters: OptionValues): ScrubRule {
  const rule = scrubRuleOf(parameters)
  if (rule.kinds === noKinds && parameters.scrubExempt !== undefined)
    throw new QueryveilError("usage", "--scrub-exempt does nothing with --scrub none. Leave one of them out.", {
      flag: "--scrub-exempt",
    })
  return rule
}

/** Some options are numbers kept as text, because all their digits count. They may be given as numbers. */
function exactOf(schema: TObject, given: OptionValues): OptionValues {
  const isText = (key: string) => "type" in schema.properties[key] && schema.properties[key].type === "string"
  const exact = Object.entries(given).map(([key, value]) => [
    key,
    isText(key) && typeof value === "number" ? `${value}` : value,
  ])
  return Object.fromEntries(exact)
}

/**
 * Runs a method on a log and arranges what it keeps for publication. Without a seed the randomness is cryptographic.
 * With a seed the draft says `seeded` and does not verify for publication.
 */
export async function anonymize<M extends MethodName>(
  log: SearchLog,
  choice: MethodChoice<M>,
  context?: RunContext,
): Promise<DraftOf<M>>
export async function anonymize(
  log: SearchLog,
  choice: MethodChoice,
  context: RunContext = createContext(),
): Promise<Draft> {
  const { method, preset, ...given } = choice
  return makeDraft(log, { ...definedOf(given), method, ...(preset && { preset }) }, context)
}

/** The options whose values are not undefined. */
export function definedOf(given: object): OptionValues {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** `anonymize` for a method whose name is known only at run time. */
export async function makeDraft<M extends string>(
  log: SearchLog,
  options: { method: M; preset?: "paper" } & OptionValues,
  context: RunContext,
): Promise<DraftOf<M>>
export async function makeDraft(
  log: SearchLog,
  options: { method: string; preset?: "paper" } & OptionValues,
  context: RunContext,
): Promise<Draft> {
  const { method: name, preset, ...given } = options
  const method = findMethod(name)
  const parameters = completeOptions(method, given, preset)
  const rule = scrubbedBefore(method, parameters)
  const scrubbed = await scrubLog(log, rule, context)
  const { head, tail: end, places } = describeRun(method, parameters, context)
  const result = await method.run(scrubbed.log, parameters, {
    ...context,
    beforeNoise: async () => context.beforeNoise?.(head.id),
  })
  const tail = { ...end, seeded: end.seeded || result.seeded === true }
  const problem = guaranteeProblem(result.guarantee, result.kind === "tables" ? "tables" : "rows")
  if (problem !== undefined)
    throw new QueryveilError("extension-broken", `${name}: the guarantee does not match its model: ${problem}.`)
  const audit = { ...result.audit, ...auditExempt(rule.exempt) }
  const warnings = [...(result.warnings ?? []), ...warnOfExempt(scrubbed.exempted)]
  const privately = {
    withheld: { ...scrubbed.withheld, ...result.withheld },
    places,
    ...(result.measured && { measured: result.measured }),
    ...(scrubbed.exempted && { exempted: scrubbed.exempted }),
  }
  if (result.kind === "tables") {
    const manifest = { ...head, guarantee: result.guarantee, ...tail }
    return { kind: "tables", manifest, tables: result.tables, ...privately, audit, warnings }
  }
  const { log: released, keep, clickers, cell } = releasedRows(result, scrubbed.log)
  const policy = policyOf(parameters)
  if (policy === undefined) throw new QueryveilError("internal", "Unknown column policy.")
  const { k: threshold } = result.guarantee
  const rows = await arrangeRows(released, { rows: keep, policy, threshold, clickers, cell }, context)
  const columns = rows.columns.map((column) => releaseColumns[column])
  return {
    kind: "rows",
    manifest: { ...head, guarantee: result.guarantee, columns, ...tail },
    rows,
    ...privately,
    audit: {
      ...audit,
      trail: auditTrail(scrubbed.log, { released, order: rows.order }),
      ...result.auditRows?.(rows.order),
    },
    warnings: [
      ...warnings,
      ...warnOfRows({ users: log.users.size, kept: keep.length }, { method, parameters, guarantee: result.guarantee }),
    ],
  }
}

/** Which queries are withheld before the method runs. */
export function scrubbedBefore(method: Method, parameters: OptionValues): ScrubRule {
  const { kinds, exempt } = scrubRuleOf(parameters)
  return { kinds: kinds & ~kindSet(method.scrubsItself ?? []), exempt }
}

/** The side table with the owner's list of exempt queries. A verifier reads it. */
export const exemptTable = { name: "scrub-exempt", columns: ["query"] } as const

/** The owner's list of exempt queries as a side table, if there is one. */
export function auditExempt(exempt: ExemptQueries): Record<string, Table> {
  if (exempt.size === 0) return {}
  return {
    [exemptTable.name]: tableOf(
      exemptTable.columns,
      [...exempt].sort().map((query) => [query]),
    ),
  }
}

/** Warns if queries of the owner's list are not in the log: the list may be for another log. */
export function warnOfExempt(exempted: ExemptFigures | undefined): string[] {
  if (exempted === undefined || exempted.notInLog === 0) return []
  return [`${exempted.notInLog} of ${exempted.queries} queries of --scrub-exempt are not in the log.`]
}

/**
 * What a manifest says about a run, before and after its guarantee, with a new id. Also returns the files and addresses
 * that the manifest does not name.
 */
export function describeRun(method: Method, parameters: OptionValues, context: RunContext) {
  const { parameters: shown, places } = publicParameters(method, parameters)
  const id = randomBytes(16).toString("hex")
  return {
    head: { queryveil: releaseVersion, id, method: method.name, parameters: shown },
    tail: { seeded: context.random.seeded, created: new Date(context.now()).toISOString() },
    places,
  }
}

/** The word in a manifest that replaces a file or an address of the owner. */
export const ownPlace = "own"

/**
 * Parameters as the manifest has them. It leaves out those whose schema says `private`, because they name queries of
 * the log. If the schema says `place`, a file or an address of the owner is replaced by one word and returned in
 * `places`.
 */
export function publicParameters(
  method: Method,
  parameters: OptionValues,
): { parameters: OptionValues; places: Record<string, string> } {
  const shown: OptionValues = {}
  const places: Record<string, string> = {}
  const { properties }: TObject = methodOptions(method)
  for (const [key, value] of Object.entries(parameters)) {
    const schema: TSchema & { private?: boolean; place?: boolean; unless?: string[] } = properties[key] ?? {}
    if (schema.private === true) continue
    const isPlace = schema.place === true && !schema.unless?.includes(String(value))
    if (isPlace) places[key] = String(value)
    shown[key] = isPlace ? ownPlace : value
  }
  return { parameters: shown, places }
}

/** The log that contains a method's rows, and which of them are released. */
function releasedRows(
  result: Exclude<MethodResult, { kind: "tables" }>,
  log: SearchLog,
): { log: SearchLog; keep: Uint32Array; clickers?: Uint32Array | undefined; cell?: Int32Array | undefined } {
  if (result.kind === "queries") return applyDecision(log, result.decision)
  const keep = new Uint32Array(result.log.rows)
  for (let row = 0; row < keep.length; row++) keep[row] = row
  return { log: result.log, keep, clickers: result.clickers, cell: result.cell }
}

/** Warns of an empty release, and of names that show too much. `users` is the number of users of the log. */
export function warnOfRows(
  { users, kept }: { users: number; kept: number },
  { method, parameters, guarantee }: { method: Method; parameters: OptionValues; guarantee: Guarantee },
): string[] {
  const warnings: string[] = []
  const isByTopic = traitsOf(guarantee).shownUnder === "cell"
  if (kept === 0) {
    warnings.push(
      [
        `Nothing can be released with k = ${parameters.k}: the log has ${users} ${users === 1 ? "user" : "users"},`,
        `and no ${isByTopic ? "topic" : "query"} has enough of them.`,
        "The release is empty.",
        "Try a smaller k or a larger log.",
      ].join(" "),
    )
  }
  if (parameters.users === "keep") {
    warnings.push("The release shows the log's own user ids (--users keep): do not publish it.")
  }
  const isAboutUsers = method.columns?.properties.users !== undefined
  if (parameters.users === "pseudonym" && !isAboutUsers) {
    warnings.push(
      [
        "One pseudonym joins all searches of a person, as in the AOL release of 2006 (--users pseudonym).",
        "The guarantee is about single queries.",
        "--users session is the safe choice.",
      ].join(" "),
    )
  }
  return warnings
}
