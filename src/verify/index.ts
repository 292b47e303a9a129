export { exposureRisk, type RiskOf } from "./exposure-risk.ts"
export { verifyExposures } from "./exposures.ts"
export { overall, verifiers, verify } from "./registry.ts"
export type { Check, Verifier, VerifySubject } from "./verifier.ts"
