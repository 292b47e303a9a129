import { QueryveilError } from "../../kernels/error.ts"
import { approximate, type Rational, rationalOf } from "../../kernels/noise/rational.ts"
import type { Unit } from "../../log/search-log.ts"
import type { DpMechanism } from "../dp-guarantee.ts"
import { formatFraction, fraction, over, plus, times, whole, zero } from "./fractions.ts"
import { type CountsOptions, type TableName, tableNames } from "./options.ts"
import { laplaceThreshold, truncation } from "./thresholds.ts"

/** Noise and threshold of one table, as a ledger says them and as they are used. */
export interface Mechanism {
  table: TableName
  keys: "log" | "public"
  l0: number
  perKey: number
  scale: Rational
  /** Draws beyond it are drawn again: truncated geometric noise. */
  truncation: number | undefined
  minUsers: number
  tau: number | undefined
  /** Least noisy count that is shown; undefined: all are. */
  threshold: number | undefined
  epsilon: Rational
  delta: Rational
}

/** The mechanisms of a release, and what they cost together. */
export interface Plan {
  mechanisms: Mechanism[]
  epsilon: Rational
  delta: Rational
}

const maxima = { queries: "maxQueries", clicks: "maxClicks", transitions: "maxTransitions" } as const

/** What the options give for each table. Nothing of the log enters. */
export function planApproximate(options: CountsOptions): Plan {
  const epsilon = positive(options.epsilon, "--epsilon")
  const delta = positive(options.delta, "--delta")
  if (delta.numerator >= delta.denominator) throw wrong("--delta", "must be less than 1")
  if (approximate(delta) < 1e-200) throw wrong("--delta", "must be at least 1e-200; --mode pure has none")
  if (options.select === "optimal" && options.maxPerKey > 1)
    throw new QueryveilError("usage", "--select optimal is for --max-per-key 1. Leave one of the two out.", {
      flag: "--select",
    })
  const mechanisms = shares(options, tableNames).map(({ table, share }): Mechanism => {
    const own = {
      epsilon: times(epsilon, share),
      delta: times(delta, share),
      l0: options[maxima[table]],
      perKey: options.maxPerKey,
    }
    const scale = scaleOf(own)
    const cut = options.select === "optimal" ? truncation(own) : undefined
    const tau = cut === undefined ? laplaceThreshold(own) : cut + 1
    return {
      table,
      keys: "log",
      ...own,
      scale,
      truncation: cut,
      minUsers: options.minUsers,
      tau,
      threshold: tau + own.perKey * (options.minUsers - 1),
    }
  })
  return { mechanisms, epsilon, delta }
}

/** Tables of public keys: noise on every key, and a threshold that is public too, `thresholdOf` how many keys there are. */
export function planPure(
  options: CountsOptions,
  { tables, thresholdOf }: { tables: readonly TableName[]; thresholdOf: (table: TableName, scale: Rational) => number },
): Plan {
  const epsilon = positive(options.epsilon, "--epsilon")
  if (options.delta !== undefined) throw wrong("--delta", "is 0 with --mode pure. Leave it out")
  const mechanisms = shares(options, tables).map(({ table, share }): Mechanism => {
    const own = { epsilon: times(epsilon, share), l0: options[maxima[table]], perKey: options.maxPerKey }
    const scale = scaleOf(own)
    return {
      table,
      keys: "public",
      ...own,
      delta: zero,
      scale,
      truncation: undefined,
      minUsers: 0,
      tau: undefined,
      threshold: thresholdOf(table, scale),
    }
  })
  return { mechanisms, epsilon, delta: zero }
}

/** As published: one scale for all counts; what each table would cost if its keys were public. */
export function planPaper(options: CountsOptions): Plan {
  const scale = positive(options.noiseScale, "--noise-scale")
  if (approximate(scale) > largestScale) throw wrong("--noise-scale", "must be at most 2^40")
  const { cutoff, firstQueries, firstClicks } = options
  if (cutoff === undefined || firstQueries === undefined || firstClicks === undefined)
    throw new QueryveilError(
      "usage",
      "--mode paper needs --noise-scale, --cutoff, --first-queries and --first-clicks: the paper's b, K, q_f and c_f.",
    )
  const mechanism = (table: TableName, most: number, threshold: number | undefined): Mechanism => ({
    table,
    keys: "log",
    l0: most,
    perKey: most,
    scale,
    truncation: undefined,
    minUsers: 0,
    tau: undefined,
    threshold,
    epsilon: over(whole(most), scale),
    delta: whole(1),
  })
  const mechanisms = [
    mechanism("queries", firstQueries, cutoff + 1),
    mechanism("clicks", firstClicks, undefined),
    mechanism("transitions", Math.max(1, firstQueries - 1), undefined),
  ]
  return { mechanisms, epsilon: mechanisms.map(({ epsilon }) => epsilon).reduce(plus), delta: whole(1) }
}

/** Of larger scales nothing is drawn; thresholds stay far below 2⁵³, where whole numbers end. */
const largestScale = 2 ** 40

/** ℓ₀c/ε. */
function scaleOf({ epsilon, l0, perKey }: Pick<Mechanism, "epsilon" | "l0" | "perKey">): Rational {
  const scale = over(whole(l0 * perKey), epsilon)
  if (approximate(scale) <= largestScale) return scale
  throw wrong("--epsilon", "is too small for what one user may add: the noise would be larger than 2^40")
}

/** The parts of ε and δ that the tables get: weights over their sum, so that the parts add up to the whole exactly. */
function shares(options: CountsOptions, tables: readonly TableName[]): { table: TableName; share: Rational }[] {
  const weights = options.split.split(",").map(Number)
  const weightOf = (table: TableName) => weights[tableNames.indexOf(table)]
  if (weightOf("queries") === 0)
    throw wrong("--split", "must give the queries a share: the other tables are of released queries")
  const spent = tables.filter((table) => weightOf(table) > 0)
  const sum = spent.reduce((all, table) => all + weightOf(table), 0)
  return spent.map((table) => ({ table, share: fraction(BigInt(weightOf(table)), BigInt(sum)) }))
}

function positive(text: string | undefined, flag: string): Rational {
  if (text === undefined) throw new QueryveilError("usage", `${flag} is missing: it has no default.`, { flag })
  const value = /^[0-9]+(\.[0-9]*)?(e[+-]?[0-9]{1,3})?$/i.test(text) ? rationalOf(text) : zero
  if (value.numerator > 0n) return value
  throw wrong(flag, `${text}: expected a decimal number of more than 0`)
}

function wrong(flag: string, what: string): QueryveilError {
  return new QueryveilError("option-value", `${flag} ${what}.`, { flag })
}

/** A mechanism as its ledger says it. */
export function describeMechanism(mechanism: Mechanism, unit: Unit): DpMechanism {
  const { table, keys, l0, perKey, minUsers, tau, threshold } = mechanism
  return {
    table,
    unit,
    keys,
    noise: mechanism.truncation === undefined ? "discrete-laplace" : "truncated-geometric",
    l0,
    perKey,
    l1: keys === "log" && mechanism.delta.numerator === mechanism.delta.denominator ? l0 : l0 * perKey,
    scale: formatFraction(mechanism.scale),
    minUsers,
    tau: tau ?? null,
    threshold: threshold ?? null,
    epsilon: formatFraction(mechanism.epsilon),
    delta: formatFraction(mechanism.delta),
  }
}
