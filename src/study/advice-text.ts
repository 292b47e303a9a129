import type { AdviceOptions, Alternative } from "./advise.ts"
import type { Comparable } from "./frontier-rows.ts"
import { uses } from "./frontier-scores.ts"
import { formatCell } from "./page.ts"

interface Told {
  chosen: Comparable
  alternatives: readonly Alternative[]
  /** Releases that stay within the bound. */
  fitting: number
  raw?: Comparable
}

/** What stands for a person: method and parameters, without the comma. */
const nameOf = ({ row }: Comparable) => `${row.series} with ${row.parameters || "its defaults"}`

const intervalOf = ({ risk }: Comparable) => `${formatCell(risk.low)} to ${formatCell(risk.high)}`

/** Three sentences: what is kept, what the strongest attack did, what else there was and why not. */
export function describeAdvice(told: Told, options: AdviceOptions): string[] {
  return [describeUse(told, options), describeAttack(told, options), describeAlternatives(told, options)]
}

function describeUse({ chosen, fitting }: Told, { use }: AdviceOptions): string {
  const { title, keeps } = uses[use]
  const { value, original } = chosen.use
  const beside = original === undefined ? "" : `, where the log itself has ${formatCell(original)}`
  const among =
    fitting === 1
      ? "is the only release within the bound, and of"
      : `keeps most, of ${fitting} releases within the bound, of`
  return `${capital(nameOf(chosen))} ${among} ${keeps}${fitting === 1 ? " it keeps" : ":"} ${title} ${formatCell(value)}${beside}.`
}

function describeAttack({ chosen, raw }: Told, { maxRisk }: AdviceOptions): string {
  const { value, attack } = chosen.risk
  const before =
    raw === undefined ? "" : `; on the log with its names replaced the strongest gained ${formatCell(raw.risk.value)}`
  return `The strongest attack on it, ${attack}, gained ${formatCell(value)} over a guess (95 % interval ${intervalOf(chosen)}), within the ${formatCell(maxRisk)} that you allow${before}.`
}

function describeAlternatives({ chosen, alternatives }: Told, { use, maxRisk }: AdviceOptions): string {
  if (alternatives.length === 0) return "There was no other release to choose."
  const parts = alternatives.map(({ option, why }) => {
    const reason =
      why === "use"
        ? option.use.value === chosen.use.value
          ? "keeps as much, at no less risk"
          : "keeps less"
        : `may have a risk of ${formatCell(option.risk.high)}, more than ${formatCell(maxRisk)}`
    return `${nameOf(option)} (${uses[use].title} ${formatCell(option.use.value)}), which ${reason}`
  })
  return `Next came ${parts.join(", and ")}.`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
