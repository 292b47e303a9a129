import { ledgerNumber } from "../../methods/dp-guarantee.ts"
import type { Manifest } from "../../release/manifest.ts"
import { count, plain } from "./words.ts"

const units: Record<string, string> = {
  user: "one user: all that one user id of the log did, taken together",
  session: "one session: what one user did without a long break, not all that a person did",
  query: "one query text, whoever issued it: not a person, and not what several queries of one person say together",
  record: "one released search: who made it, not what it says",
}

/** Who or what is protected. Where sessions are counted, a name is one. */
export function unitInWords({ guarantee }: Manifest): string {
  const isSession = guarantee.unit === "user" && "counted" in guarantee && guarantee.counted === "session"
  const unit = isSession ? "session" : guarantee.unit
  return units[unit] ?? `one ${unit}`
}

/** Whether there is a promise that can be kept: by the paper's algorithms, or with k = 1, there is none. */
export function isPromised({ guarantee }: Pick<Manifest, "guarantee">): boolean {
  if (guarantee.model === "dp") return guarantee.mode !== "paper"
  if (guarantee.model === "generalisation" && guarantee.counts === "queries") return false
  return guarantee.k > 1 && (guarantee.model !== "swap" || guarantee.promised)
}

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
  if (k === 1) return ["k = 1: nothing is promised. What a single person searched may be shown."]
  const many = `${count(k)} different ${counted}s of the log`
  const words: Record<typeof guarantee.model, string> = {
    equality: `k = ${k}: behind every query in the release stand at least ${many}.`,
    affinity: `k = ${k}: at least ${many} issued a released query or one that is similar to it; this very text may be of one.`,
    generalisation: isPromised({ guarantee })
      ? `k = ${k}: every concept in the release stands for searches of at least ${many}.`
      : `k = ${k}: every concept in the release stands for at least ${count(k)} query texts, which may all be of one person.`,
    groups: `k = ${k}: every name in the release is one of at least ${k} that look ${guarantee.model === "groups" && guarantee.mode === "paper" ? "nearly " : ""}alike.`,
    profiles: `k = ${k}: every topic of a profile was searched for by at least ${many} who share the profile.`,
    swap: isPromised({ guarantee })
      ? `k = ${k}: each search is shown under the name of one of ${k} other ${counted}s, by chance.`
      : `k = ${k} is what the algorithm was given: no chance of 1 in ${k} follows from it.`,
  }
  return [words[guarantee.model]]
}
