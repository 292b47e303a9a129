import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { ColumnTable } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"
import { type DpGuarantee, type DpMechanism, ledgerNumber } from "../methods/dp-guarantee.ts"
import type { TablesRelease } from "../release/read-release.ts"
import { noneExempt } from "../text/identifiers/exempt-queries.ts"
import { type BoundedCount, countBounded, keyName, type SecondOrder } from "./dp-counts.ts"
import { ledgerProblem } from "./dp-ledger.ts"
import { falseAlarm, fewestSamples, fitNoise, type NoiseSample } from "./noise-fit.ts"
import { unitDetail } from "./original.ts"
import { scrubbedKinds, unknownKinds } from "./release-checks.ts"
import type { RemoteOriginal } from "./remote-original.ts"
import { withoutScrubbed } from "./scrubbed-log.ts"
import type { Check, TablesVerifier } from "./verifier.ts"

/**
 * Verifies noisy counts. From the release alone: the ledger is computed again from the parameters and must be the same;
 * each table is in the ledger and shows nothing under its threshold; clicks and transitions are of released queries.
 * With the original: users are bounded again, every key of the log has the users it needs, and what was added to the
 * bounded counts fits the stated noise. No reader can check that the noise was drawn and not chosen: a fit is not a
 * proof.
 */
export const dpVerifier: TablesVerifier = {
  model: "dp",
  async verify({ release, log, remote, exempt = noneExempt }, context) {
    if (!isNoisy(release)) return []
    const tables = await release.tables(context)
    const checks = [checkLedger(release), checkProof(release), checkTables(release, tables)]
    if (checks.at(-1)?.state === "failed") return checks // the other checks need the tables of the ledger
    checks.push(checkShown(release, tables), checkAmong(tables))
    const against = Object.values(originalPromises)
    const found = log?.unit ?? remote?.unit
    if (found === undefined)
      return [...checks, ...against.map((about): Check => ({ ...about, state: "not checked", needs: "against" }))]
    const { unit, mode } = release.manifest.guarantee
    const kinds = scrubbedKinds(release)
    const broken = found !== unit ? unitDetail(found) : kinds === undefined ? unknownKinds : undefined
    if (broken !== undefined || kinds === undefined)
      return [...checks, ...against.map((about): Check => ({ ...about, state: "failed", detail: broken ?? "" }))]
    if (mode === "paper")
      return [...checks, ...against.map((about): Check => ({ ...about, state: "not checked", detail: asPublished }))]
    const countIn =
      log === undefined
        ? countElsewhere(release, remote, context)
        : countHere(release, withoutScrubbed(log, kinds, exempt))
    const [usual, other]: SecondOrder[] = log === undefined ? ["text", "line"] : ["line", "text"]
    const compared = await checkOriginal({ release, tables, countRows: countIn(usual) }, context)
    if (!compared.some(({ state }) => state === "failed")) return [...checks, ...compared]
    // It may have been made in the other order. What differs between the two says nothing then.
    const either = countInEither(countIn(usual), countIn(other))
    const again = await checkOriginal({ release, tables, countRows: either.countRows }, context)
    return [...checks, ...(either.differ() ? again : compared)]
  },
}

type CountsRelease = TablesRelease<DpGuarantee>

const isNoisy = (release: TablesRelease): release is CountsRelease => release.manifest.guarantee.model === "dp"

const asPublished = "as published: users are not bounded by key"

const originalPromises = {
  users: { name: "users-original", promise: "every key of the log has the users it needs, of those that count" },
  noise: {
    name: "noise-original",
    promise: `what was added to the bounded counts fits the stated noise (false alarm: ${falseAlarm})`,
  },
}

function checkLedger(release: CountsRelease): Check {
  const about = { name: "manifest", promise: "the guarantee follows from the parameters" }
  const problem = ledgerProblem(release)
  return problem === undefined ? { ...about, state: "passed" } : { ...about, state: "failed", detail: problem }
}

function checkProof({ manifest }: CountsRelease): Check {
  const about = { name: "proof", promise: "differential privacy is proved for it" }
  if (manifest.guarantee.mode !== "paper") return { ...about, state: "passed" }
  return { ...about, state: "failed", detail: "made as published, δ = 1: not for publication" }
}

const columnNames: Record<string, readonly string[]> = {
  queries: ["query", "count"],
  clicks: ["query", "url", "count"],
  transitions: ["query", "next", "count"],
}

function checkTables({ manifest }: CountsRelease, tables: Record<string, ColumnTable>): Check {
  const about = { name: "tables", promise: "the tables and their columns match the ledger" }
  const names = manifest.guarantee.mechanisms.map(({ table }) => table)
  const same =
    names.includes("queries") &&
    names.length === Object.keys(tables).length &&
    names.every((name) => tables[name]?.columns.map((column) => column.name).join() === columnNames[name]?.join())
  return { ...about, state: same ? "passed" : "failed" }
}

function checkShown({ manifest }: CountsRelease, tables: Record<string, ColumnTable>): Check {
  const about = { name: "thresholds", promise: "no count is under its threshold" }
  for (const { table, threshold } of manifest.guarantee.mechanisms) {
    const found = tables[table]
    const row = threshold === null ? -1 : valuesOf(found).findIndex((value) => value < threshold)
    if (row >= 0 && threshold !== null)
      return { ...about, state: "failed", row: row + 1, value: valuesOf(found)[row], bound: threshold, detail: table }
  }
  return { ...about, state: "passed" }
}

/** Checks that clicks and transitions are of queries that the release shows. */
function checkAmong(tables: Record<string, ColumnTable>): Check {
  const about = { name: "among", promise: "clicks and transitions are of released queries" }
  const released = textsOf(tables.queries, "query")
  for (const [name, table] of Object.entries(tables)) {
    for (const column of name === "queries" ? [] : ["query", ...(name === "transitions" ? ["next"] : [])]) {
      const own = textsOf(table, column)
      const strange = own.ids.findIndex((id) => released.texts.findBytes(own.texts.bytes(id)) < 0)
      if (strange >= 0) return { ...about, state: "failed", row: strange + 1, detail: name }
    }
  }
  return { ...about, state: "passed" }
}

/** By row of a table: what the bounded users of the original add to its key; undefined if it has no such key. */
type CountRows = (mechanism: DpMechanism, table: ColumnTable) => Promise<readonly (BoundedCount | undefined)[]>

function countHere({ manifest }: CountsRelease, log: SearchLog): (within: SecondOrder) => CountRows {
  const { sessionGap, repeats } = manifest.parameters
  return (within) => async (mechanism, table) => {
    const wanted = originalKeys(table, mechanism.table, log)
    const searches = manifest.guarantee.mode === "korolova" ? mechanism.l1 : undefined
    const counts = countBounded(log, { ...mechanism, searches, wanted, sessionGap, repeats, within })
    return Array.from(wanted, (key) => (key < 0 ? undefined : counts.get(key)))
  }
}

function countElsewhere(
  { manifest }: CountsRelease,
  remote: RemoteOriginal | undefined,
  context: RunContext,
): (within: SecondOrder) => CountRows {
  const { sessionGap, repeats } = manifest.parameters
  return (within) => async (mechanism, table) =>
    (await remote?.countBounded(table, { ...mechanism, sessionGap, repeats, within }, context)) ?? []
}

/** Counts by two orders. A key with different counts is marked as unsure. `differ` says if there was any. */
function countInEither(one: CountRows, other: CountRows): { countRows: CountRows; differ: () => boolean } {
  let differs = false
  const countRows: CountRows = async (mechanism, table) => {
    const [counts, others] = [await one(mechanism, table), await other(mechanism, table)]
    return Array.from(counts, (count, row) => {
      if (count?.users === others[row]?.users && count?.total === others[row]?.total) return count
      differs = true
      return { users: 0, total: 0, ...count, unsure: true, isTied: true }
    })
  }
  return { countRows, differ: () => differs }
}

interface Subject {
  release: CountsRelease
  tables: Record<string, ColumnTable>
  countRows: CountRows
}

async function checkOriginal({ release, tables, countRows }: Subject, context: RunContext): Promise<Check[]> {
  const { parameters, guarantee } = release.manifest
  const samples: NoiseSample[] = []
  let fewest: Check = { ...originalPromises.users, state: "passed" }
  for (const mechanism of guarantee.mechanisms) {
    const table = tables[mechanism.table]
    const counts = await countRows(mechanism, table)
    // The counts include frequencies of a list that the owner keeps.
    const isAdded = parameters.poolFrequencies === "add" && guarantee.pool.startsWith("sha256:")
    await yieldAndReport(context, { stage: "verifying", done: samples.length })
    for (const [row, value] of valuesOf(table).entries()) {
      const count = counts[row]
      const sure = count?.isTied !== true && (parameters.bound === "first" || count?.unsure !== true)
      if (sure && (count?.users ?? 0) < mechanism.minUsers && fewest.state === "passed")
        fewest = lacksUsers(mechanism, { row, count, pool: guarantee.pool })
      if (sure && !(isAdded && mechanism.table === "queries")) samples.push(sampleOf(mechanism, value, count))
    }
  }
  return [fewest, checkNoise(samples, context)]
}

function lacksUsers(
  { table, minUsers }: DpMechanism,
  { row, count, pool }: { row: number; count: BoundedCount | undefined; pool: string },
): Check {
  const found = { row: row + 1, value: count?.users ?? 0, bound: minUsers, detail: table }
  if (pool === "none" || table !== "queries") return { ...originalPromises.users, state: "failed", ...found }
  return {
    ...originalPromises.users,
    state: "not checked",
    ...found,
    detail: "it may be in the pool, which is not available",
  }
}

function sampleOf(
  { scale, threshold, noise, tau, minUsers, selection }: DpMechanism,
  value: number,
  count: BoundedCount | undefined,
): NoiseSample {
  const total = count?.total ?? 0
  const most = noise === "truncated-geometric" && tau !== null ? tau - 1 : undefined
  // If separate noise selects the key, the noise of its count may be anything.
  const from = selection === undefined ? (threshold ?? minUsers) - total : Number.NEGATIVE_INFINITY
  return { value: value - total, from, scale: ledgerNumber(scale), most }
}

function checkNoise(samples: readonly NoiseSample[], context: RunContext): Check {
  const about = originalPromises.noise
  if (samples.length < fewestSamples) {
    const detail = `only ${samples.length} counts can be compared; ${fewestSamples} are needed`
    return { ...about, state: "not checked", detail }
  }
  const p = fitNoise(samples, context.random)
  return { ...about, state: p < falseAlarm ? "failed" : "passed", value: p, bound: falseAlarm }
}

/** The keys of a released table, numbered as in `countBounded`; -1 if the log has no such text. */
function originalKeys(table: ColumnTable, name: string, log: SearchLog): Float64Array {
  const first = idsInLog(textsOf(table, "query"), log.queries)
  if (name === "queries") return Float64Array.from(first, (query) => (query < 0 ? -1 : keyName(query, 0)))
  const second =
    name === "clicks" ? idsInLog(textsOf(table, "url"), log.urls) : idsInLog(textsOf(table, "next"), log.queries)
  return Float64Array.from(first, (query, row) => (query < 0 || second[row] < 0 ? -1 : keyName(query, second[row])))
}

type TextColumn = Extract<ColumnTable["columns"][number], { ids: Int32Array }>

function idsInLog({ texts, ids }: TextColumn, dictionary: SearchLog["queries"]): Int32Array {
  return ids.map((id) => dictionary.findBytes(texts.bytes(id)))
}

function textsOf({ columns }: ColumnTable, name: string): TextColumn {
  const found = columns.find((column) => column.name === name)
  if (found === undefined || "values" in found) throw new RangeError(`there is no column ${name} of texts`)
  return found
}

function valuesOf({ columns }: ColumnTable): Float64Array {
  const found = columns.find((column) => "values" in column)
  return found !== undefined && "values" in found ? found.values : new Float64Array(0)
}
