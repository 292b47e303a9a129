import { type AdviceOptions, advise } from "../study/advise/advise.ts"
import { parametersOf } from "../study/frontier/point.ts"
import type { Risk } from "../study/frontier/risk.ts"
import { type Comparable, readFrontier, type UseValue } from "../study/frontier/rows.ts"
import type { Point, PointResult } from "../study/study.ts"
import { anonymizeWords } from "./anonymize-words.ts"
import type { LogOptions } from "./options.ts"
import { readWords, shellCommand } from "./shell-words.ts"

/** A release that could be made, with its risk and its usefulness. */
export interface ReleaseOption {
  /** Method and parameters, for readers. */
  name: string
  method: string
  parameters: Point
  risk: Risk
  use: UseValue
}

/** The release to make, and the runners-up. */
export interface ChosenRelease {
  /** Undefined if no release is within the bound. */
  chosen?: ReleaseOption
  /** The release with the lowest risk; undefined if no release could be judged. */
  safest?: ReleaseOption
  /** The runners-up, and whether risk or use speaks against each. */
  alternatives: (ReleaseOption & { why: "risk" | "use" })[]
  /** Three sentences: what the release keeps, what the strongest attack achieved, and why the alternatives lost. */
  reasons: string[]
  /** The command that makes the release. */
  command?: string
}

/** What the release is for, how much risk is acceptable, and the log as the command should name it. */
export interface ChoiceOptions extends AdviceOptions {
  log: string | readonly string[]
  /** How the log was read. */
  reading?: LogOptions
}

/** Chooses the most useful release whose risk is within the bound, among the points of the study `frontier`. */
export async function chooseRelease(results: readonly PointResult[], options: ChoiceOptions): Promise<ChosenRelease> {
  const { use, maxRisk, log, reading = {} } = options
  const { chosen, safest, alternatives, reasons } = advise(readFrontier(results), { use, maxRisk })
  const words = { paths: [log].flat(), read: readWords(reading), maxRisk }
  return {
    ...(chosen && { chosen: summarise(chosen) }),
    ...(safest && { safest: summarise(safest) }),
    alternatives: alternatives.map(({ option, why }) => ({ ...summarise(option), why })),
    reasons,
    ...(chosen && { command: shellCommand(anonymizeWords(chosen.row.point, words)) }),
  }
}

function summarise({ row, risk, use }: Comparable): ReleaseOption {
  const name = `${row.series} with ${row.parameters}`
  return { name, method: String(row.point.method), parameters: parametersOf(row.point), risk, use }
}
