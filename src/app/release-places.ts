import { Type } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { QueryveilError } from "../kernels/error.ts"
import { exactAmount } from "../release/budget-ledger.ts"
import { fileFormats } from "../release/manifest.ts"
import type { WriteOptions } from "../release/write-release.ts"

/** A file that counts what all releases of a log cost together. */
export interface LedgerChoice {
  file: string
  /** Most ε that all releases of this log may cost; needed the first time. */
  budget?: string | number | undefined
  /** Most δ (default 0.001); it can be chosen only the first time. */
  deltaBudget?: string | number | undefined
  /** The name of the log in the ledger (default: its fingerprint). */
  name?: string | undefined
}

/** Where a release goes, and what it must pass before it is written. */
export interface ReleasePlaces extends WriteOptions {
  /** Folder of the release. */
  folder: string
  /** Pays for a release that costs a privacy budget; refuses to overspend. */
  ledger?: LedgerChoice | undefined
  /** Rows are attacked before they are written. Nothing is written if an attack may gain more over a guess than this. */
  maxRisk?: number | undefined
  /** Private places, such as that of a cache, that must not be inside the release. */
  keepApart?: readonly string[] | undefined
}

const placesSchema = Type.Object({
  folder: Type.String(),
  to: Type.Optional(Type.Enum([...fileFormats])),
  escapeFormulas: Type.Optional(Type.Boolean()),
  audit: Type.Optional(Type.String()),
  force: Type.Optional(Type.Boolean()),
  ledger: Type.Optional(Type.Object({})),
  maxRisk: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  keepApart: Type.Optional(Type.Array(Type.String())),
})

const amount = Type.Optional(Type.Union([Type.String(), Type.Number()]))
const ledgerSchema = Type.Object({
  file: Type.String(),
  budget: amount,
  deltaBudget: amount,
  name: Type.Optional(Type.String()),
})

/** Refuses what the command line would: a misspelt `ledger` or `maxRisk` would be a check that nobody made. */
export function checkPlaces(places: ReleasePlaces): void {
  refuseUnknownOption("release", places, Object.keys(placesSchema.properties))
  refuseWrongValue("release", placesSchema, withoutUndefined(places))
  const { ledger } = places
  if (ledger === undefined) return
  refuseUnknownOption("ledger", ledger, Object.keys(ledgerSchema.properties))
  refuseWrongValue("ledger", ledgerSchema, withoutUndefined(ledger))
  if (ledger.budget !== undefined) exactAmount(`${ledger.budget}`, "--budget")
  if (ledger.deltaBudget !== undefined) exactAmount(`${ledger.deltaBudget}`, "--delta-budget")
}

const withoutUndefined = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** Refuses a ledger or a risk that this method has no use for: the caller would believe that it was checked. */
export function refuseMisplaced(
  method: { isTables: boolean; costs: boolean; isProved: boolean },
  { ledger, maxRisk }: ReleasePlaces,
): void {
  if (ledger !== undefined && !method.costs)
    throw new QueryveilError("usage", "--ledger is for methods that spend a privacy budget. Leave it out.")
  if (ledger !== undefined && !method.isProved)
    throw new QueryveilError("usage", "--mode paper proves nothing that a budget could count. Leave --ledger out.")
  if (maxRisk !== undefined && method.isTables)
    throw new QueryveilError("usage", "--max-risk is for methods that release rows. Leave it out.")
}
