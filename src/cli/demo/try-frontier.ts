import { Value } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { ReadResult } from "../../log/parse-sources.ts"
import type { Truth } from "../../release/truth.ts"
import { advise } from "../../study/advise/advise.ts"
import { frontierStudy } from "../../study/frontier/frontier-study.ts"
import { readFrontier } from "../../study/frontier/rows.ts"
import { runStudy } from "../../study/run-study.ts"
import type { Figure } from "../../study/study.ts"
import { anonymizeWords } from "../anonymize-words.ts"
import { shellCommand } from "../shell-words.ts"

export interface TriedFrontier {
  chart: Figure
  /** Which release to take, in three sentences, or that none is safe enough. */
  reasons: readonly string[]
  command: string
}

/** A coarse frontier of the log, written as a study, and what `advise` would say of it. */
export async function tryFrontier(
  { log, intake }: ReadResult,
  { folder, truth }: { folder: string; truth: Truth },
  context: RunContext,
): Promise<TriedFrontier> {
  const study = frontierStudy
  const use = "suggestions"
  const options = Value.Parse(study.options, Value.Default(study.options, { coarse: true, use }))
  const run = { study, options, seed: 1, input: "demo", subject: { log, truth, intake } }
  const { results } = await runStudy(folder, run, context)
  const [chart] = study.figures(results, options)
  if (chart === undefined) throw new Error("the frontier has no chart")
  const maxRisk = 0.05
  const { chosen, reasons } = advise(readFrontier(results), { use, maxRisk })
  if (chosen === undefined)
    return { chart, reasons: ["No release was safe enough."], command: "queryveil advise log.tsv" }
  return { chart, reasons, command: shellCommand(anonymizeWords(chosen.row.point, { paths: ["log.tsv"], maxRisk })) }
}
