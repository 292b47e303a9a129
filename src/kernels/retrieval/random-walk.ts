import type { Candidates } from "./rank-documents.ts"
import { SparseVector } from "./sparse-vector.ts"
import type { WalkGraph } from "./walk-graph.ts"

/** Length of a walk, and its probability of staying. */
export interface WalkOptions {
  /** Steps of the walk; 3 in the paper. */
  steps: number
  /** Probability of staying, s; 0.1 in the paper. */
  selfLoop: number
}

/**
 * Random walks forward from a query, a variation of Craswell & Szummer 2007. Zhang, Yang & Singh 2016, §5: P(k|j) = s
 * if k = j, else (1 − s) C_jk / Σ_i C_ji. A document has no outgoing edges, nor has a query without clicks and next
 * queries. There the walk stays, so that probabilities sum to 1.
 *
 * A document keeps what reaches it, so its probability after n steps is everything that arrived in any of them. Let
 * V(q) be the expected number of visits to q in the walk's first n places, the start included. The probability is then
 * Σ_q V(q) (1 − s) C_qd / Σ_i C_qi. So the walk itself visits only queries, and each visited query distributes its
 * clicks once.
 *
 * Returns the documents at which the walk may stop, in no order, scored by their probabilities. They are valid until
 * the next walk. Only memory that was touched is cleared, so a walk costs what it reaches.
 */
export function createWalker(graph: WalkGraph, { steps, selfLoop }: WalkOptions): (query: number) => Candidates {
  const { clicks, transitions, leaving } = graph
  const visits = new SparseVector(graph.queries)
  let here = new SparseVector(graph.queries)
  let next = new SparseVector(graph.queries)
  const reached = new SparseVector(graph.documents)

  /** One step: adds the distribution after it to `to`. */
  const step = (to: SparseVector) => {
    for (let at = 0; at < here.count; at++) {
      const query = here.touched[at]
      const mass = here.values[query]
      to.add(query, leaving[query] === 0 ? mass : selfLoop * mass)
      const unit = ((1 - selfLoop) * mass) / leaving[query]
      for (let i = transitions.starts[query], end = transitions.starts[query + 1]; i < end; i++) {
        to.add(transitions.targets[i], unit * transitions.weights[i])
      }
    }
  }

  return (start) => {
    visits.clear()
    here.clear()
    reached.clear()
    here.add(start, 1)
    visits.add(start, 1)
    for (let place = 1; place < steps - 1; place++) {
      next.clear()
      step(next)
      const left = here
      here = next
      next = left
      for (let at = 0; at < here.count; at++) visits.add(here.touched[at], here.values[here.touched[at]])
    }
    // The last place is only counted, so it needs no vector of its own.
    if (steps > 1) step(visits)
    for (let at = 0; at < visits.count; at++) {
      const query = visits.touched[at]
      const unit = ((1 - selfLoop) * visits.values[query]) / leaving[query]
      for (let i = clicks.starts[query], end = clicks.starts[query + 1]; i < end; i++) {
        reached.add(clicks.targets[i], unit * clicks.weights[i])
      }
    }
    return { documents: reached.touched, count: reached.count, scoreOf: (document) => reached.values[document] }
  }
}
