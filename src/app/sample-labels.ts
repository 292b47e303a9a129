import { Type } from "#typebox"
import { reserveFile } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { seededRandom } from "../kernels/random.ts"
import { usualSeed } from "../probes/run-probes.ts"
import { drawLabels } from "../release/draw-labels.ts"
import { refusePrivate } from "../release/write-release.ts"
import { listWarnings, openLog } from "./open-log.ts"
import { checkOptions, forceOption, type GivenOptions, logOptions, outputOption, seedOption } from "./options.ts"

export const labelOptions = Type.Object({
  output: outputOption("file", "write the queries to judge to this file (private: it holds queries of the log)"),
  sample: Type.Integer({ default: 5000, minimum: 1, description: "draw this many distinct queries" }),
  seed: seedOption,
  force: forceOption("file"),
  ...logOptions.properties,
})

/** A file of queries to judge. */
export interface SampledLabels {
  file: string
  queries: number
  warnings: string[]
}

/** Draws queries of a log for people to judge, in the format that the option `labels` of other functions reads. */
export async function sampleLabels(
  log: string | readonly string[],
  options: GivenOptions<typeof labelOptions>,
  given: RunContext,
): Promise<SampledLabels> {
  const checked = checkOptions("sampleLabels", labelOptions, options)
  const { output: file, sample = 5000, seed = usualSeed, force = false } = checked
  if (file === undefined) throw new QueryveilError("usage", "sampleLabels: output is missing.", { flag: "--output" })
  const { context, warnings } = listWarnings(given)
  await refusePrivate(file)
  await reserveFile(file, { force })
  const read = await openLog(log, checked, context)
  const text = drawLabels(read.log, { sample }, seededRandom(seed))
  stopIfCancelled(context)
  await writeFileWhole(file, text, { mode: 0o600, replace: force })
  return { file, queries: text.split("\n").length - 2, warnings }
}
