import type { ComponentChildren } from "preact"
import { asCount } from "../shared/format.ts"

export interface Bar {
  name: string
  value: number
  /** Shown behind the name. */
  mark?: ComponentChildren
  /** Said in place of the number. */
  text?: string
}

/** Values as bars of a common length, largest first as given. */
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
