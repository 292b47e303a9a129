import type { SearchLog } from "../log/search-log.ts"

/**
 * Caches what is computed from a log alone, by the options it was computed with: a study examines many releases of one
 * log. Failures are not cached.
 */
export function cacheByLog<T>(): (log: SearchLog, options: unknown, make: () => Promise<T>) => Promise<T> {
  const made = new WeakMap<SearchLog, Map<string, Promise<T>>>()
  return (log, options, make) => {
    const ofLog = made.get(log) ?? new Map<string, Promise<T>>()
    made.set(log, ofLog)
    const choice = JSON.stringify(options)
    const known = ofLog.get(choice)
    if (known !== undefined) return known
    const making = make()
    ofLog.set(choice, making)
    making.catch(() => ofLog.delete(choice))
    return making
  }
}
