/**
 * Escapes a name for a path. A path is the names from below the root, each at least one character, separated by `/`.
 * Inside a name, `/` is written `%2F` and `%` is written `%25`; any other `%` is itself. Case matters. There are no
 * control characters.
 */
export function escapeName(name: string): string {
  return /[%/]/.test(name) ? name.replaceAll("%", "%25").replaceAll("/", "%2F") : name
}

/** The name that a segment of a path represents. Undoes `escapeName`. */
export function unescapeName(segment: string): string {
  return segment.replace(/%(2F|25)/gi, (_, code: string) => (code === "25" ? "%" : "/"))
}
