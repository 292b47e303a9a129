import { createHash } from "node:crypto"
import { taxonomyFingerprint } from "../taxonomy/fingerprint.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/** Tells taxonomies apart in which a topic may have another path, probability or information content: tree, names, supports. */
export function taxonomyStamp(taxonomy: Taxonomy): string {
  const { buffer, byteOffset, byteLength } = taxonomy.support
  return createHash("sha256")
    .update(taxonomyFingerprint(taxonomy))
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest("hex")
    .slice(0, 32)
}
