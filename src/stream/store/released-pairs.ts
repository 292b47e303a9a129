import { ColumnReader, ColumnWriter } from "./columns.ts"
import { damaged } from "./damage.ts"
import type { StoreFiles } from "./files.ts"

/** A file of hashes, and how many of them count. */
export interface Generation {
  name: string
  pairs: number
}

const pairBytes = 8
const chunkPairs = 1 << 19
const generationName = (generation: number) => `released-${generation}.bin`
const generationOf = (name: string) => Number(/^released-([0-9]+)\.bin$/.exec(name)?.[1] ?? 0)

/**
 * Adds hashes, two words each, behind those that count, and gives what counts afterwards. A file takes `remember` pairs;
 * then the next begins, and only the one before it is kept. The files that no longer count are left to be removed.
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
      young = { name: generationName(generationOf(young?.name ?? "") + 1), pairs: 0 }
      kept = [...kept.slice(-1), young]
    }
    const count = Math.min(total - done, options.remember - young.pairs)
    const file = await files.open(young.name, "make")
    try {
      await file.cut(young.pairs * pairBytes)
      await file.write(bytes.subarray(done * pairBytes, (done + count) * pairBytes), young.pairs * pairBytes)
      await file.flush()
    } finally {
      await file.close()
    }
    kept[kept.length - 1] = { name: young.name, pairs: young.pairs + count }
    done += count
  }
  return kept
}

/** The hashes that count, the oldest first. */
export async function* readPairs(files: StoreFiles, released: readonly Generation[]): AsyncGenerator<Uint32Array> {
  for (const { name, pairs } of released) {
    const file = await files.open(name, "read")
    try {
      for (let done = 0; done < pairs; done += chunkPairs) {
        const bytes = new Uint8Array(Math.min(chunkPairs, pairs - done) * pairBytes)
        const read = await file.read(bytes, done * pairBytes)
        if (read < bytes.length) throw damaged(files.folder, name, `ends at byte ${done * pairBytes + read}, too early`)
        yield new ColumnReader(bytes, 0).uint32(bytes.length / 4)
      }
    } finally {
      await file.close()
    }
  }
}
