import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { findInputs, type InputFile, standardInput } from "../../log/inputs.ts"
import type { TaxonomyColumns } from "../taxonomy.ts"
import { guessFormat, type ImportFormat, readStart } from "./formats.ts"
import { loadIab } from "./iab.ts"
import { loadOdp, odpTextLimit } from "./odp-rdf.ts"
import { noRepairs, type Repairs } from "./repairs.ts"
import { TopicTable } from "./topic-table.ts"
import { loadTsv } from "./tsv.ts"

/** How strictly a taxonomy is read. */
export interface ImportOptions {
  /** Guessed from the first bytes if not given. */
  format?: ImportFormat
  /** If true, repairs what can be repaired, and counts it. */
  lenient?: boolean
  /**
   * If true, parents that no line defines are made, without a support of their own. Everything else is read strictly.
   */
  makesParents?: boolean
}

/** A taxonomy that was read, and what had to be repaired. */
export interface Imported {
  columns: TaxonomyColumns
  format: ImportFormat
  /** All zero unless `lenient` was set. */
  repairs: Repairs
}

const loaders = { tsv: loadTsv, odp: loadOdp, iab: loadIab }

/** Reads files of one format into one tree. The same topics give the same tree, in any order. */
export async function importTaxonomy(
  paths: readonly string[],
  options: ImportOptions,
  context: RunContext,
): Promise<Imported> {
  const inputs = await findInputs(paths)
  const [first] = inputs
  if (inputs.some(({ path }) => path === standardInput))
    throw new QueryveilError("usage", "A taxonomy is read from files, not from the standard input (-).")
  if (options.format === undefined && first.size === undefined)
    throw new QueryveilError("usage", `${first.path}: not a regular file. Give its --format.`, {
      flag: "--format",
    })
  const format = options.format ?? guessFormat(await readStart(first, context.signal))
  const repairs = noRepairs()
  const repaired = options.lenient === true ? repairs : undefined
  const table = new TopicTable({
    textLimit: format === "odp" ? odpTextLimit : Number.POSITIVE_INFINITY,
    oncePerFile: format === "odp",
    repairs: repaired,
    makesParents: options.makesParents ?? false,
  })
  for (const input of inputs) {
    const before = table.size
    await loaders[format](input, { table, repairs: repaired }, context)
    if (table.size === before && format !== "odp") throw empty(input)
  }
  if (table.size === 0) throw empty(first)
  return { columns: table.finish(), format, repairs }
}

function empty({ path }: InputFile): QueryveilError {
  return new QueryveilError("input-empty", `${path}: the file has no topic. Check that it is the right file.`, {
    file: path,
  })
}
