import { type Static, Type } from "#typebox"
import type { Check } from "../verify/verifier.ts"
/** What a person decided about a release. It records a typed name; it does not prove who typed it. */
export declare const decisionSchema: Type.TObject<{
  /** The folder's name, and the id of the manifest. */
  release: Type.TString
  id: Type.TString
  /** SHA-256 of `release.json`, which has those of the data files. */
  manifest: Type.TString
  receipt: Type.TString
  report: Type.TString
  /** The two verdicts of the report. */
  promise: Type.TString
  attacks: Type.TString
  /** What the promise does not cover, as the person accepted it, point by point. Empty if they refused. */
  accepted: Type.TArray<Type.TString>
  name: Type.TString
  date: Type.TString
  reason: Type.TString
  note: Type.TString
}>
/** A decision about a release. */
export type Decision = Static<typeof decisionSchema>
/** Printed in every record of a decision. */
export declare const decisionNote =
  "This is a record of a decision. The name was typed and does not prove who typed it."
/** The entry of a project's record that says that a release was signed, as it is kept next to the release. */
export declare const signatureSchema: Type.TObject<{
  kind: Type.TLiteral<"signed">
  facts: Type.TObject<{
    /** The folder's name, and the id of the manifest. */
    release: Type.TString
    id: Type.TString
    /** SHA-256 of `release.json`, which has those of the data files. */
    manifest: Type.TString
    receipt: Type.TString
    report: Type.TString
    /** The two verdicts of the report. */
    promise: Type.TString
    attacks: Type.TString
    /** What the promise does not cover, as the person accepted it, point by point. Empty if they refused. */
    accepted: Type.TArray<Type.TString>
    name: Type.TString
    date: Type.TString
    reason: Type.TString
    note: Type.TString
  }>
  number: Type.TInteger
  at: Type.TString
  previous: Type.TUnion<[Type.TString, Type.TNull]>
  digest: Type.TString
}>
/** A signature, as it is kept next to the release. */
export type Signature = Static<typeof signatureSchema>
/** `DIR.signature.json` and `DIR.report.html`, however DIR is written. */
export declare const signaturePath: (folder: string) => string
export declare const reportPath: (folder: string) => string
/** SHA-256 of a file; undefined if there is none. */
export declare function digestFile(path: string): Promise<string | undefined>
/** The fingerprints that a signature holds, as the files are now. */
export declare function fingerprintSigned(folder: string): Promise<{
  manifest: string | undefined
  receipt: string | undefined
  report: string | undefined
}>
/** The signature next to a release: `none`, `unreadable`, or its content. */
export declare function readSignature(folder: string): Promise<Signature | "none" | "unreadable">
/**
 * Checks the signature next to a release, if there is one: its own digest, the fingerprints it holds, and its place in
 * the project's record. A release without a signature has nothing to check.
 */
export declare function checkSignature(folder: string): Promise<Check[]>
