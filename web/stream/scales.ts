/** Where a value lies between the bottom (0) and the top (1) of a chart, and the values that are marked at its side. */
export interface Scale {
  place(value: number): number
  ticks: number[]
}

/** From 0 to a round number that is at least the largest value. */
export function linearScale(largest: number): Scale {
  const top = roundUp(Number.isFinite(largest) && largest > 0 ? largest : 1)
  return { place: (value) => Math.min(1, value / top), ticks: [0, top / 2, top] }
}

/** From a power of ten to another; what is smaller lies at the bottom. */
export function logScale(smallest: number, largest: number): Scale {
  const high = Math.ceil(Math.log10(largest > 0 ? largest : 10))
  const low = Math.min(high - 1, Math.floor(Math.log10(smallest > 0 ? smallest : 10 ** (high - 2))))
  const step = Math.max(1, Math.ceil((high - low) / 4))
  const ticks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => 10 ** (low + i * step))
  return { place: (value) => Math.max(0, (Math.log10(value) - low) / (high - low)), ticks }
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 6, 8, 10].find((step) => value <= step * power * (1 + 1e-9)) ?? 10
  return step * power
}
