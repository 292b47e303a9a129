import { isDeepStrictEqual } from "node:util"
import { type DpGuarantee, type DpMechanism, dpGuarantee, ledgerNumber } from "../methods/dp-guarantee.ts"
import type { TablesRelease } from "../release/read-release.ts"
import { type Fraction, format, type Ledger, parse, reduce } from "./dp-fractions.ts"
import { korolovaLedger } from "./dp-korolova.ts"

type OptionValues = TablesRelease["manifest"]["parameters"]

const tableNames = ["queries", "clicks", "transitions"]
const maxima: Record<string, string> = {
  queries: "maxQueries",
  clicks: "maxClicks",
  transitions: "maxTransitions",
}

/** Says why the guarantee does not follow from the parameters; undefined if it does. Everything is computed again. */
export function ledgerProblem({ manifest }: TablesRelease<DpGuarantee>): string | undefined {
  const { parameters, guarantee, method } = manifest
  const { mode, unit, pool, parametersChosenOnData, mechanisms } = guarantee
  if (method !== "counts" || mode !== parameters.mode) return "method or mode"
  if (parametersChosenOnData !== parameters.chosenOnData) return "parametersChosenOnData"
  if (!isPool(pool, mode)) return "pool"
  if (!isCountable(parameters, mode)) return "parameters that give no ledger"
  const expected =
    mode === "paper"
      ? paperLedger(parameters, unit)
      : mode === "korolova"
        ? korolovaLedger(parameters, guarantee)
        : provedLedger(parameters, guarantee)
  if (expected === undefined) return "parameters that give no ledger"
  const promised = dpGuarantee({
    unit,
    mode,
    epsilon: format(expected.epsilon),
    delta: format(expected.delta),
    pool,
    mechanisms: expected.mechanisms,
    parametersChosenOnData,
  })
  for (const [i, mechanism] of mechanisms.entries()) {
    if (!isDeepStrictEqual(mechanism, promised.mechanisms[i])) return `the mechanism of ${mechanism.table}`
  }
  return isDeepStrictEqual(guarantee, promised) ? undefined : "totals or wording"
}

/** True for a name that a method gives its public keys. Pure mode shows no other keys, so it always has some. */
const isPool = (pool: string, mode: DpGuarantee["mode"]): boolean =>
  pool === "none" ? mode !== "pure" : /^(wordnet|sha256:[0-9a-f]{64})$/.test(pool)

/** True if the parameters that should be integers are integers in range. A manifest may contain anything. */
function isCountable(parameters: OptionValues, mode: DpGuarantee["mode"]): boolean {
  const bounds = ["maxQueries", "maxClicks", "maxTransitions", "maxPerKey", "minUsers"]
  const first = ["firstQueries", "firstClicks"]
  const names = mode === "paper" ? ["cutoff", ...first] : mode === "korolova" ? first : bounds
  const small = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1e9
  return names.every((name) => small(parameters[name])) && /^[0-9]{1,6}(,[0-9]{1,6}){2}$/.test(String(parameters.split))
}

function provedLedger(parameters: OptionValues, { mode, unit, mechanisms: said }: DpGuarantee): Ledger | undefined {
  const epsilon = parse(parameters.epsilon)
  const delta = mode === "pure" ? ([0n, 1n] as const) : parse(parameters.delta)
  const weights = String(parameters.split).split(",").map(Number)
  if (epsilon === undefined || delta === undefined || weights.length !== 3) return undefined
  // In pure mode there are clicks only with a public list of urls, which the owner keeps.
  const tables = tableNames.filter(
    (table, i) => weights[i] > 0 && (mode === "approximate" || said.some((one) => one.table === table)),
  )
  const sum = BigInt(tables.reduce((all, table) => all + weights[tableNames.indexOf(table)], 0))
  const mechanisms = tables.map((table): DpMechanism | undefined => {
    const weight = BigInt(weights[tableNames.indexOf(table)])
    const [l0, perKey] = [Number(parameters[maxima[table]]), Number(parameters.maxPerKey)]
    const own = {
      epsilon: reduce(epsilon[0] * weight, epsilon[1] * sum),
      delta: reduce(delta[0] * weight, delta[1] * sum),
    }
    const scale = reduce(BigInt(l0 * perKey) * own.epsilon[1], own.epsilon[0])
    const held = said.find((one) => one.table === table)
    if (held === undefined) return undefined
    const isOptimal = mode === "approximate" && parameters.select === "optimal"
    const tau = mode === "pure" ? null : held.tau
    if (tau !== null && !isLeastThreshold(tau, { ...own, l0, perKey, isOptimal })) return undefined
    const minUsers = mode === "pure" ? 0 : Number(parameters.minUsers)
    // A public threshold protects nobody, so any value is allowed. But it must be the requested one.
    const given = parameters.threshold === undefined ? held.threshold : Number(parameters.threshold)
    return {
      table,
      unit,
      keys: mode === "pure" ? "public" : "log",
      noise: isOptimal ? "truncated-geometric" : "discrete-laplace",
      l0,
      perKey,
      l1: l0 * perKey,
      scale: format(scale),
      minUsers,
      tau,
      threshold: tau === null ? given : tau + perKey * (minUsers - 1),
      epsilon: format(own.epsilon),
      delta: format(own.delta),
    }
  })
  const found = mechanisms.filter((mechanism) => mechanism !== undefined)
  return found.length === mechanisms.length ? { epsilon, delta, mechanisms: found } : undefined
}

/**
 * True if τ is the smallest threshold that keeps δ: the chance that any of one user's ℓ₀ keys is shown is at most δ at
 * τ, and more at τ − 1. Computed in floating point, so both with a margin of 10⁻⁹.
 */
function isLeastThreshold(
  tau: number,
  options: { epsilon: Fraction; delta: Fraction; l0: number; perKey: number; isOptimal: boolean },
): boolean {
  const { l0, perKey, isOptimal } = options
  const [epsilon, delta] = [options.epsilon, options.delta].map((value) => ledgerNumber(format(value)))
  const rate = epsilon / (l0 * perKey)
  const a = Math.exp(-rate)
  const oneKey = (m: number) =>
    isOptimal
      ? ((1 - a) * Math.exp(-rate * m)) / (1 + a - 2 * Math.exp(-rate * (m + 1)))
      : Math.exp(-rate * m) / (1 + a)
  const any = (m: number) => -Math.expm1(l0 * Math.log1p(-Math.min(1, oneKey(m))))
  const m = isOptimal ? tau - 1 : tau - perKey
  return m >= 0 && any(m) <= delta * (1 + 1e-9) && (m === 0 || any(m - 1) >= delta * (1 - 1e-9))
}

function paperLedger(parameters: OptionValues, unit: DpGuarantee["unit"]): Ledger | undefined {
  const scale = parse(parameters.noiseScale)
  const { cutoff, firstQueries, firstClicks } = parameters
  if (scale === undefined) return undefined
  const mechanism = (table: string, most: number, threshold: number | null): DpMechanism => ({
    table,
    unit,
    keys: "log",
    noise: "discrete-laplace",
    l0: most,
    perKey: most,
    l1: most,
    scale: format(scale),
    minUsers: 0,
    tau: null,
    threshold,
    epsilon: format(reduce(BigInt(most) * scale[1], scale[0])),
    delta: "1",
  })
  const mechanisms = [
    mechanism("queries", Number(firstQueries), Number(cutoff) + 1),
    mechanism("clicks", Number(firstClicks), null),
    mechanism("transitions", Math.max(1, Number(firstQueries) - 1), null),
  ]
  const all = BigInt(mechanisms.reduce((sum, { l1 }) => sum + l1, 0))
  return { epsilon: reduce(all * scale[1], scale[0]), delta: [1n, 1n], mechanisms }
}
