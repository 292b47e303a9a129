import { createLaplaceSampler } from "../../kernels/noise/laplace-sampler.ts"
import { countBoundedClicks, countBoundedQueries, countBoundedTransitions } from "./bound-users.ts"
import { planApproximate } from "./plan-mechanisms.ts"
import { type CreateNoise, truncated } from "./select-keys.ts"

const createNoise: CreateNoise = ({ scale, truncation }, random) => {
  const noise = createLaplaceSampler({ scale }, random)
  return truncation === undefined ? noise : truncated(noise, truncation)
}

/** The parts that the proof is about. Only tests of the audit replace them with broken ones. */
export const shippedParts = {
  /** Plans the mechanisms, and how much each may cost. */
  plan: planApproximate,
  createNoise,
  /** Counts queries, with a bound on each user. */
  countQueries: countBoundedQueries,
  /** Counts clicks, with a bound on each user. */
  countClicks: countBoundedClicks,
  /** Counts transitions, with a bound on each user. */
  countTransitions: countBoundedTransitions,
}

/** The parts that the proof depends on, so that a test can break one. */
export type CountsParts = typeof shippedParts
