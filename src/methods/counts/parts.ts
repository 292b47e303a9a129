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
  plan: planApproximate,
  createNoise,
  countQueries: countBoundedQueries,
  countClicks: countBoundedClicks,
  countTransitions: countBoundedTransitions,
}

export type CountsParts = typeof shippedParts
