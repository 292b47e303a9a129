import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { fingerprintFile } from "../log/blocks.ts"
import { filesFolder, hashOf } from "./study-folder.ts"

/** A file of a point, as it was when the point was finished. */
export interface PointFile {
  /** Path relative to the study's folder. */
  path: string
  bytes: number
  sha256: string
}

/** All files that a point left in the study's folder. */
export async function describeFiles(folder: string, hash: string): Promise<PointFile[]> {
  const paths: string[] = []
  for (const entry of await readdir(join(folder, filesFolder), { withFileTypes: true }).catch(() => [])) {
    if (hashOf(entry.name) !== hash) continue
    const path = join(filesFolder, entry.name)
    if (entry.isDirectory()) paths.push(...(await readdir(join(folder, path))).map((name) => join(path, name)))
    else paths.push(path)
  }
  const files: PointFile[] = []
  for (const path of paths.sort()) {
    const { size } = await stat(join(folder, path))
    files.push({ path, bytes: size, sha256: await fingerprintFile({ path: join(folder, path) }) })
  }
  return files
}

/** True if all files are present and unchanged. Sizes are compared first, because that is cheap. */
export async function areWhole(folder: string, files: readonly PointFile[]): Promise<boolean> {
  try {
    for (const { path, bytes } of files) if ((await stat(join(folder, path))).size !== bytes) return false
    for (const { path, sha256 } of files) {
      if ((await fingerprintFile({ path: join(folder, path) })) !== sha256) return false
    }
    return true
  } catch {
    return false // missing or unreadable
  }
}
