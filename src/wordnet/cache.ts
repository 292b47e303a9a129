import { join } from "node:path"
import { loadKept, saveKept } from "../files/kept-file.ts"
import { encodeSections } from "../files/section-file.ts"
import { type ColumnLengths, columnBytes, lengthsOf, viewColumns, type WordNetColumns } from "./columns.ts"
import { type Source, sourceFiles } from "./source.ts"

/** Raise the version when the columns or the output of the parser change. */
const format = { magic: "queryveil wordnet cache\n", version: 2 }
const sectionName = "columns"

/** The database that the columns were made from, and their lengths. */
interface Facts {
  sizes: Source["sizes"]
  lengths: ColumnLengths
}

const pathIn = (folder: string) => join(folder, "wordnet.cache")

/**
 * The columns kept in this folder, if this version made them from a database of these sizes and they are undamaged. The
 * file is a header and the shared buffer unchanged, so opening it takes one read and one checksum.
 */
export async function loadColumns(folder: string, source: Source): Promise<WordNetColumns | undefined> {
  const kept = await loadKept(pathIn(folder), format)
  if (kept === undefined) return undefined
  const { sizes, lengths } = kept.facts as Facts // the checksum matches, so this is what was saved
  const body = kept.sections.get(sectionName)
  if (sourceFiles.some((name) => sizes[name] !== source.sizes[name]) || body === undefined) return undefined
  return viewColumns(body, lengths)
}

/** Keeps the columns for the next run. */
export async function saveColumns(folder: string, columns: WordNetColumns, { sizes }: Source): Promise<void> {
  const lengths = lengthsOf(columns)
  const body = new Uint8Array(columns.lemmaArena.buffer, 0, columnBytes(lengths))
  const facts: Facts = { sizes, lengths }
  await saveKept(pathIn(folder), encodeSections([{ name: sectionName, bytes: body }], { ...format, facts }))
}
