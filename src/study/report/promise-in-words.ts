import { ledgerNumber } from "../../methods/dp-guarantee.ts"
import type { Manifest } from "../../release/manifest.ts"
import { count, plain } from "./words.ts"

const units: Record<string, string> = {
  user: "one user: all that one user id of the log did, taken together",
  session: "one session: what one user did without a long break, not all that a person did",
  query: "one query text, whoever issued it: not a person, and not what several queries of one person say together",
  record: "one released search: who made it, not what it says",
}

/** Who or what is protected. */
export const unitInWords = ({ guarantee }: Manifest) => units[guarantee.unit] ?? `one ${guarantee.unit}`

/** What the numbers of a promise mean. */
export function numbersInWords({ guarantee }: Manifest): string[] {
  if (guarantee.model === "dp") {
    const [epsilon, delta] = [ledgerNumber(guarantee.epsilon), ledgerNumber(guarantee.delta)]
    if (guarantee.mode === "paper") return ["δ = 1: nothing is promised. Any person's search may be shown."]
    return [
      `ε = ${plain(epsilon)}: with or without any one ${guarantee.unit}, the chance of whatever the release shows differs by a factor of at most ${epsilon > 20 ? `e^${plain(epsilon)}, which is no protection to speak of` : plain(Math.exp(epsilon))}.`,
      delta === 0
        ? "δ = 0: and by nothing else."
        : `δ = ${delta.toPrecision(2)}: and besides that factor by at most 1 in ${count(1 / delta)}.`,
    ]
  }
  const { k, counted } = guarantee
  const many = `${count(k)} different ${counted}s of the log`
  const words: Record<typeof guarantee.model, string> = {
    equality: `k = ${k}: behind every query in the release stand at least ${many}.`,
    affinity: `k = ${k}: at least ${many} issued a released query or one that is similar to it; this very text may be of one.`,
    generalisation: `k = ${k}: every concept in the release stands for searches of at least ${many}.`,
    groups: `k = ${k}: every name in the release has at least ${k - 1} others that look like it.`,
    swap: `k = ${k}: each search is shown with one of ${k + 1} users, by chance.`,
  }
  return [words[guarantee.model]]
}
