import type { LinePlan } from "../../../log/formats/parsed-block.ts"
import type { Reading } from "../../../log/formats/reading.ts"

/** How the rows of a source reach the kernel `rows`. */
export interface SourceDocuments {
  plan: LinePlan
  /** A query of the documents of the kernel. */
  documents: string
  /** A query of one number: how many documents there are. */
  expected: string
  /** Lines that repeat the header of a file. They are counted and not read. */
  headers: number
}

/** The documents of a source, and which columns are read. */
export type PlannedSource = SourceDocuments & { reading: Reading | undefined }
