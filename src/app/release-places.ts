import { Type } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { QueryveilError } from "../kernels/error.ts"
import { exactAmount } from "../release/budget-ledger.ts"
import { fileFormats } from "../release/manifest.ts"
import type { WriteOptions } from "../release/write-release.ts"

/** A file that adds up the cost of all releases of a log. */
export interface LedgerChoice {
  file: string
  /** The most ε that all releases of this log may cost. Required the first time. */
  budget?: string | number | undefined
  /** The most δ (default 0.001). It can be set only the first time. */
  deltaBudget?: string | number | undefined
  /** The name of the log in the ledger (default: its fingerprint). */
  name?: string | undefined
}

/** Where to write a release, and what it must pass first. */
export interface ReleasePlaces extends WriteOptions {
  /** Folder of the release. */
  folder: string
  /** Pays for a release that costs privacy budget, and refuses to overspend. */
  ledger?: LedgerChoice | undefined
  /**
   * The limit on the gain of an attack over a guess. Rows are attacked before they are written; nothing is written if
   * an attack may gain more.
   */
  maxRisk?: number | undefined
  /** Private paths, such as that of a cache, that must not be inside the release. */
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

/** Refuses what the command line would refuse. A misspelt `ledger` or `maxRisk` would be a check that never runs. */
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

/** Refuses a ledger or a risk that this method does not use. The caller would believe that it was checked. */
export function refuseMisplaced(
  method: { isTables: boolean; costs: boolean; isProved: boolean },
  { ledger, maxRisk }: ReleasePlaces,
): void {
  if (ledger !== undefined && !method.costs)
    throw new QueryveilError("usage", "--ledger is for methods that spend a privacy budget. Leave it out.")
  if (ledger !== undefined && !method.isProved)
    throw new QueryveilError(
      "usage",
      "--mode paper has no proved privacy loss that a budget could count. Leave out --ledger.",
    )
  if (maxRisk !== undefined && method.isTables)
    throw new QueryveilError("usage", "--max-risk is for methods that release rows. Leave it out.")
}
