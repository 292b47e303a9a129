const eighths = " ▏▎▍▌▋▊▉"
const full = "█"

/** A bar of at most `width` characters for a share from 0 to 1. A share above 0 is always visible. */
export function bar(share: number, width: number): string {
  const steps = share > 0 ? Math.max(1, Math.round(Math.min(1, share) * width * 8)) : 0
  return `${full.repeat(steps >> 3)}${steps % 8 === 0 ? "" : eighths[steps % 8]}`
}

/** `26.64 %`, padded to the width of `100.00 %`. */
export function percent(share: number): string {
  const text = share > 0 && share < 0.00005 ? "<0.01" : (100 * share).toFixed(2)
  return `${text} %`.padStart(8)
}
