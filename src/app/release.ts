import { makeRemoteDraft } from "../engine/make-remote-draft.ts"
import type { RemoteLog } from "../engine/remote-log.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Intake } from "../log/intake.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import type { Unit } from "../log/search-log.ts"
import {
  completeOptions,
  type Draft,
  definedOf,
  findMethod,
  makeDraft,
  type OptionValues,
} from "../release/anonymize.ts"
import {
  checkBudget,
  earlierFingerprints,
  fingerprintOf,
  type LedgerPlace,
  spendBudget,
} from "../release/budget-ledger.ts"
import { isEmptyRelease, type Manifest } from "../release/manifest.ts"
import type { MethodChoice, MethodName } from "../release/method-options.ts"
import type { PartsDraft } from "../release/parts-draft.ts"
import { composeReceipt, type Receipt } from "../release/receipt.ts"
import { refusePrivate, reserveAlone, writeReserved } from "../release/write-release.ts"
import type { Risk } from "../study/frontier/risk.ts"
import { checkPlaces, type LedgerChoice, type ReleasePlaces, refuseMisplaced } from "./release-places.ts"

/** A log on this machine, or a log that an engine releases where it is stored. */
export type ReleaseInput = ReadResult | RemoteLog

/** A release that was written. */
export interface Released {
  manifest: Manifest
  /** Private: it describes the log. */
  receipt: Receipt
  /** The number of distinct queries shown; undefined for tables and remote logs. */
  queries: number | undefined
  /** The gain of the attacks, if `maxRisk` was given. */
  risk: Risk | undefined
  /** True if no row, count or profile was released. */
  isEmpty: boolean
}

/**
 * Releases a log, as `queryveil anonymize` does. Checks options and paths before the log is read, pays the ledger
 * before noise is drawn, and attacks rows if a risk is given. Writes the folder completely or not at all, with its
 * private receipt next to it. The input is the result of `readLog` or `openRemoteLog`, or a function that returns it.
 */
export async function release<M extends MethodName>(
  input: ReleaseInput | (() => Promise<ReleaseInput>),
  choice: MethodChoice<M>,
  places: ReleasePlaces,
  context: RunContext = createContext(),
): Promise<Released> {
  const { method, preset, ...given } = choice
  return releaseAny(input, { ...definedOf(given), method, ...(preset && { preset }) }, places, context)
}

/** `release` for a method whose name is known only at run time. */
export async function releaseAny(
  input: ReleaseInput | (() => Promise<ReleaseInput>),
  choice: { method: string; preset?: "paper" } & OptionValues,
  places: ReleasePlaces,
  context: RunContext,
): Promise<Released> {
  const { method: name, preset, ...given } = choice
  const method = findMethod(name)
  checkPlaces(places)
  const { folder, ledger, keepApart = [], maxRisk: _, ...writing } = places
  const options = completeOptions(method, given, preset)
  if (options.scrubExempt !== undefined && places.audit === undefined) throw exemptWithoutAudit()
  const costs = "epsilon" in method.options.properties
  refuseMisplaced({ isTables: method.releases === "tables", costs, isProved: options.mode !== "paper" }, places)
  // From here on, of two runs into one folder only one can pay.
  const unlock = await reserveAlone(folder, writing)
  try {
    for (const beside of [...keepApart, ...(ledger === undefined ? [] : [ledger.file])])
      await refusePrivate(beside, folder)
    const read = typeof input === "function" ? await input() : input
    return await releaseRead(read, { choice, options, costs }, places, context)
  } finally {
    await unlock()
  }
}

/** Makes the release of a log and writes it into reserved folders. */
async function releaseRead(
  read: ReleaseInput,
  { choice, options, costs }: { choice: { method: string } & OptionValues; options: OptionValues; costs: boolean },
  places: ReleasePlaces,
  context: RunContext,
): Promise<Released> {
  const { folder, ledger, maxRisk, keepApart: _, ...writing } = places
  if ("decide" in read && ledger !== undefined && ledger.name === undefined) throw remoteLedger()
  const purse = ledger === undefined ? undefined : new Purse(ledger, { read, options })
  await purse?.check()
  const paying = {
    ...context,
    beforeNoise: async (id = "") => {
      await context.beforeNoise?.(id)
      await purse?.pay(id, new Date(context.now()).toISOString())
    },
  }
  if ("decide" in read && maxRisk !== undefined) throw remoteRisk()
  if ("decide" in read && writing.escapeFormulas === true) throw remoteEscaping()
  const draft =
    "decide" in read
      ? await makeRemoteDraft(read, { choice, wantsAudit: places.audit !== undefined }, paying)
      : await makeDraft(read.log, choice, paying)
  if (costs) {
    if (purse === undefined) draft.warnings.push(uncounted)
    else if (!purse.paid.has(draft.manifest.id)) throw new QueryveilError("internal", "The release was not paid for.")
  }
  const risk = "decide" in read ? undefined : await judgeRisk(draft, { log: read.log, maxRisk }, context)
  const input = { log: read.log, intake: read.intake, maxRisk }
  const manifest = await writeReserved(draft, folder, { ...writing, input }, context)
  const receipt = composeReceipt(draft, manifest, input)
  return { manifest, receipt, queries: countQueries(draft), risk, isEmpty: isEmptyRelease(manifest) }
}

const uncounted =
  "Every release of this log adds its ε and δ to those before it. Keep count with --ledger FILE --budget E."

const exemptWithoutAudit = () =>
  new QueryveilError("usage", "--scrub-exempt needs --audit DIR: verify reads the list from there. Add --audit.", {
    flag: "--audit",
  })

const remoteRisk = () =>
  new QueryveilError(
    "usage",
    "maxRisk attacks rows on this machine, and the log is elsewhere. Attack a sample instead.",
    {
      flag: "--max-risk",
    },
  )

const remoteLedger = () =>
  new QueryveilError(
    "usage",
    "A ledger knows a log by its bytes, and those of this log are elsewhere. Name the log with --ledger-name, and " +
      "use the same name for all releases of its rows.",
    { flag: "--ledger-name" },
  )

const remoteEscaping = () =>
  new QueryveilError("usage", "escapeFormulas is for data that is written on this machine, and the log is elsewhere.", {
    flag: "--escape-formulas",
  })

/** Pays for releases of a log from its ledger. */
class Purse {
  readonly paid = new Set<string>()
  readonly #place: LedgerPlace
  readonly #price: { epsilon: string; delta: string; unit: Unit }

  constructor(ledger: LedgerChoice, { read, options }: { read: ReleaseInput; options: OptionValues }) {
    this.#place = placeOf(ledger, read.intake)
    this.#price = { epsilon: String(options.epsilon), delta: String(options.delta ?? "0"), unit: read.intake.unit }
  }

  /** Refuses early what could not be paid later. */
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

/** Attacks the draft if a risk is given. The attacks are loaded only then. */
async function judgeRisk(
  draft: Draft | PartsDraft,
  { log, maxRisk }: { log: ReadResult["log"]; maxRisk: number | undefined },
  context: RunContext,
): Promise<Risk | undefined> {
  if (maxRisk === undefined || draft.kind !== "rows") return undefined
  const { checkRisk } = await import("./check-risk.ts")
  return checkRisk(draft, { log, maxRisk }, context)
}

function countQueries(draft: Draft | PartsDraft): number | undefined {
  if (draft.kind !== "rows") return undefined
  const { log, order, queries } = draft.rows
  const seen = new Uint8Array(queries.offsets.length)
  let count = 0
  for (let i = 0; i < order.length; i++) {
    const query = log.query[order[i] ?? 0] ?? 0
    if (seen[query] !== 0) continue
    seen[query] = 1
    count++
  }
  return count
}
