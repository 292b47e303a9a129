import { type Static, Type } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { parseSecret } from "../../swapper/dealing-secret.ts"
import { swapperOptions } from "../../swapper/options.ts"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import { endsWithCell, nameLifetimes } from "../name-lifetime.ts"
import { type RepeatRule, repeatRules } from "../swap-guarantee.ts"

/** Column policies of swap. The user column is swapped; a record may keep its own time. */
export const swapColumns = Type.Object({
  users: Type.Enum([...nameLifetimes], {
    default: "cell",
    description: [
      "let a name last one cell, a session (30 idle minutes), a UTC day",
      "or for ever (pseudonym: nothing is promised); drop names; or keep the log's ids (not safe to publish)",
    ].join(" "),
  }),
  time: Type.Enum(["hour", "day", "exact", "drop", "own"], {
    default: "hour",
    description: [
      "show when a cell closed, cut to the hour or day, exactly, or not at all;",
      "or show the search's own time (own), which voids the promise",
    ].join(" "),
  }),
  category: Type.Boolean({
    default: false,
    description: "show the topic within which users were swapped",
  }),
})

/** Default mean delay, in hours. */
export const usualDelay = 24

/** Options for how a log is cut into categories and its users are swapped. */
export const swapOptions = Type.Object({
  ...swapperOptions.properties,
  repeats: Type.Optional(
    Type.Enum([...repeatRules], {
      description: [
        "release a repeated query again (keep), withhold it for its user (once) or for everybody (never)",
        "(default keep in paper mode and where names last one cell, otherwise never)",
      ].join(" "),
    }),
  ),
  depth: Type.String({
    default: "6",
    placeholder: "n|auto",
    description: "swap users within topics of this level; auto: as deep as --max-delay allows, branch by branch",
  }),
  maxDelay: Type.Number({
    default: usualDelay,
    minimum: 0,
    description: "with --depth auto: let searches of a topic wait this many hours on average",
  }),
  minQueryUsers: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "require this many users of a query before it is released",
  }),
  dealingKey: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: [
        "strict: deal cells under the key in this file, such as dealing.tsv of an audit,",
        "to make the same cells again; the release says seeded and is not for publication (default a fresh key)",
      ].join(" "),
    }),
  ),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
  ...swapColumns.properties,
})

export type SwapOptions = Static<typeof swapOptions>

/** The level as a number; undefined for `auto`. */
export function depthOf({ depth }: Pick<SwapOptions, "depth">): number | undefined {
  if (depth === "auto") return undefined
  const level = Number(depth)
  if (Number.isInteger(level) && level >= 1 && level <= 255) return level
  throw new QueryveilError("option-value", `--depth ${depth}: expected a whole number from 1 to 255, or auto.`, {
    flag: "--depth",
  })
}

/**
 * Fills in the repeat rule. If names last longer than a cell, the cells of one text could be compared. Then, by
 * default, a text leaves with one cell only.
 */
export function settleRepeats(options: SwapOptions): SwapOptions & { repeats: RepeatRule } {
  const { mode, users, repeats = mode === "paper" || endsWithCell(users) ? "keep" : "never" } = options
  return { ...options, repeats }
}

/**
 * Refuses `--repeats never` and `--dealing-key` in paper mode, because they need cells. Also refuses a dealing key that
 * cannot be read.
 */
export function checkSwap({ mode, repeats, dealingKey }: Pick<SwapOptions, "mode" | "repeats" | "dealingKey">): void {
  if (mode === "paper" && repeats === "never") throw withoutCells("--repeats", "--repeats never")
  if (mode === "paper" && dealingKey !== undefined) throw withoutCells("--dealing-key", "--dealing-key")
  if (dealingKey !== undefined) parseSecret(dealingKey)
}

const withoutCells = (flag: string, given: string) =>
  new QueryveilError("option-value", `${given}: needs cells, which --mode paper does not have.`, { flag })
