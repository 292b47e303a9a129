/** A whole number as people read it: `12,000`. */
export const count = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 })

/** A number that is no share. */
export function plain(value: number): string {
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? count(value) : value.toPrecision(3)
}
