import type { ComponentChildren } from "preact"
import { asCount } from "../format.ts"

export interface Bar {
  name: string
  value: number
  /** Shown after the name. */
  mark?: ComponentChildren
  /** Shown instead of the number. */
  text?: string
}

/** Values as bars on a common scale, in the given order, which is largest first. */
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const isLong = bars.some(({ text }) => text !== undefined)
  const largest = bars.reduce((most, { value }) => Math.max(most, value), 1)
  return (
    <ul class={isLong ? "bars long" : "bars"} aria-label={label}>
      {bars.map(({ name, value, mark, text }) => (
        <li key={name}>
          <span class="name" title={name}>
            <bdi>{name}</bdi>
          </span>
          {mark}
          <span class="value">{text ?? asCount(value)}</span>
          <svg width="100%" height="4" aria-hidden="true">
            <rect class="track" width="100%" height="4" rx="2" />
            <rect class="bar" width={`${((100 * value) / largest).toFixed(2)}%`} height="4" rx="2" />
          </svg>
        </li>
      ))}
    </ul>
  )
}
