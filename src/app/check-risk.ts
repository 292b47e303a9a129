import { attack } from "../attacks/registry.ts"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { SearchLog } from "../log/search-log.ts"
import { scoresOf, usualSeed } from "../probes/run-probes.ts"
import type { RowsDraft } from "../release/anonymize.ts"
import { openDraftAudit } from "../release/read-audit.ts"
import { openDraft } from "../release/read-release.ts"
import { type Risk, riskOf } from "../study/frontier/risk.ts"

/**
 * Attacks a draft before it is written, as `study frontier` and `advise` do. Refuses the draft if the gain of an attack
 * over a guess may exceed the limit, by the upper end of its interval, or if no attack could be made.
 */
export async function checkRisk(
  draft: RowsDraft,
  { log, maxRisk }: { log: SearchLog; maxRisk: number },
  context: RunContext,
): Promise<Risk> {
  const subject = { release: openDraft(draft), log, audit: openDraftAudit(draft) }
  const outcomes = await attack(subject, { only: ["profile", "linkage"], seed: usualSeed }, context)
  const risk = riskOf(scoresOf(outcomes), "rows")
  if (risk === undefined) {
    const [profile] = outcomes
    const why = profile !== undefined && "skipped" in profile ? profile.skipped : "it shows nobody to attack"
    throw refusal(`The release could not be attacked (${why}), so its risk is not known`)
  }
  if (risk.high <= maxRisk) return risk
  const gained = `${risk.attack} gained ${risk.value.toFixed(4)} over a guess and may gain ${risk.high.toFixed(4)}`
  throw refusal(`The attack ${gained}, which is more than ${maxRisk}`)
}

const refusal = (what: string) =>
  new QueryveilError(
    "risk-high",
    `${what}. Nothing was written. Choose other parameters (queryveil advise), or leave --max-risk out.`,
    { flag: "--max-risk" },
  )
