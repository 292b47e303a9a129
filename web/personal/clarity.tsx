import type { Exposed } from "./answers.ts"
import { clarityOf, sayClarity } from "./clarity-words.ts"
import { Meter } from "./meter.tsx"
import { asRisk } from "./words.ts"

/** What the exposure gains: a sentence and a bar, with the numbers as details. */
export function Clarity({ exposed }: { exposed: Exposed }) {
  const { dp, dpWithout, utility } = exposed
  const isShown = exposed.decision === "exposed"
  const value = isShown ? dp : dpWithout
  return (
    <div class="clarity">
      <Meter
        name="How well the engine can tell what you mean"
        value={value}
        mark={dpWithout}
        most={Math.max(1, dp, dpWithout)}
        text={clarityOf(value)}
        look="utility"
      />
      <p class="said-clarity">{sayClarity(exposed)}</p>
      <details>
        <summary>Numbers</summary>
        <p class="note">
          Discriminating power, from 0 to 1: {asRisk(dpWithout)} from the query alone
          {isShown ? `, ${asRisk(dp)} with what is shown. The difference is ${asRisk(utility)}.` : "."}
        </p>
      </details>
    </div>
  )
}
