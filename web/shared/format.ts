const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 })
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })

const known = (text: (value: number) => string) => (value: number) => (Number.isFinite(value) ? text(value) : "–")

export const asCount = known((value) => whole.format(value))
export const asCompact = known((value) => compact.format(value))
/** For ticks, which are round numbers. */
export const asRoundPercent = known((value) => `${Number((100 * value).toPrecision(3))}\u00a0%`)
export const asPercent = known((value) => `${(100 * value).toFixed(1)}\u00a0%`)
export const asBytes = known((value) => {
  const unit = value < 1e6 ? ["kB", 1e3] : value < 1e9 ? ["MB", 1e6] : ["GB", 1e9]
  return `${compact.format(value / Number(unit[1]))} ${unit[0]}`
})
export const asClock = (time: number) => clock.format(time)

/** `1 record`, `39 records`, `3 categories` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${asCount(value)} ${value === 1 ? one : many}`
}

/** `20 ms`, `64 s`, `2 min 4 s`, `10 min`, `2 h 47 min`, `3 days` */
export const asDuration = known((seconds) => {
  if (seconds > 0 && seconds < 0.1) return `${compact.format(seconds * 1000)} ms`
  if (seconds < 120 && seconds !== 60) return `${compact.format(seconds)} s`
  if (seconds < 600) return joined([Math.floor(seconds / 60), "min"], [Math.floor(seconds % 60), "s"])
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return joined([Math.floor(seconds / 3600), "h"], [Math.floor((seconds % 3600) / 60), "min"])
  return counted(Math.floor(seconds / 86_400), "day")
})

function joined(large: [number, string], small: [number, string]): string {
  return small[0] === 0 ? large.join(" ") : `${large.join(" ")} ${small.join(" ")}`
}
