import { Type } from "#typebox"
import { type RunContext } from "../../kernels/context.ts"
import type { Project } from "../../project/open-project.ts"
import type { RecordEntry } from "../../project/record-chain.ts"
import { type Decision } from "../../project/signature.ts"
import { type GivenOptions } from "../options.ts"
export declare const decisionOptions: Type.TObject<{
  name: Type.TString
  reason: Type.TString
  accept: Type.TOptional<Type.TArray<Type.TString>>
}>
/** Who decides, why, and which points they accept. */
export interface DecisionOptions extends GivenOptions<typeof decisionOptions> {}
/** A decision that was recorded. */
export interface Decided {
  release: string
  decision: "signed" | "refused"
  /** The number of its entry in the project's record. */
  number: number
  digest: string
  facts: Decision
}
/**
 * Records that a person signs a release of a project, in the project's record and next to the release. Every point that
 * the promise does not cover must be accepted. Refuses a release that changed since its report, that was judged without
 * its log, or that failed a check. A signature is never replaced. It is a record, and no proof of who signed.
 */
export declare function signRelease(
  project: Project,
  name: string,
  options: DecisionOptions,
  context?: RunContext,
): Promise<Decided>
/** Records that a person refuses to publish a release, and why. It can still be signed later; the record keeps both. */
export declare function refuseRelease(
  project: Project,
  name: string,
  options: DecisionOptions,
  context?: RunContext,
): Promise<Decided>
/** Writes the signature of an entry next to its release. Never replaces one. */
export declare function writeSignature(folder: string, entry: RecordEntry): Promise<void>
