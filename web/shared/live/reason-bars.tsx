import { Bars } from "./bars.tsx"
import { meaningOf } from "./reasons.ts"

/** Counts by reason, the most frequent first. */
export function Reasons({ counts, label, none }: { counts: Record<string, number>; label: string; none: string }) {
  const bars = Object.entries(counts)
    .map(([reason, value]) => ({ name: meaningOf(reason), value }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
  return bars.length === 0 ? <p class="note">{none}</p> : <Bars bars={bars} label={label} />
}
