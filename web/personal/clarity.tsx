import type { Exposed } from "./answers.ts"
import { Meter } from "./meter.tsx"
import { asRisk } from "./words.ts"

/** From where on a query is fairly clear, and clear: the classes of Shou et al. 2014, §7.1. */
const [fairly, clearly] = [0.44, 0.82]

const clarityOf = (power: number) => (power >= clearly ? "clear" : power >= fairly ? "fairly clear" : "unsure")

/** How well the engine can tell what the query means, in words. */
export function sayClarity({ decision, dp, dpWithout }: Pick<Exposed, "decision" | "dp" | "dpWithout">): string {
  const [alone, shown] = [clarityOf(dpWithout), clarityOf(dp)]
  if (decision === "nothing")
    return alone === "unsure"
      ? "From the query alone, an engine is unsure what you mean."
      : `From the query alone, it is ${alone} what you mean.`
  if (dp <= dpWithout) return "What is shown does not help the engine tell what you mean."
  if (alone === shown) return `The engine can tell a little better what you mean: it stays ${shown}.`
  return `The engine can tell better what you mean: from ${alone} to ${shown}.`
}

/** What the exposure gives: a sentence and a bar; the numbers for those who want them. */
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
