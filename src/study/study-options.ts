import { Value } from "#typebox"
import type { Study } from "./study.ts"

/** The options of a study: its defaults, then the preset, then what was given; every value checked. */
export function completeStudyOptions(
  { options, paper }: Pick<Study, "options" | "paper">,
  given: object,
  preset?: "paper",
): Record<string, unknown> {
  const values = { ...(preset === "paper" ? paper : {}), ...given }
  return Value.Parse(options, Value.Default(options, values))
}
