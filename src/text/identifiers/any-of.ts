/** A group that matches any of some alternatives, for a longer pattern. They are given as words, or as a list. */
export function anyOf(alternatives: string | readonly string[]): string {
  const list = typeof alternatives === "string" ? alternatives.split(/\s/).filter((word) => word !== "") : alternatives
  return `(?:${list.join("|")})`
}
