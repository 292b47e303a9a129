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
  const compare = (what: string, found: number, due: number) => {
    if (found !== due) findings.add(`the counts differ: ${what}`, `${found}, not ${due}`)
  }
  compare("taken + withheld + rejected = lines", taken + sum(withheld) + sum(rejected), lines)
  compare("released + waiting = taken", released + waiting, taken)
  compare("releases seen = released", account.released, released)
  const { least, most } = account.cells ?? { least: cells, most: cells }
  if (cells < least || cells > most) findings.add("the counts differ: cells", `${cells}, not ${least} to ${most}`)
  if (lines < sent.durableLines) findings.add("durable lines are lost", `${lines} of ${sent.durableLines}`)
  const broken = sent.searches.filter(({ isBroken }) => isBroken).length
  const strange = sent.searches.filter(({ topic, isBroken }) => topic === undefined && !isBroken).length
  if (isLossless) {
    compare("every line was read once", lines, sent.searches.length)
    compare("broken lines were rejected", sum(rejected), broken)
    compare("searches without a topic were withheld", withheld["no topic"] ?? 0, strange)
  } else if (lines > sent.searches.length) {
    findings.add("a line was read twice", `${lines} of ${sent.searches.length}`)
  }
  if (!isAnswered) return
  const total = (count: "taken" | "withheld" | "rejectedTotal") =>
    sent.answers.reduce((all, answer) => all + answer[count], 0)
  compare("taken by the answers = taken", total("taken"), taken)
  compare("withheld by the answers = withheld", total("withheld"), sum(withheld))
  compare("rejected by the answers = rejected", total("rejectedTotal"), sum(rejected))
}
