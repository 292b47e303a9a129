import { crc32 } from "node:zlib"
import type { StoreFiles } from "../../files/folder-files.ts"
import { ColumnReader, ColumnWriter } from "./columns.ts"
import { damaged } from "./damage.ts"

/** A file of hashes, how many of them are valid, and the CRC-32 of those. */
export interface Generation {
  name: string
  pairs: number
  crc: number
}

const pairBytes = 8
const chunkPairs = 1 << 19
const generationName = (generation: number) => `released-${generation}.bin`
const generationOf = (name: string) => Number(/^released-([0-9]+)\.bin$/.exec(name)?.[1] ?? 0)

/**
 * Appends hashes, two words each, after the valid ones, and returns what is valid afterwards. A file takes `remember`
 * pairs; then the next file begins, and only the one before it is kept. Files that are no longer valid are left for the
 * caller to remove.
 */
export async function addPairs(
  files: StoreFiles,
  words: Uint32Array,
  options: { released: readonly Generation[]; remember: number },
): Promise<Generation[]> {
  let kept = [...options.released]
  const bytes = new Uint8Array(words.byteLength)
  new ColumnWriter(bytes, 0).put(words)
  const total = words.length / 2
  for (let done = 0; done < total; ) {
    let young = kept.at(-1)
    if (young === undefined || young.pairs >= options.remember) {
      young = { name: generationName(generationOf(young?.name ?? "") + 1), pairs: 0, crc: 0 }
      kept = [...kept.slice(-1), young]
    }
    const count = Math.min(total - done, options.remember - young.pairs)
    const more = bytes.subarray(done * pairBytes, (done + count) * pairBytes)
    const file = await files.open(young.name, "make")
    try {
      await file.cut(young.pairs * pairBytes)
      await file.write(more, young.pairs * pairBytes)
      await file.flush()
    } finally {
      await file.close()
    }
    kept[kept.length - 1] = { name: young.name, pairs: young.pairs + count, crc: crc32(more, young.crc) }
    done += count
  }
  return kept
}

/** Yields the valid hashes, oldest first. Those of a damaged file are yielded before the damage is known. */
export async function* readPairs(files: StoreFiles, released: readonly Generation[]): AsyncGenerator<Uint32Array> {
  for (const { name, pairs, crc } of released) {
    const file = await files.open(name, "read")
    let found = 0
    try {
      for (let done = 0; done < pairs; done += chunkPairs) {
        const bytes = new Uint8Array(Math.min(chunkPairs, pairs - done) * pairBytes)
        const read = await file.read(bytes, done * pairBytes)
        if (read < bytes.length) throw damaged(files.folder, name, `ends at byte ${done * pairBytes + read}, too early`)
        found = crc32(bytes, found)
        yield new ColumnReader(bytes, 0).uint32(bytes.length / 4)
      }
      if (found !== crc) throw damaged(files.folder, name, "does not match its checksum")
    } finally {
      await file.close()
    }
  }
}
