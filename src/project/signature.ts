import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { type Static, Type, Value } from "#typebox"
import { besidePath } from "../files/reserve.ts"
import { systemCode } from "../kernels/error.ts"
import { receiptPath } from "../release/receipt.ts"
import { manifestFile } from "../release/write-release.ts"
import type { Check } from "../verify/verifier.ts"
import { recordOfRelease } from "./project-layout.ts"
import { digestEntry, entrySchema, readRecord } from "./record-chain.ts"

const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" })

/** What a person decided about a release. It records a typed name; it does not prove who typed it. */
export const decisionSchema = Type.Object({
  /** The folder's name, and the id of the manifest. */
  release: Type.String(),
  id: Type.String(),
  /** SHA-256 of `release.json`, which has those of the data files. */
  manifest: sha256,
  receipt: sha256,
  report: sha256,
  /** The two verdicts of the report. */
  promise: Type.String(),
  attacks: Type.String(),
  /** What the promise does not cover, as the person accepted it, point by point. Empty if they refused. */
  accepted: Type.Array(Type.String()),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  date: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  reason: Type.String({ minLength: 1, maxLength: 4000 }),
  note: Type.String(),
})

/** A decision about a release. */
export type Decision = Static<typeof decisionSchema>

/** Printed in every record of a decision. */
export const decisionNote = "This is a record of a decision. The name was typed and does not prove who typed it."

/** The entry of a project's record that says that a release was signed, as it is kept next to the release. */
const signatureSchema = Type.Object({
  ...entrySchema.properties,
  kind: Type.Literal("signed"),
  facts: decisionSchema,
})

/** A signature, as it is kept next to the release. */
export type Signature = Static<typeof signatureSchema>

/** `DIR.signature.json` and `DIR.report.html`, however DIR is written. */
export const signaturePath = (folder: string): string => besidePath(folder, ".signature.json")
export const reportPath = (folder: string): string => besidePath(folder, ".report.html")

/** SHA-256 of a file; undefined if there is none. */
async function digestFile(path: string): Promise<string | undefined> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined
    throw error
  }
}

/** The fingerprints that a signature holds, as the files are now. */
export async function fingerprintSigned(folder: string) {
  return {
    manifest: await digestFile(`${folder}/${manifestFile}`),
    receipt: await digestFile(receiptPath(folder)),
    report: await digestFile(reportPath(folder)),
  }
}

/** The signature next to a release: `none`, `unreadable`, or its content. */
export async function readSignature(folder: string): Promise<Signature | "none" | "unreadable"> {
  try {
    const value: unknown = JSON.parse(await readFile(signaturePath(folder), "utf8"))
    return Value.Check(signatureSchema, value) ? value : "unreadable"
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "none" : "unreadable"
  }
}

const signed = {
  name: "signature",
  promise: "release, receipt and report are those that were signed, and the signature is as it was written",
} as const
const recorded = {
  name: "signature-record",
  promise: "the signature is an entry of the project's record, and no entry of it was changed or removed",
} as const

/**
 * Checks the signature next to a release, if there is one: its own digest, the fingerprints in it, and its place in
 * the project's record. A release without a signature has nothing to check.
 */
export async function checkSignature(folder: string): Promise<Check[]> {
  const signature = await readSignature(folder)
  if (signature === "none") return []
  if (signature === "unreadable")
    return [{ ...signed, state: "failed", detail: "the file next to the release is no signature of queryveil" }]
  return [await checkFingerprints(folder, signature), await checkRecord(folder, signature)]
}

async function checkFingerprints(folder: string, signature: Signature): Promise<Check> {
  if (digestEntry(signature) !== signature.digest)
    return { ...signed, state: "failed", detail: "the signature was changed after it was made" }
  const found = await fingerprintSigned(folder)
  const { facts } = signature
  const other = (["manifest", "receipt", "report"] as const).filter((part) => found[part] !== facts[part])
  const changed = other.filter((part) => found[part] !== undefined)
  if (changed.length > 0) return { ...signed, state: "failed", detail: `changed since: ${changed.join(", ")}` }
  if (other.length > 0) return { ...signed, state: "not checked", detail: `not here: ${other.join(", ")}` }
  return { ...signed, state: "passed", detail: `signed by ${facts.name} on ${facts.date} (a typed name)` }
}

async function checkRecord(folder: string, signature: Signature): Promise<Check> {
  const { entries, problem } = await readRecord(recordOfRelease(folder))
  if (entries.length === 0 && problem === undefined)
    return { ...recorded, state: "not checked", detail: "the project's record is not here" }
  if (problem !== undefined) return { ...recorded, state: "failed", detail: `line ${problem.line} ${problem.what}` }
  const isThere = entries[signature.number - 1]?.digest === signature.digest
  return isThere
    ? { ...recorded, state: "passed" }
    : { ...recorded, state: "failed", detail: `entry ${signature.number} of the record is not this signature` }
}
