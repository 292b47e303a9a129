import { createHash } from "node:crypto"
import type { Taxonomy } from "./taxonomy.ts"

/** Distinguishes taxonomies whose nodes have different meanings: a digest of the tree and its names. */
export function taxonomyFingerprint({ columns }: Taxonomy): string {
  const digest = createHash("sha256")
  for (const { buffer, byteOffset, byteLength } of [columns.parent, columns.nameOffsets, columns.nameArena])
    digest.update(new Uint8Array(buffer, byteOffset, byteLength))
  return digest.digest("hex")
}
