const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 })
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })

const known = (text: (value: number) => string) => (value: number) => (Number.isFinite(value) ? text(value) : "–")

export const asCount = known((value) => whole.format(value))
export const asCompact = known((value) => compact.format(value))
export const asPercent = known((value) => `${(100 * value).toFixed(1)}\u00a0%`)
export const asBytes = known((value) => {
  const unit = value < 1e6 ? ["kB", 1e3] : value < 1e9 ? ["MB", 1e6] : ["GB", 1e9]
  return `${compact.format(value / Number(unit[1]))} ${unit[0]}`
})
export const asClock = (time: number) => clock.format(time)

export const asDuration = known((seconds) => {
  if (seconds < 0.1) return `${compact.format(seconds * 1000)} ms`
  if (seconds < 120) return `${compact.format(seconds)} s`
  if (seconds < 2 * 3600) return `${compact.format(seconds / 60)} min`
  return seconds < 48 * 3600 ? `${compact.format(seconds / 3600)} h` : `${compact.format(seconds / 86_400)} days`
})
