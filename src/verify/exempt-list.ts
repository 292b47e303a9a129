import { readFile } from "node:fs/promises"
import { exemptTable } from "../release/anonymize.ts"
import type { Release } from "../release/read-release.ts"
import { type Receipt, receiptPath } from "../release/receipt.ts"
import { digestExempt, type ExemptQueries, noneExempt } from "../text/identifiers/exempt-queries.ts"
import type { VerifySubject } from "./verifier.ts"

/** The owner's list of queries that were not scrubbed, and whether it is the list that the release was made with. */
export interface ExemptList {
  queries: ExemptQueries
  /** Absent: nothing to say, as where there is no list. `unconfirmed`: there is no receipt to compare it with. */
  doubt?: "of another release" | "unconfirmed"
}

/**
 * Reads the list from the audit, and compares its digest with the receipt next to the release. A list that differs is not
 * used: someone may have added to it what was found.
 */
export async function readExemptList({ release, audit }: VerifySubject<Release>): Promise<ExemptList> {
  if (audit === undefined || audit.release !== release.manifest.id || !audit.has(exemptTable.name))
    return { queries: noneExempt }
  const queries = new Set<string>()
  for await (const [query] of audit.rows(exemptTable.name, exemptTable.columns)) queries.add(query)
  if (release.folder === undefined) return { queries } // a draft and its audit are of one run
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
