import { type AdviceOptions, advise } from "../study/advise/advise.ts"
import { parametersOf } from "../study/frontier/point.ts"
import type { Risk } from "../study/frontier/risk.ts"
import { type Comparable, readFrontier, type UseValue } from "../study/frontier/rows.ts"
import type { Point, PointResult } from "../study/study.ts"
import { anonymizeWords } from "./anonymize-words.ts"
import type { LogOptions } from "./options.ts"
import { readWords, shellCommand } from "./shell-words.ts"

/** A release that could be made, with what attacks gained and what it is worth. */
export interface ReleaseOption {
  /** Method and parameters, for people. */
  name: string
  method: string
  parameters: Point
  risk: Risk
  use: UseValue
}

/** Which release to make, and what was next best. */
export interface ChosenRelease {
  /** Undefined: no release stays within the bound. */
  chosen?: ReleaseOption
  /** The release of the lowest risk; undefined when none could be judged. */
  safest?: ReleaseOption
  /** The next best, and whether risk or use speaks against it. */
  alternatives: (ReleaseOption & { why: "risk" | "use" })[]
  /** Three sentences: what is kept, what the strongest attack did, what else there was. */
  reasons: string[]
  /** The command that makes the release. */
  command?: string
}

/** What the release is for, how much risk it may have, and the log as the command is to name it. */
export interface ChoiceOptions extends AdviceOptions {
  log: string | readonly string[]
  /** How the log was read. */
  reading?: LogOptions
}

/** Chooses among the points of the study `frontier`: the release of most use whose risk is within the bound. */
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
