/** True if a path is that of the topic `above` or of one below it. */
export function isWithin(path: string, above: string): boolean {
  return above === "" || path === above || path.startsWith(`${above}/`)
}
