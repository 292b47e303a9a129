/** What a lenient reading had to mend. */
export interface Repairs {
  /** Lines with bytes that are no UTF-8, or with control characters. */
  encoding: number
  /** Topics made because something hung below them. */
  missing: number
  /** Topics that were given twice, and are one now. */
  duplicate: number
  /** What was left out because its topic is not said or cannot be a path. */
  skipped: number
}

export function noRepairs(): Repairs {
  return { encoding: 0, missing: 0, duplicate: 0, skipped: 0 }
}
