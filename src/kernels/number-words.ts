/** A whole number formatted for people: `12,000`. */
export const count = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 })

/** Formats a number that is not a share. */
export function plain(value: number): string {
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? count(value) : value.toPrecision(3)
}
