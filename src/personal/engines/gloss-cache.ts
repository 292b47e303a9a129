import { createHash } from "node:crypto"
import { join } from "node:path"
import { encodeColumns } from "../../files/column-file.ts"
import { loadKept, saveKept } from "../../files/kept-file.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { buildGlossIndex, type GlossColumns } from "./gloss-index.ts"

/** Raise the version when words are split or weighted differently. */
const format = { magic: "queryveil gloss index\n", version: 1 }

/**
 * The index over a taxonomy's texts. It is read from the folder if a complete one is there; otherwise it is built and
 * saved there. If the folder cannot be written, the only cost is time at the next start.
 */
export async function openGlossIndex(
  taxonomy: Taxonomy,
  { folder }: { folder?: string | undefined },
): Promise<GlossColumns> {
  if (folder === undefined) return buildGlossIndex(taxonomy)
  const stamp = textStamp(taxonomy)
  const path = join(folder, `glosses-${stamp.slice(0, 16)}.index`)
  const known = await load(path, stamp)
  if (known !== undefined) return known
  const columns = buildGlossIndex(taxonomy)
  await saveKept(path, encodeColumns({ ...columns }, { ...format, facts: stamp })).catch(() => {})
  return columns
}

function textStamp({ columns }: Taxonomy): string {
  const { parent, nameArena, nameOffsets, textArena, textOffsets } = columns
  const digest = createHash("sha256")
  for (const { buffer, byteOffset, byteLength } of [parent, nameOffsets, nameArena, textOffsets, textArena])
    digest.update(new Uint8Array(buffer, byteOffset, byteLength))
  return digest.digest("hex")
}

async function load(path: string, stamp: string): Promise<GlossColumns | undefined> {
  const kept = await loadKept(path, format)
  if (kept === undefined || kept.facts !== stamp) return undefined
  const take = (name: keyof GlossColumns) => kept.sections.get(name) ?? new SharedArrayBuffer(0)
  return {
    termArena: new Uint8Array(take("termArena")),
    termOffsets: new Uint32Array(take("termOffsets")),
    postingOffsets: new Uint32Array(take("postingOffsets")),
    topic: new Uint32Array(take("topic")),
    weight: new Uint8Array(take("weight")),
    length: new Uint16Array(take("length")),
  }
}
