import { createLaplaceSampler } from "../../kernels/noise/laplace-sampler.ts"
import { countBoundedClicks, countBoundedQueries, countBoundedTransitions } from "./bound-users.ts"
import { planApproximate } from "./plan-mechanisms.ts"
import { type CreateNoise, truncated } from "./select-keys.ts"

const createNoise: CreateNoise = ({ scale, truncation }, random) => {
  const noise = createLaplaceSampler({ scale }, random)
  return truncation === undefined ? noise : truncated(noise, truncation)
}

/** The pieces that the proof is about. Only the tests of the audit put broken ones in their place. */
export const shippedParts = {
  /** The mechanisms, and what each may cost. */
  plan: planApproximate,
  createNoise,
  /** Counts of queries, each user's share bounded. */
  countQueries: countBoundedQueries,
  /** Counts of clicks, each user's share bounded. */
  countClicks: countBoundedClicks,
  /** Counts of transitions, each user's share bounded. */
  countTransitions: countBoundedTransitions,
}

/** The pieces that the proof rests on, so that a test can break one. */
export type CountsParts = typeof shippedParts
