import type * as Plot from "@observablehq/plot"

type Bend = "linear" | "log" | "root"

const bends: Record<Bend, { to(value: number): number; from(value: number): number; scale: Plot.ScaleOptions }> = {
  linear: { to: Number, from: Number, scale: { type: "linear" } },
  log: { to: Math.log, from: Math.exp, scale: { type: "log" } },
  root: { to: Math.cbrt, from: (value) => value ** 3, scale: { type: "pow", exponent: 1 / 3 } },
}

/** A scale that can map values to pixels, and pixels to values, before anything is drawn. */
export interface BentScale {
  place(value: number): number
  value(place: number): number
  bend: Bend
  /** The same scale for the plotting library. */
  axis: Plot.ScaleOptions & { range: [number, number] }
}

/** Maps values of the domain to pixels of the range. */
export function bendScale(options: { domain: [number, number]; range: [number, number]; bend: Bend }): BentScale {
  const { domain, range, bend } = options
  const { to, from, scale } = bends[bend]
  const [low, high] = [to(domain[0]), to(domain[1])]
  const span = range[1] - range[0]
  return {
    place: (value) => range[0] + ((to(value) - low) / (high - low)) * span,
    bend,
    value: (place) => from(low + ((place - range[0]) / span) * (high - low)),
    axis: { ...scale, domain, range, ...(bend === "log" && { ticks: powersOfTen(domain), tickFormat: String }) },
  }
}

function powersOfTen([low, high]: [number, number]): number[] {
  const powers = Array.from({ length: 40 }, (_, i) => Number(`1e${i - 20}`))
  return powers.filter((power) => power >= low && power <= high)
}
