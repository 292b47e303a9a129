import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

let folder: string | undefined

/** A folder for this thread, which is removed when the process ends. */
export function scratchFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "queryveil-fuzz-"))
    process.once("exit", () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  return folder
}

/** Writes bytes to a file of the scratch folder, replacing an earlier one, and returns its path. */
export function writeScratch(name: string, bytes: Uint8Array): string {
  const path = join(scratchFolder(), name)
  writeFileSync(path, bytes)
  return path
}
