interface MeterProps {
  name: string
  value: number
  /** Position of the mark: a limit, or the value without a profile. */
  mark: number
  /** The value at the end of the bar. */
  most: number
  text: string
  look: "risk" | "utility"
}

/** A value as a bar, with a mark. */
export function Meter({ name, value, mark, most, text, look }: MeterProps) {
  const at = (value: number) => `${(100 * Math.min(1, Math.max(0, most > 0 ? value / most : 0))).toFixed(2)}%`
  return (
    <div class={`meter ${look}`}>
      <span class="name">{name}</span>
      <span class="value">{text}</span>
      <meter class="unseen" aria-label={name} min={0} max={most} value={value} aria-valuetext={text} />
      <svg width="100%" height="12" aria-hidden="true">
        <rect class="track" y="2" width="100%" height="8" rx="4" />
        <rect class="bar" y="2" width={at(value)} height="8" rx="4" />
        <line class="mark" x1={at(mark)} x2={at(mark)} y1="0" y2="12" />
      </svg>
    </div>
  )
}
