import { createHash } from "node:crypto"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RowsManifest } from "#dist/release/manifest.js"
import { dataFile } from "./released-rows.ts"

/** The parts of a copied release that may be changed: its lines (the header is line 0) and its manifest. */
export interface Tampering {
  lines: string[]
  manifest: RowsManifest
}

/**
 * Copies a release whose file is text and changes the copy. Row count and digest are then computed again, so the folder
 * is consistent and only a check of its guarantee can show the change.
 */
export function tamper(release: string, copy: string, change: (release: Tampering) => void): string {
  cpSync(release, copy, { recursive: true })
  const path = dataFile(copy)
  const manifest: RowsManifest = JSON.parse(readFileSync(join(copy, "release.json"), "utf8"))
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  change({ lines, manifest })
  const bytes = lines.map((line) => `${line}\n`).join("")
  writeFileSync(path, bytes)
  const [file] = manifest.files
  if (file !== undefined) {
    file.rows = path.endsWith(".jsonl") ? lines.length : lines.length - 1
    file.sha256 = createHash("sha256").update(bytes).digest("hex")
  }
  writeFileSync(join(copy, "release.json"), JSON.stringify(manifest))
  return copy
}

/** The cells of a tab-separated row: user, query, time, rank, url. */
export const cellsOf = (line: string): string[] => line.split("\t")

/** A row with another cell in one column. */
export function withCell(line: string, column: number, value: string): string {
  return cellsOf(line).with(column, value).join("\t")
}

/** Changes one cell of the first row that `pick` selects. */
export function setCell(lines: string[], column: number, value: string, pick: (cells: string[]) => boolean): void {
  const row = lines.findIndex((line, i) => i > 0 && pick(cellsOf(line)))
  if (row < 0) throw new Error("there is no such row to change")
  lines[row] = withCell(lines[row], column, value)
}
