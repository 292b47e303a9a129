import type { Findings } from "../findings.ts"
import type { Sent } from "../sent.ts"
import type { CellCount } from "./cells.ts"

/** The last run's summary of all runs of the store. */
export interface Summary {
  lines: number
  taken: number
  released: number
  waiting: number
  cells: number
  rejected: Record<string, number>
  withheld: Record<string, number>
}

/** Whether every line arrives, whether requests were answered, and how many releases and cells were seen. */
export interface Account {
  isLossless: boolean
  isAnswered: boolean
  released: number
  cells: CellCount | undefined
  findings: Findings
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0)

/** Checks that nothing is lost: every expected line was released, waits, was withheld or was rejected, exactly once. */
export function checkAccounts(summary: Summary, sent: Sent, account: Account): void {
  const { lines, taken, released, waiting, cells, rejected, withheld } = summary
  const { isLossless, isAnswered, findings } = account
  const require = (what: string, found: number, due: number) => {
    if (found !== due) findings.add(`the accounts differ: ${what}`, `${found}, not ${due}`)
  }
  require("taken, withheld and rejected are all lines", taken + sum(withheld) + sum(rejected), lines)
  require("what was taken left or waits", released + waiting, taken)
  require("what left was seen", account.released, released)
  const { least, most } = account.cells ?? { least: cells, most: cells }
  if (cells < least || cells > most) findings.add("the accounts differ: cells", `${cells}, not ${least} to ${most}`)
  if (lines < sent.durableLines) findings.add("durable lines are lost", `${lines} of ${sent.durableLines}`)
  const broken = sent.searches.filter(({ isBroken }) => isBroken).length
  const strange = sent.searches.filter(({ topic, isBroken }) => topic === undefined && !isBroken).length
  if (isLossless) {
    require("every line was read once", lines, sent.searches.length)
    require("broken lines were rejected", sum(rejected), broken)
    require("searches without a topic were withheld", withheld["no topic"] ?? 0, strange)
  } else if (lines > sent.searches.length) {
    findings.add("a line was read twice", `${lines} of ${sent.searches.length}`)
  }
  if (!isAnswered) return
  const total = (count: "taken" | "withheld" | "rejectedTotal") =>
    sent.answers.reduce((all, answer) => all + answer[count], 0)
  require("answers say what was taken", total("taken"), taken)
  require("answers say what was withheld", total("withheld"), sum(withheld))
  require("answers say what was rejected", total("rejectedTotal"), sum(rejected))
}
