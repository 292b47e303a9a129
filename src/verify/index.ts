export { overall, verifiers, verify } from "./registry.ts"
export type { Check, Verifier, VerifySubject } from "./verifier.ts"
