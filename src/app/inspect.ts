import { Type } from "#typebox"
import { reserveFile } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { describeReading } from "../log/formats/reading.ts"
import { gatherShapes } from "../log/identifier-shapes.ts"
import { type Inspection, inspectLog } from "../log/inspect-log.ts"
import type { Intake } from "../log/intake.ts"
import { refusePrivate } from "../release/write-release.ts"
import { inspectPage } from "../study/inspect/inspect-page.ts"
import { tokenOptions } from "../text/tokens.ts"
import { type LogPlace, listWarnings, openLog } from "./open-log.ts"
import { checkOptions, forceOption, type GivenOptions, logOptions } from "./options.ts"

export const inspectOptions = Type.Object({
  ...tokenOptions.properties,
  html: Type.Optional(Type.String({ placeholder: "file", description: "write a page with figures (private)" })),
  force: forceOption("page"),
  ...logOptions.properties,
})

/** How to read the log, how to split its queries into words, and where to write a page with figures. */
export interface InspectFilesOptions extends GivenOptions<typeof inspectOptions> {}

/** A description of a log, and how it was read. */
export interface Inspected extends Inspection {
  /** How each column was read. */
  read: Intake["read"]
  unit: Intake["unit"]
  /** The page, if one was requested. */
  html?: string
  warnings: string[]
}

/** Describes a log in counts, from its files or as it was read before, as `queryveil inspect` does. */
export async function inspect(
  log: LogPlace,
  options: InspectFilesOptions = {},
  given: RunContext = createContext(),
): Promise<Inspected> {
  const { tokens, html, force = false, ...reading } = checkOptions("inspect", inspectOptions, options)
  const { context, warnings } = listWarnings(given)
  if (html !== undefined) {
    await refusePrivate(html)
    await reserveFile(html, { force })
  }
  const read = await openLog(log, reading, context)
  const inspection = await inspectLog(read.log, { ...(tokens && { tokens }) }, context)
  if (html !== undefined) {
    const { unit } = read.intake
    const readings = read.intake.read.map((reading) => describeReading(reading, unit))
    const shapes = await gatherShapes(read.log, context)
    const page = await inspectPage(inspection, { created: new Date(context.now()), readings, unit, shapes })
    stopIfCancelled(context)
    await writeFileWhole(html, page, { mode: 0o600, replace: force })
  }
  const { read: columns, unit } = read.intake
  return { read: columns, unit, ...inspection, ...(html !== undefined && { html }), warnings }
}
