import { type Static, Type } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { frequentUsers } from "../../log/ngram-statistics.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { tokenOptions } from "../../text/tokens.ts"
import type { AffinityParameters } from "./affinity-graph.ts"

/** What decides which queries are affine. */
export const graphOptions = Type.Object({
  theta: Type.Number({
    default: 0.9,
    minimum: 0.05,
    maximum: 1,
    description: "how similar affine queries are: the least cosine of their concepts",
  }),
  minConceptUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "users that make words a concept (default: k, and at least one in ten thousand of all users)",
    }),
  ),
  minTermUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "users that every word of a query needs before similar queries protect it (default: as for a concept)",
    }),
  ),
  conceptRule: Type.Enum(["safe", "paper"], {
    default: "safe",
    description: "the default for concepts: at least k users too, or one in ten thousand alone",
  }),
  functionWords: Type.String({
    default: "english",
    placeholder: "file|english|none",
    fromFile: "words",
    unless: ["english", "none"],
    description: "words that are no concept by themselves: a file with one a line, the English ones, or none",
  }),
  ...tokenOptions.properties,
})

/** §3.4: degrees from the surroundings of a query alone. */
const approximateOptions = Type.Object({
  approximate: Type.Optional(
    Type.Boolean({ description: "look only at the surroundings of a query: degrees may be found too low" }),
  ),
  vmax: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "with --approximate: how many queries with different concepts to look at around one (default: 2000)",
    }),
  ),
})

/** How affinity compares queries and selects them. */
export const affinityOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "users that a query and the released queries affine to it must have together",
  }),
  ...graphOptions.properties,
  ...approximateOptions.properties,
  queries: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: "with --approximate: release none but these queries, one a line",
    }),
  ),
  sample: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "with --approximate: release none but so many queries, drawn at random; the receipt has the paper's estimate",
    }),
  ),
})

export type AffinityOptions = Static<typeof affinityOptions>

export const defaultVmax = 2000

/** The numbers that the options give for a log. */
export function affinityParameters(
  options: Pick<AffinityOptions, "k"> & Static<typeof graphOptions>,
  log: SearchLog,
): AffinityParameters {
  const share = frequentUsers(log.users.size)
  const minConceptUsers =
    options.minConceptUsers ?? (options.conceptRule === "paper" ? share : Math.max(options.k, share))
  const { theta, functionWords, tokens } = options
  return { theta, functionWords, tokens, minConceptUsers, minTermUsers: options.minTermUsers ?? minConceptUsers }
}

/** What belongs to the approximate mode is not to be said without it: it would do nothing. */
export function refuseWithoutApproximate({ approximate, vmax, queries, sample }: AffinityOptions): void {
  const given = Object.entries({ vmax, queries, sample }).find(([, value]) => value !== undefined)
  if (approximate === true || given === undefined) return
  throw new QueryveilError("usage", `--${given[0]} is for the approximate mode. Add --approximate, or leave it out.`, {
    flag: `--${given[0]}`,
  })
}
