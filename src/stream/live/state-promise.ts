import type { StreamSettings } from "./settings.ts"
import type { RiskFigures } from "./stream-figures.ts"
import type { NameLifetime } from "./user-names.ts"

/** Whether a stream promises that the user of a search is correctly named with a chance of at most 1/k, and why. */
export interface PromiseState {
  promised: boolean
  /** One sentence each: why it is promised, or every reason why it is not. */
  reasons: readonly string[]
}

const onePerson = "One name joins all searches of a person."
const againstNames: Record<NameLifetime, string | undefined> = {
  cell: undefined,
  drop: undefined,
  day: "Names that last a day can be linked by the words of the texts. A stream cannot test this before it releases.",
  pseudonym: onePerson,
  keep: onePerson,
}

/**
 * The stream promises only what is proved (docs/methods/swap.md): whole cells, no times of the searches themselves, and
 * names that say nothing outside their cell, for everything that this store has released. What the running attack
 * refutes is not promised as long as the attack refutes it.
 */
export function statePromise(
  settings: Pick<StreamSettings, "k" | "mode" | "time" | "users" | "shorterSince">,
  risk: RiskFigures | undefined,
): PromiseState {
  const { k, mode, time, users, shorterSince } = settings
  const against = [
    ...(mode === "paper"
      ? ["--mode paper draws users as often as they search, and shows when each search was made."]
      : []),
    ...(mode !== "paper" && time === "own"
      ? ["--time own shows when each search was made, which reveals the users who were waiting then."]
      : []),
    againstNames[users],
    ...(shorterSince === undefined
      ? []
      : [
          [
            `Releases before number ${shorterSince} have names that last longer.`,
            "The words of later texts can be linked to them.",
          ].join(" "),
        ]),
    refutation(k, risk),
  ].filter((reason) => reason !== undefined)
  if (against.length > 0) return { promised: false, reasons: against }
  const why = users === "drop" ? "No names are shown" : "Every cell has new names"
  return {
    promised: true,
    reasons: [
      [
        `${why}, so someone who holds only the releases names the user of a search correctly`,
        `with a chance of at most 1/${k}.`,
      ].join(" "),
    ],
  }
}

function refutation(k: number, risk: RiskFigures | undefined): string | undefined {
  if (risk?.alarm) return `The running attack ${risk.attacker} names the right user more often than 1/${k}.`
  const topics = risk?.alarmed.length ?? 0
  if (topics === 0) return undefined
  const where = topics === 1 ? "one topic" : `${topics} topics`
  return `The running attack names the right user more often than 1/${k} in ${where}.`
}
