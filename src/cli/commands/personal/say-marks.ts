import type { ShownInFull } from "../../../personal/shown-in-full.ts"

const few = 3

/** A warning that a bound allows single topics to be shown in full. */
export function sayInFull(topics: readonly ShownInFull[], bound: number): string {
  const names = topics
    .slice(0, few)
    .map(({ path, share }) => `${path} (${share.toFixed(2)})`)
    .join(", ")
  const more = topics.length > few ? ` and ${topics.length - few} more` : ""
  return (
    `each of these topics may be shown in full, because its share of the sensitive weight is within the bound of ` +
    `${bound}: ${names}${more}. Lower the bound, or mark them never show.`
  )
}
