import { QueryveilError } from "../../kernels/error.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { StreamChange } from "./live-stream.ts"
import type { StreamSettings } from "./settings.ts"

/** The settings after a change. Throws if the change is invalid. */
export function changeSettings(settings: StreamSettings, change: StreamChange, taxonomy: Taxonomy): StreamSettings {
  const { withhold = [], reopen = [], ...rest } = change
  const { k = settings.k, depth = settings.depth } = rest
  requireWhole("k", k, { from: 2, to: 1_000_000 })
  requireWhole("depth", depth, { from: 1, to: 255 })
  for (const path of [...withhold, ...reopen])
    if (taxonomy.find(path) < 0)
      throw new QueryveilError("option-value", "withhold, reopen: no such topic in the taxonomy.", {
        flag: "withhold",
      })
  const gated = new Set([...settings.gated, ...withhold])
  for (const path of reopen) gated.delete(path)
  // A depth given without branches applies to all branches.
  const { branches = rest.depth === undefined ? settings.branches : undefined } = rest
  return { ...settings, ...rest, branches, gated: [...gated] }
}

function requireWhole(name: string, value: number, { from, to }: { from: number; to: number }): void {
  if (Number.isInteger(value) && value >= from && value <= to) return
  throw new QueryveilError("option-value", `${name}: expected a whole number from ${from} to ${to}.`, { flag: name })
}
