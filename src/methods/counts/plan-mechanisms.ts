import { QueryveilError } from "../../kernels/error.ts"
import { approximate, type Rational, rationalOf } from "../../kernels/noise/rational.ts"
import type { Unit } from "../../log/search-log.ts"
import type { DpMechanism } from "../dp-guarantee.ts"
import { formatFraction, fraction, over, plus, times, whole, zero } from "./fractions.ts"
import { type CountsOptions, type TableName, tableNames } from "./options.ts"
import { laplaceThreshold, searchesThreshold, truncation } from "./thresholds.ts"

/** Noise and threshold of one table, as the ledger states them and as the method uses them. */
export interface Mechanism {
  table: TableName
  keys: "log" | "public"
  l0: number
  perKey: number
  /** Most that one user changes all counts together. */
  l1: number
  scale: Rational
  /** If set, noise beyond it is drawn again: truncated geometric noise. */
  truncation: number | undefined
  minUsers: number
  tau: number | undefined
  /** Smallest noisy count that is shown. If undefined, all are shown. */
  threshold: number | undefined
  epsilon: Rational
  delta: Rational
  /** Separate noise that decides which keys are shown. */
  selection?: { scale: Rational; threshold: number }
}

/** The mechanisms of a release, and their total cost. */
export interface Plan {
  mechanisms: Mechanism[]
  epsilon: Rational
  delta: Rational
}

const maxima = { queries: "maxQueries", clicks: "maxClicks", transitions: "maxTransitions" } as const

/** The mechanisms that follow from the options. Does not look at the log. */
export function planApproximate(options: CountsOptions): Plan {
  const epsilon = positive(options.epsilon, "--epsilon")
  const delta = smallDelta(options)
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
      l1: own.l0 * own.perKey,
      scale,
      truncation: cut,
      minUsers: options.minUsers,
      tau,
      threshold: tau + own.perKey * (options.minUsers - 1),
    }
  })
  return { mechanisms, epsilon, delta }
}

/**
 * Plans tables of public keys: noise on every key, and a threshold that is public too. `thresholdOf` gives the
 * threshold of a table for a scale; it depends on how many keys there are.
 */
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
      l1: own.l0 * own.perKey,
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

/**
 * Korolova, Kenthapadi, Mishra & Ntoulas 2009, for a given ε and δ. The first d searches and d_c clicks of each user
 * count. Half of the queries' ε selects them, and half is for their counts: b = b_q = 2d/ε_q. The selection spends δ,
 * which fixes K (`searchesThreshold`). Clicks are counted on public urls, b_c = d_c/ε_c. The proof is in
 * docs/methods/counts.md.
 */
export function planKorolova(
  options: CountsOptions,
  { tables, thresholdOf }: { tables: readonly TableName[]; thresholdOf: (table: TableName, scale: Rational) => number },
): Plan {
  const epsilon = positive(options.epsilon, "--epsilon")
  const delta = smallDelta(options)
  const { firstQueries = 10, firstClicks = 10 } = options
  const mechanisms = shares(options, tables).map(({ table, share }): Mechanism => {
    const isQueries = table === "queries"
    const most = isQueries ? firstQueries : firstClicks
    const own = { table, epsilon: times(epsilon, share), l0: most, perKey: most, l1: most, truncation: undefined }
    const each = isQueries ? over(own.epsilon, whole(2)) : own.epsilon
    const scale = scaleOf({ epsilon: each, l0: most, perKey: 1 })
    if (!isQueries)
      return {
        ...own,
        keys: "public",
        scale,
        delta: zero,
        minUsers: 0,
        tau: undefined,
        threshold: thresholdOf(table, scale),
      }
    const selection = { scale, threshold: searchesThreshold({ scale, delta, searches: most }) }
    return { ...own, keys: "log", scale, delta, minUsers: 1, tau: undefined, threshold: undefined, selection }
  })
  return { mechanisms, epsilon, delta }
}

/** As published: one scale for all counts. The cost is what each table would cost if its keys were public. */
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
    l1: most,
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

function smallDelta({ delta: text }: CountsOptions): Rational {
  const delta = positive(text, "--delta")
  if (delta.numerator >= delta.denominator) throw wrong("--delta", "must be less than 1")
  if (approximate(delta) < 1e-200) throw wrong("--delta", "must be at least 1e-200; --mode pure has none")
  return delta
}

/** No noise is drawn with a larger scale. Thresholds then stay far below 2⁵³, up to which doubles hold all integers. */
const largestScale = 2 ** 40

/** The scale ℓ₀c/ε. */
function scaleOf({ epsilon, l0, perKey }: Pick<Mechanism, "epsilon" | "l0" | "perKey">): Rational {
  const scale = over(whole(l0 * perKey), epsilon)
  if (approximate(scale) <= largestScale) return scale
  throw wrong("--epsilon", "is too small for what one user may add: the noise would be larger than 2^40")
}

/** The parts of ε and δ that the tables get: each weight divided by their sum, so that the parts add up exactly. */
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

/** Describes a mechanism for the ledger. */
export function describeMechanism(mechanism: Mechanism, unit: Unit): DpMechanism {
  const { table, keys, l0, perKey, l1, minUsers, tau, threshold, selection } = mechanism
  return {
    table,
    unit,
    keys,
    noise: mechanism.truncation === undefined ? "discrete-laplace" : "truncated-geometric",
    l0,
    perKey,
    l1,
    scale: formatFraction(mechanism.scale),
    minUsers,
    tau: tau ?? null,
    threshold: threshold ?? null,
    epsilon: formatFraction(mechanism.epsilon),
    delta: formatFraction(mechanism.delta),
    ...(selection === undefined
      ? {}
      : { selection: { scale: formatFraction(selection.scale), threshold: selection.threshold } }),
  }
}
