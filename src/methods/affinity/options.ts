import { type Static, Type } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { frequentUsers } from "../../log/ngram-statistics.ts"
import { tokenOptions } from "../../text/tokens.ts"
import type { AffinityParameters } from "./affinity-graph.ts"

/** Options that decide which queries are affine. */
export const graphOptions = Type.Object({
  theta: Type.Number({
    default: 0.9,
    minimum: 0.05,
    maximum: 1,
    description: "call queries similar from this cosine of their concepts on",
  }),
  minConceptUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "require this many users of a concept (default k, and at least one in ten thousand of all users)",
    }),
  ),
  minTermUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "require this many users of every word of a query before similar queries protect it (default as for a concept)",
    }),
  ),
  conceptRule: Type.Enum(["safe", "paper"], {
    default: "safe",
    description: "require k users of a concept as well, or only one user in ten thousand",
  }),
  functionWords: Type.String({
    default: "english",
    placeholder: "file|english|none",
    fromFile: "words",
    unless: ["english", "none"],
    description: "ignore these words as concepts: a file with one per line, the English ones, or none",
  }),
  ...tokenOptions.properties,
})

/** §3.4: computes degrees from the surroundings of a query alone. */
const approximateOptions = Type.Object({
  approximate: Type.Optional(
    Type.Boolean({ description: "look only at the surroundings of a query; this may release less" }),
  ),
  vmax: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "with --approximate: look at this many queries with different concepts around each (default 2000)",
    }),
  ),
})

/** How affinity compares queries and selects them. */
export const affinityOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "require this many users of a query and the released queries similar to it together",
  }),
  ...graphOptions.properties,
  ...approximateOptions.properties,
  queries: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      private: true,
      description: "with --approximate: release only these queries, one per line",
    }),
  ),
  sample: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "with --approximate: release only this many queries, drawn at random; the receipt has the paper's estimate",
    }),
  ),
})

export type AffinityOptions = Static<typeof affinityOptions>

export const defaultVmax = 2000

/** The numbers that follow from the options for a log. */
export function affinityParameters(
  options: Pick<AffinityOptions, "k"> & Static<typeof graphOptions>,
  log: { users: { size: number } },
): AffinityParameters {
  const share = frequentUsers(log.users.size)
  const minConceptUsers =
    options.minConceptUsers ?? (options.conceptRule === "paper" ? share : Math.max(options.k, share))
  const { theta, functionWords, tokens } = options
  return { theta, functionWords, tokens, minConceptUsers, minTermUsers: options.minTermUsers ?? minConceptUsers }
}

/** Refuses options of the approximate mode without `--approximate`, because they would do nothing. */
export function refuseWithoutApproximate({ approximate, vmax, queries, sample }: AffinityOptions): void {
  const given = Object.entries({ vmax, queries, sample }).find(([, value]) => value !== undefined)
  if (approximate === true || given === undefined) return
  throw new QueryveilError("usage", `--${given[0]} is for the approximate mode. Add --approximate, or leave it out.`, {
    flag: `--${given[0]}`,
  })
}
