import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Intake } from "../log/intake.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import type { Unit } from "../log/search-log.ts"
import { completeOptions, type Draft, definedOf, findMethod, makeDraft, type Parameters } from "../release/anonymize.ts"
import {
  checkBudget,
  earlierFingerprints,
  fingerprintOf,
  type LedgerPlace,
  spendBudget,
} from "../release/budget-ledger.ts"
import type { Manifest } from "../release/manifest.ts"
import type { MethodChoice, MethodName } from "../release/method-options.ts"
import { composeReceipt, type Receipt } from "../release/receipt.ts"
import { refusePrivate, reserveRelease, writeRelease } from "../release/write-release.ts"
import type { Risk } from "../study/frontier/risk.ts"
import { checkPlaces, type LedgerChoice, type ReleasePlaces, refuseMisplaced } from "./release-places.ts"

/** A release that was written. */
export interface Released {
  manifest: Manifest
  /** Private: it describes the log. */
  receipt: Receipt
  /** Distinct queries that are shown; undefined for tables. */
  queries: number | undefined
  /** What the attacks gained, where `maxRisk` was given. */
  risk: Risk | undefined
}

/**
 * Releases a log, as `queryveil anonymize` does. Checks options and places before the log is read, pays the ledger before
 * noise is drawn, attacks rows if a risk is given, and writes the folder whole or not at all, with its private receipt next
 * to it. The input is what `readLog` gave, or a function that reads it.
 */
export async function release<M extends MethodName>(
  input: ReadResult | (() => Promise<ReadResult>),
  choice: MethodChoice<M>,
  places: ReleasePlaces,
  context: RunContext = createContext(),
): Promise<Released> {
  const { method, preset, ...given } = choice
  return releaseAny(input, { ...definedOf(given), method, ...(preset && { preset }) }, places, context)
}

/** `release` for a method whose name is known only when it runs. */
export async function releaseAny(
  input: ReadResult | (() => Promise<ReadResult>),
  choice: { method: string; preset?: "paper" } & Parameters,
  places: ReleasePlaces,
  context: RunContext,
): Promise<Released> {
  const { method: name, preset, ...given } = choice
  const method = findMethod(name)
  checkPlaces(places)
  const { folder, ledger, maxRisk, keepApart = [], ...writing } = places
  await reserveRelease(folder, writing)
  for (const beside of [...keepApart, ...(ledger === undefined ? [] : [ledger.file])])
    await refusePrivate(beside, folder)
  const options = completeOptions(method, given, preset)
  const costs = "epsilon" in method.options.properties
  refuseMisplaced({ isTables: method.releases === "tables", costs, isProved: options.mode !== "paper" }, places)
  const read = typeof input === "function" ? await input() : input
  const purse = ledger === undefined ? undefined : new Purse(ledger, { read, options })
  await purse?.check()
  const draft = await makeDraft(read.log, choice, {
    ...context,
    beforeNoise: async (id = "") => {
      await context.beforeNoise?.(id)
      await purse?.pay(id, new Date(context.now()).toISOString())
    },
  })
  if (costs) {
    if (purse === undefined) draft.warnings.push(uncounted)
    else if (!purse.paid.has(draft.manifest.id)) throw new QueryveilError("internal", "The release was not paid for.")
  }
  const risk = await judgeRisk(draft, { log: read.log, maxRisk }, context)
  const manifest = await writeRelease(draft, folder, { ...writing, input: read }, context)
  return { manifest, receipt: composeReceipt(draft, read), queries: countQueries(draft), risk }
}

const uncounted =
  "Every release of this log adds its ε and δ to those before it. Keep count with --ledger FILE --budget E."

/** Pays for releases of a log from its ledger. */
class Purse {
  readonly paid = new Set<string>()
  readonly #place: LedgerPlace
  readonly #price: { epsilon: string; delta: string; unit: Unit }

  constructor(ledger: LedgerChoice, { read, options }: { read: ReadResult; options: Parameters }) {
    this.#place = placeOf(ledger, read.intake)
    this.#price = { epsilon: String(options.epsilon), delta: String(options.delta ?? "0"), unit: read.log.unit }
  }

  /** Refuses now what could not be paid later. */
  check(): Promise<void> {
    return checkBudget(this.#place, this.#price)
  }

  async pay(id: string, created: string): Promise<void> {
    await spendBudget(this.#place, { ...this.#price, release: id, created })
    this.paid.add(id)
  }
}

function placeOf({ file, budget, deltaBudget, name }: LedgerChoice, intake: Intake): LedgerPlace {
  return {
    file,
    log: name ?? fingerprintOf(intake),
    ...(name === undefined && { earlier: earlierFingerprints(intake) }),
    ...(budget !== undefined && { budget: String(budget) }),
    ...(deltaBudget !== undefined && { deltaBudget: String(deltaBudget) }),
  }
}

/** The attacks are loaded where they are asked for. */
async function judgeRisk(
  draft: Draft,
  { log, maxRisk }: { log: ReadResult["log"]; maxRisk: number | undefined },
  context: RunContext,
): Promise<Risk | undefined> {
  if (maxRisk === undefined || draft.kind !== "rows") return undefined
  const { checkRisk } = await import("./check-risk.ts")
  return checkRisk(draft, { log, maxRisk }, context)
}

function countQueries(draft: Draft): number | undefined {
  if (draft.kind === "tables") return undefined
  const { log, order, queries } = draft.rows
  const seen = new Uint8Array(queries.offsets.length)
  for (const row of order) seen[log.query[row] ?? 0] = 1
  return seen.reduce((sum, one) => sum + one, 0)
}
