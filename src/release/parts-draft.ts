import type { RunContext } from "../kernels/context.ts"
import type { PrivateSide } from "./anonymize.ts"
import type { FileFormat, RowsManifest } from "./manifest.ts"

/** A draft whose rows are not on this machine. The engine that has them writes the data files. */
export interface PartsDraft extends PrivateSide {
  kind: "parts"
  manifest: Omit<RowsManifest, "files">
  /** Writes the parts of the data to a folder. */
  writeParts(folder: string, options: { to: FileFormat }, context: RunContext): Promise<RowsManifest["files"]>
}
