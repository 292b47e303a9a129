import { attacks } from "../../attacks/registry.ts"
import { attackNames } from "../frontier/scores.ts"

const count = (value: number) => value.toLocaleString("en")

/** The size of a log. */
interface LogSize {
  rows: number
  users: { size: number }
}

/** What the advice did not check, as sentences for its reader. */
export function listUnchecked({ sample, whole }: { sample: LogSize; whole: LogSize }): string[] {
  const untried = attacks.map(({ name }) => name).filter((name) => !attackNames.some((own) => own === name))
  const users = `${count(sample.users.size)} of ${count(whole.users.size)} users`
  const part = `${count(sample.rows)} of ${count(whole.rows)} rows (${users})`
  return [
    ...(sample.rows === whole.rows
      ? []
      : [
          [
            `The whole log: this looked at ${part}. In the whole log more users share a query, so a release with`,
            "the same parameters keeps more queries, also rarer ones. Its usefulness is underestimated here.",
            "Its risk may be higher or lower than reported.",
          ].join(" "),
        ]),
    [
      "The release that the command makes: it is drawn anew. Before you publish it, verify it with --audit, attack it",
      "and read its report.",
    ].join(" "),
    [
      `Other attacks: ${untried.join(", ")} (queryveil attack). An attacker may also know more about a person than`,
      "earlier searches, or attack better. An attack that fails proves nothing.",
    ].join(" "),
    "Other logs and other releases of the same people: an attacker who holds two of them can compare them.",
    [
      "Secrets in the texts of queries: what the attack secrets finds does not count as risk; the report of a release",
      "has it. Secrets that only you would recognise were not searched for.",
    ].join(" "),
    "Other parameter values and column policies: queryveil study frontier --grid FILE tries any.",
    [
      "The choice itself: it was made by looking at the log, so the parameters reveal something about it. And the best",
      "of several estimates looks better than it is. No guarantee includes that.",
    ].join(" "),
  ]
}
