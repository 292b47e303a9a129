/**
 * Splits a location into its scheme and the rest: `tcp://host:1` into `tcp` and `//host:1`. Undefined for a plain path.
 * A single letter is a Windows drive, not a scheme.
 */
export function splitScheme(text: string): { scheme: string; rest: string } | undefined {
  const found = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(text)
  return found === null ? undefined : { scheme: String(found[1]).toLowerCase(), rest: String(found[2]) }
}
