import { open } from "node:fs/promises"
import { QueryveilError } from "../kernels/error.ts"
import { readError } from "./read-error.ts"
import { byteSource, decodeSections, encodeSections, type SectionFormat } from "./section-file.ts"

type Columns = Record<string, ArrayBufferView>

/** The chunks of a file of columns. The columns are stored unchanged, together with `facts` about them. */
export function encodeColumns(columns: Columns, options: SectionFormat & { facts: unknown }): Uint8Array[] {
  const sections = Object.entries(columns).map(([name, { buffer, byteOffset, byteLength }]) => {
    return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
  })
  return encodeSections(sections, options)
}

/** The content of a file of columns. A missing section is read as empty. */
export interface ColumnFile {
  facts: unknown
  take(name: string): SharedArrayBuffer
}

/**
 * Reads a file that `encodeColumns` made and returns what `view` makes of it, or undefined if it is another kind of
 * file. `broken` makes the error for a file of this kind that cannot be used; `view` throws it too.
 */
export async function readColumnFile<T>(
  path: string,
  format: SectionFormat,
  { view, broken }: { view(file: ColumnFile): T; broken(what: string): QueryveilError },
): Promise<T | undefined> {
  const file = await open(path, "r").catch((cause: unknown) => {
    throw readError(path, cause)
  })
  try {
    const { size } = await file.stat()
    const kept = await decodeSections(byteSource(file, size), format)
    if (kept.state === "foreign") return undefined
    if (kept.state === "version") throw broken("was made by another version of queryveil or on another machine")
    if (kept.state !== "read") throw broken("is damaged")
    const { facts, sections } = kept
    return view({ facts, take: (name) => sections.get(name) ?? new SharedArrayBuffer(0) })
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    if (error instanceof SyntaxError || error instanceof RangeError) throw broken("is damaged")
    throw readError(path, error)
  } finally {
    await file.close()
  }
}
