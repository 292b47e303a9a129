import { type Static, Type } from "#typebox"
import type { Point, Study } from "../study.ts"
import { frontierFigures, frontierNotes } from "./frontier-figures.ts"
import { listSettings, rawParameters } from "./grid.ts"
import { overlapNote } from "./overlap-note.ts"
import { computeFrontierPoint } from "./point.ts"
import { useNames } from "./scores.ts"

/** The methods to try, and how fine the grid is. */
export const frontierOptions = Type.Object({
  methods: Type.Optional(Type.Array(Type.String(), { description: "try only these methods, separated by commas" })),
  grid: Type.Optional(
    Type.String({
      placeholder: "file",
      fromFile: "lines",
      description: 'read the values to try from a JSON file: {"equality": {"k": [2, 5]}, …}, any option of a method',
    }),
  ),
  coarse: Type.Boolean({ default: false, description: "compute a few points of each method instead of all" }),
  targets: Type.Integer({ default: 2000, minimum: 1, maximum: 1_000_000, description: "attack this many people" }),
  use: Type.Enum([...useNames], {
    default: "suggestions",
    placeholder: "name",
    description: `draw the main chart for this use: ${useNames.join(", ")}`,
  }),
  discardReleases: Type.Boolean({ default: false, description: "keep only the reports, not the releases" }),
})

/**
 * Tries all methods over their parameters on one log. It plots the risk of each release, under the same attacks,
 * against its usefulness. A point is one release. docs/methods/frontier.md
 */
export const frontierStudy: Study<typeof frontierOptions> = {
  name: "frontier",
  summary: "compare all methods over their parameters: risk against usefulness",
  options: frontierOptions,
  points: listPoints,
  compute: computeFrontierPoint,
  threads: { kindOf, costOf: (point) => costs[kindOf(point)] ?? 1 },
  figures: (results, { use }) => frontierFigures(results, use),
  notes: (subject, results, { use }) => [...overlapNote(results, use), ...frontierNotes(subject, results)],
}

function listPoints({ targets, discardReleases, ...grid }: Static<typeof frontierOptions>): Point[] {
  const raw = { method: "equality", raw: true, ...rawParameters }
  const rest = { targets, ...(discardReleases ? { discard: true } : {}) }
  return [raw, ...listSettings(grid)].map((setting) => ({ ...setting, ...rest }))
}

function kindOf({ method, raw }: Point): string {
  return raw === true ? "raw" : String(method)
}

/** Rough seconds per point on a million rows, on one core. */
const costs: Record<string, number> = {
  swap: 27,
  raw: 20,
  wordnet: 12,
  affinity: 11,
  equality: 8,
  groups: 8,
  counts: 5,
}
