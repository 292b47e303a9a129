import type { Exposed } from "./answers.ts"

/** From where on a query is fairly clear, and clear: the classes of Shou et al. 2014, §7.1. */
const [fairly, clearly] = [0.44, 0.82]

/** A class of discriminating power, in a word. */
export const clarityOf = (power: number) => (power >= clearly ? "clear" : power >= fairly ? "fairly clear" : "unsure")

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
