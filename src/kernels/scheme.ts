/**
 * The scheme of a place and what follows it: `tcp` and `//host:1` of `tcp://host:1`. Undefined for a plain path. A single
 * letter is a drive of Windows.
 */
export function splitScheme(text: string): { scheme: string; rest: string } | undefined {
  const found = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(text)
  return found === null ? undefined : { scheme: String(found[1]).toLowerCase(), rest: String(found[2]) }
}
