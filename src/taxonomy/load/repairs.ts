/** What a lenient import had to repair. */
export interface Repairs {
  /** Lines with bytes that are not UTF-8, or with control characters. */
  encoding: number
  /** Topics that were made because something was below them. */
  missing: number
  /** Topics that were given twice and were joined. */
  duplicate: number
  /** Entries left out because their topic is missing or is not a valid path. */
  skipped: number
}

export function noRepairs(): Repairs {
  return { encoding: 0, missing: 0, duplicate: 0, skipped: 0 }
}
