import type { SearchLog } from "../../log/search-log.ts"
import { affinity } from "../../methods/affinity/affinity.ts"
import type { AffinityParameters } from "../../methods/affinity/affinity-graph.ts"
import { affinityParameters } from "../../methods/affinity/options.ts"
import type { Point } from "../study.ts"

/** What decides which queries have concepts and may be protected by others. */
export interface Rules {
  conceptRule: "safe" | "paper"
  minConceptUsers?: number
  minTermUsers?: number
}

/** The rules of the method's defaults and of its paper. */
export const ruleSets: Record<"safe" | "paper", Rules> = {
  safe: { conceptRule: "safe" },
  paper: { conceptRule: "paper", minTermUsers: Number(affinity.paper.minTermUsers) },
}

/** The name of rules: whose they are, or `own` for others. */
export function nameRules(rules: Rules): "safe" | "paper" | "own" {
  if (rules.minConceptUsers !== undefined) return "own"
  const found = (["safe", "paper"] as const).find(
    (name) => ruleSets[name].conceptRule === rules.conceptRule && ruleSets[name].minTermUsers === rules.minTermUsers,
  )
  return found ?? "own"
}

/** n-grams of fewer users are not shown by their text, whatever makes a concept. */
export const shownUsers = 10

/** A curve over k has one set of concepts: by the safe rules those that the method takes for k up to ten. */
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
