import { Type } from "#typebox"
import { reserveFile } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { definedOf, type OptionValues } from "../release/anonymize.ts"
import { checkExplain, type ExplainedQuery, explainAny } from "../release/explain.ts"
import type { MethodChoice, MethodName } from "../release/method-options.ts"
import { refusePrivate } from "../release/write-release.ts"
import { drawCores } from "./draw-cores.ts"
import { listWarnings, openLog } from "./open-log.ts"
import { checkOptions, forceOption, type GivenOptions, logOptions } from "./options.ts"

export const explainOptions = Type.Object({
  query: Type.String({ description: "a query of the log" }),
  svg: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "draw the queries around it as SVG to this file; affinity only (private)",
    }),
  ),
  force: forceOption("drawing"),
  ...logOptions.properties,
})

/** The query to explain, how to read the log, and where to write a drawing. */
export interface ExplainQueryOptions extends GivenOptions<typeof explainOptions> {
  /** The full text of a query of the log; case and spaces do not matter. */
  query: string
}

/** Why a query is in a release or is not. Private. */
export interface Explained extends ExplainedQuery {
  /** The file of the drawing, if one was requested. */
  svg?: string
  warnings: string[]
}

/** Explains why a method releases a query of a log or does not, as `queryveil explain` does. Releases nothing. */
export function explainQuery<M extends MethodName>(
  log: string | readonly string[],
  choice: MethodChoice<M>,
  options: ExplainQueryOptions,
  context: RunContext = createContext(),
): Promise<Explained> {
  const { method, preset, ...given } = choice
  return explainQueryAny(log, { ...definedOf(given), method, ...(preset && { preset }) }, options, context)
}

/** `explainQuery` for a method whose name is known only at run time. */
export async function explainQueryAny(
  log: string | readonly string[],
  choice: { method: string; preset?: "paper" } & OptionValues,
  options: ExplainQueryOptions,
  given: RunContext,
): Promise<Explained> {
  const { query = "", svg, force = false, ...reading } = checkOptions("explainQuery", explainOptions, options)
  const { parameters } = checkExplain(choice) // refuses impossible options before the log is read
  if (svg !== undefined) {
    if (choice.method !== "affinity")
      throw new QueryveilError("usage", "--svg is for affinity: no other method compares queries.", { flag: "--svg" })
    await refusePrivate(svg)
    await reserveFile(svg, { force })
  }
  const { context, warnings } = listWarnings(given)
  const read = await openLog(log, reading, context)
  const found = await explainAny(read.log, choice, query, context)
  stopIfCancelled(context)
  if (svg !== undefined) {
    const drawing = drawCores(found, { theta: Number(parameters.theta) })
    await writeFileWhole(svg, drawing, { mode: 0o600, replace: force })
  }
  return { ...found, ...(svg !== undefined && { svg }), warnings }
}
