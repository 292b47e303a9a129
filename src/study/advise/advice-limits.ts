import { attacks } from "../../attacks/registry.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { attackNames } from "../frontier/scores.ts"

const count = (value: number) => value.toLocaleString("en")

/** What the advice did not check, as sentences for its reader. */
export function listUnchecked({ sample, whole }: { sample: SearchLog; whole: SearchLog }): string[] {
  const untried = attacks.map(({ name }) => name).filter((name) => !attackNames.some((own) => own === name))
  const part = `${count(sample.rows)} of ${count(whole.rows)} rows (${count(sample.users.size)} of ${count(whole.users.size)} users)`
  return [
    ...(sample === whole
      ? []
      : [
          `The whole log: this looked at ${part}. In the whole log more users share a query, so a release with the same parameters keeps more, rarer queries too: usefulness is told too low here, and risk may be higher or lower than told.`,
        ]),
    "The release that the command makes: it is drawn anew. Verify it with --audit, attack it and read its report before it is published.",
    `Other attacks: ${untried.join(", ")} (queryveil attack), and whoever knows more of a person than earlier searches, or attacks better. An attack that fails proves nothing.`,
    "Other logs and other releases of the same people: who holds two of them can compare them.",
    "Secrets in the texts of queries: what the attack secrets finds is in the report of a release and does not count as risk, and what only you would recognise nobody looked for.",
    "OptionValues between those tried, and the column policies: queryveil study frontier --grid FILE tries any.",
    "The choice itself: it looked at the log, so the parameters say something of it, and picking the best of several estimates flatters it. No guarantee counts that in.",
  ]
}
