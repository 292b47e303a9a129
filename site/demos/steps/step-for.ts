/** The step that a key leads to: arrows, Home and End. Undefined if it leads nowhere. */
export function stepFor(key: string, { at, steps }: { at: number; steps: number }): number | undefined {
  const last = steps - 1
  const to: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }
  const found = Object.hasOwn(to, key) ? to[key] : undefined
  return found === undefined ? undefined : Math.min(last, Math.max(0, found))
}
