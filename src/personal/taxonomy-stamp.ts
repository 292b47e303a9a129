import { createHash } from "node:crypto"
import { taxonomyFingerprint } from "../taxonomy/fingerprint.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

const known = new WeakMap<Taxonomy, string>()

/**
 * Distinguishes taxonomies in which a topic may have another path, probability or information content: tree, names,
 * supports.
 */
export function taxonomyStamp(taxonomy: Taxonomy): string {
  const found = known.get(taxonomy)
  if (found !== undefined) return found
  const { buffer, byteOffset, byteLength } = taxonomy.support
  const stamp = createHash("sha256")
    .update(taxonomyFingerprint(taxonomy))
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest("hex")
    .slice(0, 32)
  known.set(taxonomy, stamp)
  return stamp
}
