import { Type, Value } from "#typebox"
import { reserveFile } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { affinity } from "../methods/affinity/affinity.ts"
import type { AffinityParameters } from "../methods/affinity/affinity-graph.ts"
import { explainQuery, type QueryExplanation } from "../methods/affinity/explain-query.ts"
import {
  affinityOptions,
  affinityParameters,
  approximateOptions,
  defaultVmax,
  graphOptions,
} from "../methods/affinity/options.ts"
import { scrubLog, scrubRuleOf } from "../release/scrub.ts"
import { refusePrivate } from "../release/write-release.ts"
import { type IdentifierKind, kindBit, kindsIn } from "../text/identifiers/kinds.ts"
import { detectKinds } from "../text/identifiers/registry.ts"
import { exemptOption, scrubOption } from "../text/identifiers/scrub-option.ts"
import { normaliseQuery } from "../text/normalise.ts"
import { drawCores } from "./draw-cores.ts"
import { listWarnings, openLog } from "./open-log.ts"
import { checkOptions, forceOption, type GivenOptions, logOptions, pickOptions } from "./options.ts"

export const affinityGraphOptions = Type.Object({ k: affinityOptions.properties.k, ...graphOptions.properties })

export const explainOptions = Type.Object({
  ...affinityGraphOptions.properties,
  ...approximateOptions.properties,
  ...scrubOption(affinity.scrub).properties,
  ...exemptOption.properties,
  svg: Type.Optional(Type.String({ placeholder: "file", description: "a drawing of the queries around it (private)" })),
  force: forceOption("drawing"),
  ...logOptions.properties,
})

/** Neighbours that an explanation lists. */
const shownNeighbours = 50

/** Why affinity treats a query as it does. Private: it holds queries of the log. */
export interface Explained extends QueryExplanation {
  /** The users that are asked for. */
  k: number
  /** Kinds of identifiers that are scrubbed and that the query holds. */
  identifiers: IdentifierKind[]
  /** How many queries are affine to it; the nearest are listed. */
  affine: number
  parameters: AffinityParameters
  /** The drawing, if one was asked for. */
  svg?: string
  warnings: string[]
}

/** Explains the degree of a query of a log, as `queryveil explain affinity` does. */
export async function explainAffinity(
  log: string | readonly string[],
  text: string,
  options: GivenOptions<typeof explainOptions>,
  given: RunContext,
): Promise<Explained> {
  const checked = checkOptions("explainAffinity", explainOptions, options)
  const { svg, force = false, approximate = false, vmax = defaultVmax, scrub = affinity.scrub ?? "none" } = checked
  const { kinds, exempt } = scrubRuleOf({ ...checked, scrub })
  if (svg !== undefined) {
    await refusePrivate(svg)
    await reserveFile(svg, { force })
  }
  const chosen = pickOptions(affinityGraphOptions, checked)
  const graph = Value.Parse(affinityGraphOptions, Value.Default(affinityGraphOptions, chosen))
  const { context, warnings } = listWarnings(given)
  const input = await openLog(log, checked, context)
  // As anonymize does it: concepts are those of the log without identifiers; names are left out afterwards.
  const { log: scrubbed } = await scrubLog(input.log, { kinds: kinds & ~kindBit("person"), exempt }, context)
  const query = scrubbed.queries.find(normaliseQuery(text))
  if (query < 0) {
    throw new QueryveilError(
      "unknown-name",
      "The log has no such query. Give a whole query, as it was searched for; capitals and spaces do not matter.",
    )
  }
  const parameters = affinityParameters(graph, scrubbed)
  const shown = scrubbed.queries.text(query)
  const identifiers = exempt.has(shown) ? [] : kindsIn(detectKinds(shown, kinds))
  const found = await explainQuery(scrubbed, query, { ...parameters, approximate, vmax }, context)
  stopIfCancelled(context)
  if (svg !== undefined) await writeFileWhole(svg, drawCores(found, graph), { mode: 0o600, replace: force })
  return {
    ...found,
    k: graph.k,
    identifiers,
    neighbours: found.neighbours.slice(0, shownNeighbours),
    affine: found.neighbours.length,
    parameters,
    ...(svg !== undefined && { svg }),
    warnings,
  }
}
