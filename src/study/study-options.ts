import { Value } from "#typebox"
import type { Study } from "./study.ts"

/** The options of a study: its defaults, then the preset, then the given values. Every value is checked. */
export function completeStudyOptions(
  { options, paper }: Pick<Study, "options" | "paper">,
  given: object,
  preset?: "paper",
): Record<string, unknown> {
  const values = { ...(preset === "paper" ? paper : {}), ...given }
  return Value.Parse(options, Value.Default(options, values))
}
