import type { Table } from "../kernels/table.ts"

/** What a release does with a query. */
export const verdicts = ["released", "released in another form", "not released", "depends on chance"] as const
/** One of `verdicts`. */
export type Verdict = (typeof verdicts)[number]

/**
 * Bounds of the chance that a query is released. They are equal if the chance was computed exactly, and 0 and 1 if
 * nothing is known.
 */
export interface Chance {
  low: number
  high: number
}

/** What happens to a query, and with which chance. */
export interface Outcome {
  verdict: Verdict
  chance: Chance
}

/** A change that gives a query another outcome. */
export interface Change extends Outcome {
  /** Options to set in addition to the given ones. */
  options: Record<string, string | number | boolean>
  /** How many more users must issue the query. Each issues it once, and nothing else. */
  users?: number
  /** True if one step less is not enough. False if this is enough, but less may be enough too. */
  smallest: boolean
  /** What the change costs. */
  price: string
}

/** Why a query is released or not. Private: only the owner of the log may see it. */
export interface Explanation extends Outcome {
  /** Sentences for people, in the order of the method's steps. */
  reasons: string[]
  /** The numbers that decided the outcome. */
  facts: Record<string, string | number>
  /** Some of the changes that would change the outcome; there may be others. */
  changes: Change[]
  /** Longer lists, by title. */
  tables: Record<string, Table>
  /** The graph of the queries around it, if the method compares queries. */
  graph?: ExplanationGraph
}

/** The queries around a query, itself first. Only the nearest are vertices; the counts include all. */
export interface ExplanationGraph {
  vertices: { query: string; users: number; degree: number; isCore: boolean }[]
  edges: [number, number][]
  /** How many queries are around it, itself included, and how many different sets of concepts they have. */
  queries: number
  vectors: number
  /** How many of the queries are, together with it, in a set that gives it its degree. */
  inCore: number
  /** True if this is a whole component of the graph: no other query is connected with it. */
  closed: boolean
}

/** The outcomes that do not depend on chance. */
export const released: Outcome = { verdict: "released", chance: { low: 1, high: 1 } }
export const inAnotherForm: Outcome = { verdict: "released in another form", chance: { low: 1, high: 1 } }
export const notReleased: Outcome = { verdict: "not released", chance: { low: 0, high: 0 } }

/** The outcome that follows from bounds of a chance. It is certain if the chance is 0 or 1. */
export function outcomeOf(low: number, high = low): Outcome {
  if (low >= 1) return released
  return high <= 0 ? notReleased : { verdict: "depends on chance", chance: { low, high } }
}

/** True if some form of the query is released, or may be. */
export const mayLeave = ({ chance }: Outcome): boolean => chance.high > 0

/** `1 user`, `2 users`. */
export const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** What a smaller k costs, as a sentence. */
export const priceOfK = (k: number): string =>
  k === 1 ? "Nothing is promised any more." : "The promise becomes weaker for every query and person of the release."
export const moreUsers = "More people must have issued it. Wait for them, or release a longer log."
