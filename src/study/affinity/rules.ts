import type { SearchLog } from "../../log/search-log.ts"
import { affinity } from "../../methods/affinity/affinity.ts"
import type { AffinityParameters } from "../../methods/affinity/affinity-graph.ts"
import { affinityParameters } from "../../methods/affinity/options.ts"
import type { Point } from "../study.ts"

/** The rules that decide which queries have concepts and which may be protected by others. */
export interface Rules {
  conceptRule: "safe" | "paper"
  minConceptUsers?: number
  minTermUsers?: number
}

/** Two sets of rules: the method's defaults and those of its paper. */
export const ruleSets: Record<"safe" | "paper", Rules> = {
  safe: { conceptRule: "safe" },
  paper: { conceptRule: "paper", minTermUsers: Number(affinity.paper.minTermUsers) },
}

/** The name of a set of rules: `safe`, `paper`, or `own` for any other. */
export function nameRules(rules: Rules): "safe" | "paper" | "own" {
  if (rules.minConceptUsers !== undefined) return "own"
  const found = (["safe", "paper"] as const).find(
    (name) => ruleSets[name].conceptRule === rules.conceptRule && ruleSets[name].minTermUsers === rules.minTermUsers,
  )
  return found ?? "own"
}

/** The text of an n-gram with fewer users is not shown, whatever rule makes it a concept. */
export const shownUsers = 10

/**
 * All points of a curve over k share one set of concepts. By the safe rules it is the set that the method uses for k up
 * to ten.
 */
export function parametersOf(point: Point, log: SearchLog): AffinityParameters {
  const { theta, conceptRule, minConceptUsers, minTermUsers, functionWords, tokens } = point
  return affinityParameters(
    {
      k: shownUsers,
      theta: Number(theta),
      conceptRule: conceptRule === "paper" ? "paper" : "safe",
      functionWords: String(functionWords),
      tokens: tokens === "segmenter" ? "segmenter" : "words",
      ...(minConceptUsers === undefined ? {} : { minConceptUsers: Number(minConceptUsers) }),
      ...(minTermUsers === undefined ? {} : { minTermUsers: Number(minTermUsers) }),
    },
    log,
  )
}
