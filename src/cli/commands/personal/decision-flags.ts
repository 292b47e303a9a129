import { Type } from "#typebox"
import { decisionRules } from "../../../personal/expose-profile.ts"
import { denominators } from "../../../personal/metrics.ts"
import { queryClassBounds } from "../../../personal/query-classes.ts"

/**
 * The flags of the online decision (§5.2). `kept` is the text before the default value in the help: a serving command
 * stores the values it is given, and says so there.
 */
export const decisionFlags = ({ decision, kept = "default " }: { decision: string; kept?: string }) => ({
  decision: Type.Optional(
    Type.Enum([...decisionRules], {
      description:
        "send a query without the profile if it is clear by itself or nothing is gained (gain), " +
        `if it is clear by itself (mu, Algorithm 1), or never (off) (${kept}${decision})`,
    }),
  ),
  mu: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `treat a query as clear from this discriminating power on (${kept}${queryClassBounds.distinct})`,
    }),
  ),
  denominator: Type.Optional(
    Type.Enum([...denominators], {
      description: `divide that power by the content of the query's topics, or of those in the profile (${kept}query)`,
    }),
  ),
})
