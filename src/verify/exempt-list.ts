import { readFile } from "node:fs/promises"
import { exemptTable } from "../release/anonymize.ts"
import type { Release } from "../release/read-release.ts"
import { type Receipt, receiptPath } from "../release/receipt.ts"
import { digestExempt, type ExemptQueries, noneExempt } from "../text/identifiers/exempt-queries.ts"
import type { VerifySubject } from "./verifier.ts"

/** The owner's list of queries that were not scrubbed, and whether the release was made with it. */
export interface ExemptList {
  queries: ExemptQueries
  /** Missing if there is no doubt, or no list. `unconfirmed`: there is no receipt to compare the list with. */
  doubt?: "of another release" | "unconfirmed"
}

/**
 * Reads the list from the audit, and compares its digest with the receipt next to the release. A list that differs is
 * not used, because someone may have added identifiers that the verifier would find.
 */
export async function readExemptList({ release, audit }: VerifySubject<Release>): Promise<ExemptList> {
  if (audit === undefined || audit.release !== release.manifest.id || !audit.has(exemptTable.name))
    return { queries: noneExempt }
  const queries = new Set<string>()
  for await (const [query] of audit.rows(exemptTable.name, exemptTable.columns)) queries.add(query)
  if (release.folder === undefined) return { queries } // a draft and its audit come from one run
  const receipt = await readReceipt(release.folder, release.manifest.id)
  if (receipt === undefined) return { queries, doubt: "unconfirmed" }
  if (receipt.scrubExempt?.sha256 === digestExempt(queries)) return { queries }
  return { queries: noneExempt, doubt: "of another release" }
}

async function readReceipt(folder: string, id: string): Promise<Receipt | undefined> {
  try {
    const receipt: Receipt = JSON.parse(await readFile(receiptPath(folder), "utf8"))
    return receipt.release === id ? receipt : undefined
  } catch {
    return undefined
  }
}
