import { type Static, Type } from "#typebox"
import type { Table } from "../kernels/table.ts"

/** A number; JSON writes null for infinity. */
const number = Type.Unsafe<number>(Type.Union([Type.Number(), Type.Null()]))

/** A table in JSON: its columns and its rows. In memory it is accessed by cell. */
const table = Type.Unsafe<Table>(
  Type.Object({
    columns: Type.Array(Type.String()),
    rows: Type.Array(Type.Array(Type.Union([Type.String(), number]))),
  }),
)

/** One number about a release, with what is needed to judge it. */
export const scoreSchema = Type.Object({
  probe: Type.String({ description: "the attack or measure that found it" }),
  score: Type.String({ description: "what was scored; its main score has the name of the probe" }),
  at: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "what the number depends on, such as the accounts of an adversary or the length of a list",
    }),
  ),
  name: Type.String({ description: "all of this as one label, for people" }),
  value: number,
  interval: Type.Optional(Type.Tuple([number, number], { description: "95 % interval" })),
  n: Type.Optional(Type.Number({ description: "out of how many" })),
  baseline: Type.Optional(Type.Unsafe<number>({ ...number, description: "what the original, or a guess, scores" })),
  chance: Type.Optional(
    Type.Unsafe<number | null>({
      ...number,
      description:
        "for attacks: what a guess scores, if that is not the baseline; null: not a share of successes, and not judged",
    }),
  ),
  better: Type.Enum(["higher", "lower"]),
  series: Type.Optional(table),
})

/**
 * One number about a release, with what is needed to judge it: the probe that found it, what it measures, and the
 * settings.
 */
export type Score = Static<typeof scoreSchema>

/** What a probe reports. Its name and the label are added when it is run. */
export type Finding = Omit<Score, "probe" | "name">

/** The parts of a label. */
export type Scored = Pick<Finding, "score" | "at">

/** Settings as part of a label: `@4` for a number, `/equality` for a word. */
const labelSettings = ({ at = {} }: Scored) =>
  Object.values(at)
    .map((value) => (typeof value === "number" ? `@${value}` : `/${value}`))
    .join("")

/** The default label: `injection@4`, `linkage/known-searches@2`. The main score has only the name of the probe. */
export const labelWithProbe = (probe: string, scored: Scored, separator = "/") =>
  `${scored.score === probe ? probe : `${probe}${separator}${scored.score}`}${labelSettings(scored)}`

/** The label of a score whose name is clear without that of its probe: `events-per-user@50`. */
export const labelAlone = (scored: Scored) => `${scored.score}${labelSettings(scored)}`

/** Findings as scores of a probe, each with its label. */
export function nameFindings(
  { name: probe, label }: { name: string; label?(scored: Scored): string },
  findings: readonly Finding[],
): Score[] {
  return findings.map(({ score, at, ...rest }) => {
    const scored = { score, ...(at && { at }) }
    return { probe, ...scored, name: label?.(scored) ?? labelWithProbe(probe, scored), ...rest }
  })
}

/** Identifies a score. Only the settings named in `at` are compared; undefined matches a score without that setting. */
export interface ScoreKey {
  probe: string
  score: string
  at?: Readonly<Record<string, string | number | undefined>>
}

/** True if the key identifies this score. */
export function isScore({ probe, score, at }: Pick<Score, "probe" | "score" | "at">, key: ScoreKey): boolean {
  if (probe !== key.probe || score !== key.score) return false
  return Object.entries(key.at ?? {}).every(([setting, value]) => at?.[setting] === value)
}

/** The first score that the key identifies. */
export function findScore(scores: readonly Score[], key: ScoreKey): Score | undefined {
  return scores.find((score) => isScore(score, key))
}
