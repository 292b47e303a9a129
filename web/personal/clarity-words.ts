import type { Exposed } from "./answers.ts"

/** Thresholds above which a query is fairly clear, and clear: the classes of Shou et al. 2014, §7.1. */
const [fairly, clearly] = [0.44, 0.82]

/** The class of a discriminating power, in words. */
export const clarityOf = (power: number) => (power >= clearly ? "clear" : power >= fairly ? "fairly clear" : "unsure")

/** Says how well the engine can tell what the query means. */
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
