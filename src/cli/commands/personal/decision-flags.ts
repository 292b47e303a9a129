import { Type } from "#typebox"
import { decisionRules } from "../../../personal/expose-profile.ts"
import { denominators } from "../../../personal/metrics.ts"
import { queryClassBounds } from "../../../personal/query-classes.ts"

/** The flags of the online decision (§5.2). A serving command keeps what it is given, and says so in `note`. */
export const decisionFlags = ({ decision, kept = "default: " }: { decision: string; kept?: string }) => ({
  decision: Type.Optional(
    Type.Enum([...decisionRules], {
      description: `when a query goes without a profile: it is clear by itself or nothing is gained, it is clear by itself (Algorithm 1), never (${kept}${decision})`,
    }),
  ),
  mu: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `a query whose own discriminating power is at least this is clear by itself (${kept}${queryClassBounds.distinct})`,
    }),
  ),
  denominator: Type.Optional(
    Type.Enum([...denominators], {
      description: `what that power is divided by: the content of the query's topics, or of those in the profile (${kept}query)`,
    }),
  ),
})
