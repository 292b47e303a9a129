import type { Quantiles, RiskFigures, StreamFigures } from "../stream/live/stream-figures.ts"

const columns = 120

/**
 * One line of at most 120 columns for a terminal. Rates are since the previous figures, or since the start. Delays are
 * median/99th percentile, in records that arrived meanwhile and in time. If the clock did not advance, the rate is a
 * dash. Categories and memory are left out if the numbers leave no room for them.
 */
export function statusLine(figures: StreamFigures, before: StreamFigures | undefined): string {
  const { waiting, categories, delay, withheld, memory, risk, state } = figures
  const since = before ?? { now: figures.startedAt, lines: 0, released: 0 }
  const seconds = (figures.now - since.now) / 1000
  const rate = (count: number) => (seconds > 0 && count >= 0 ? short(count / seconds) : "-")
  const lost = Object.values(withheld).reduce((sum, count) => sum + count, 0)
  const parts = [
    `in ${rate(figures.lines - since.lines)}/s`,
    `out ${rate(figures.released - since.released)}/s`,
    `held ${short(waiting)}`,
    `delay ${pair(delay.records, short)} ${pair(delay.seconds, time)}`,
    `withheld ${short(lost)}`,
    riskText(risk),
    ...(state === "running" ? [] : [state.toUpperCase()]),
  ]
  for (const [at, part] of [
    [3, `cats ${short(categories)}`],
    [-1, `mem ${short(memory.rss)}B`],
  ] as const) {
    if ([...parts, part].join("  ").length <= columns) parts.splice(at, 0, part)
  }
  return parts.join("  ")
}

const pair = ({ p50, p99 }: Quantiles, write: (value: number) => string) => `${write(p50)}/${write(p99)}`

function riskText(risk: RiskFigures | undefined): string {
  if (risk === undefined) return "risk -"
  const cause = risk.alarm ? " ALARM" : risk.alarmed.length > 0 ? ` ALARM in ${short(risk.alarmed.length)}` : ""
  return `risk ${risk.share.toFixed(3)}/${risk.promise.toFixed(3)}${cause}`
}

const units = ["", "k", "M", "G", "T", "P"]

/** At most five columns: 7, 999, 1.2k, 999k, 1.5M. Beyond 999 P it is "many". */
function short(value: number): string {
  let scaled = Math.max(0, value)
  for (const unit of units) {
    if (scaled < 9.95 && (unit !== "" || !Number.isInteger(scaled))) return `${scaled.toFixed(1)}${unit}`
    if (scaled < 999.5) return `${Math.round(scaled)}${unit}`
    scaled /= 1000
  }
  return "many"
}

function time(seconds: number): string {
  if (seconds < 119.5) return `${short(seconds)}s`
  if (seconds < 119.5 * 60) return `${Math.round(seconds / 60)}m`
  return `${short(seconds / 3600)}h`
}
