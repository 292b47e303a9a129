import type { SearchLog } from "../log/search-log.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import { unitDetail } from "./original.ts"
import type { Check, VerifySubject } from "./verifier.ts"

/**
 * The original and the audit; or, for each promise that needs them, a check that says why it fails or cannot be
 * checked.
 */
export type Evidence = { log: SearchLog; audit: AuditFolder } | { instead: Check[] }

/**
 * Gathers the evidence for promises that need both. Without them, the promises are not checked. With a log of another
 * unit or an audit of another release, they fail.
 */
export function gatherEvidence(
  { release, log, audit }: VerifySubject,
  promises: readonly Pick<Check, "name" | "promise">[],
): Evidence {
  const instead = (rest: Pick<Check, "state" | "needs" | "detail">) => ({
    instead: promises.map((about): Check => ({ ...about, ...rest })),
  })
  if (log === undefined) return instead({ state: "not checked", needs: "against" })
  if (audit === undefined) return instead({ state: "not checked", needs: "audit" })
  if (log.unit !== release.manifest.guarantee.counted) return instead({ state: "failed", detail: unitDetail(log.unit) })
  if (audit.release !== release.manifest.id)
    return instead({ state: "failed", detail: "the audit belongs to another release" })
  return { log, audit }
}
