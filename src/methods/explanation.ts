import type { Table } from "../kernels/table.ts"

/** What a release does with a query. */
export const verdicts = ["released", "released in another form", "not released", "depends on chance"] as const
/** One of `verdicts`. */
export type Verdict = (typeof verdicts)[number]

/** Bounds of the chance that a query is released; equal where it was computed exactly, 0 and 1 where nothing is known. */
export interface Chance {
  low: number
  high: number
}

/** What becomes of a query, and how sure that is. */
export interface Outcome {
  verdict: Verdict
  chance: Chance
}

/** A change that gives a query another outcome. */
export interface Change extends Outcome {
  /** Options to give besides those that were given. */
  options: Record<string, string | number | boolean>
  /** So many more users must issue the query, each once and nothing else. */
  users?: number
  /** One step less does not suffice; false: it suffices, and less may too. */
  smallest: boolean
  /** What it costs. */
  price: string
}

/** Why a query is in a release or not. For the owner of the log: private. */
export interface Explanation extends Outcome {
  /** Sentences for people, in the order of the method's steps. */
  reasons: string[]
  /** The numbers that decided. */
  facts: Record<string, string | number>
  /** What would change the outcome; not all that would. */
  changes: Change[]
  /** Longer lists, by title. */
  tables: Record<string, Table>
  /** The queries around it as a graph, where the method compares queries. */
  graph?: ExplanationGraph
}

/** The queries around a query, itself first. The nearest are vertices, all are counted. */
export interface ExplanationGraph {
  vertices: { query: string; users: number; degree: number; isCore: boolean }[]
  edges: [number, number][]
  /** Queries around it, itself included, and the different sets of concepts that they have. */
  queries: number
  vectors: number
  /** How many of the queries belong with it to a set that gives it its degree. */
  inCore: number
  /** It is a whole component: nothing else is connected with it. */
  closed: boolean
}

/** Certain outcomes, and one that chance decides. */
export const released: Outcome = { verdict: "released", chance: { low: 1, high: 1 } }
export const inAnotherForm: Outcome = { verdict: "released in another form", chance: { low: 1, high: 1 } }
export const notReleased: Outcome = { verdict: "not released", chance: { low: 0, high: 0 } }

/** The outcome of a chance: certain at its ends. */
export function outcomeOf(low: number, high = low): Outcome {
  if (low >= 1) return released
  return high <= 0 ? notReleased : { verdict: "depends on chance", chance: { low, high } }
}

/** Whether something of the query leaves, or may leave. */
export const mayLeave = ({ chance }: Outcome): boolean => chance.high > 0

/** `1 user`, `2 users`. */
export const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** What a smaller k costs. */
export const priceOfK = (k: number): string =>
  k === 1 ? "Nothing is promised any more." : "The promise becomes weaker for every query and person of the release."
export const moreUsers = "The log must hold more people who issued it: wait for them, or release a longer log."
