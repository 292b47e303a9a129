import { createHash, randomUUID } from "node:crypto"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { byteSource, decodeSections } from "../../kernels/section-file.ts"
import { encodeColumns } from "../../taxonomy/column-file.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { buildGlossIndex, type GlossColumns } from "./gloss-index.ts"

/** Raise the version when words are cut or weighed in another way. */
const format = { magic: "queryveil gloss index\n", version: 1 }

/**
 * The index over a taxonomy's texts: from the folder if it is there whole, else built and kept there. A folder that cannot be
 * written costs time at the next start, nothing else.
 */
export async function openGlossIndex(
  taxonomy: Taxonomy,
  { folder }: { folder?: string | undefined },
): Promise<GlossColumns> {
  if (folder === undefined) return buildGlossIndex(taxonomy)
  const stamp = textStamp(taxonomy)
  const path = join(folder, `glosses-${stamp.slice(0, 16)}.index`)
  const known = await load(path, stamp).catch(() => undefined)
  if (known !== undefined) return known
  const columns = buildGlossIndex(taxonomy)
  await save(path, columns, { folder, stamp }).catch(() => {})
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
  const file = await open(path, "r")
  try {
    const kept = await decodeSections(byteSource(file, (await file.stat()).size), format)
    if (kept.state !== "read" || kept.facts !== stamp) return undefined
    const take = (name: keyof GlossColumns) => kept.sections.get(name) ?? new SharedArrayBuffer(0)
    return {
      termArena: new Uint8Array(take("termArena")),
      termOffsets: new Uint32Array(take("termOffsets")),
      postingOffsets: new Uint32Array(take("postingOffsets")),
      topic: new Uint32Array(take("topic")),
      weight: new Uint8Array(take("weight")),
      length: new Uint16Array(take("length")),
    }
  } finally {
    await file.close()
  }
}

/** Written beside and renamed, so that a reader sees a whole file or none. */
async function save(
  path: string,
  columns: GlossColumns,
  { folder, stamp }: { folder: string; stamp: string },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.partial`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const file = await open(temporary, "wx", 0o600)
    try {
      for (const part of encodeColumns({ ...columns }, { ...format, facts: stamp })) await file.writeFile(part)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
