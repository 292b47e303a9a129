import { createHash } from "node:crypto"
import type { ReadResult } from "../log/parse-sources.ts"

/**
 * Fingerprint of everything that a study's points depend on except their values: the files, how they were read, and the
 * other inputs (`beside`).
 */
export function fingerprintInput({ intake, log }: ReadResult, beside: Record<string, unknown>): string {
  const { format, unit, encoding, files } = intake
  const sizes = [log.rows, log.events, log.users.size, log.queries.size, log.urls.size]
  const parts = [format, unit, encoding ?? null, sizes, files.map(({ sha256 }) => sha256), beside]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
