import type { RunContext } from "./context.ts"
import type { Dictionary } from "./dictionary.ts"

/**
 * Caches what is computed from one object alone, by the options it was computed with: a study examines many releases of
 * one log. Failures are not cached.
 */
export function cacheBy<K extends object, T>(): (from: K, options: unknown, make: () => Promise<T>) => Promise<T> {
  const made = new WeakMap<K, Map<string, Promise<T>>>()
  return (from, options, make) => {
    const known = made.get(from) ?? new Map<string, Promise<T>>()
    made.set(from, known)
    const choice = JSON.stringify(options)
    const found = known.get(choice)
    if (found !== undefined) return found
    const making = make()
    known.set(choice, making)
    making.catch(() => known.delete(choice))
    return making
  }
}

/**
 * Caches what is computed from a dictionary alone, in runs that share results: the points of a study. Any other run
 * computes it again. The results must not be changed.
 */
export function shareByTexts<T>(): (
  texts: Dictionary,
  { options, context }: { options?: unknown; context: RunContext },
  make: () => Promise<T>,
) => Promise<T> {
  const cached = cacheBy<Dictionary, T>()
  return (texts, { options = "", context }, make) => (context.shares === true ? cached(texts, options, make) : make())
}
