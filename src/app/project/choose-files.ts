import { readdir, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { lookAtFile, type SeenFile } from "../../log/look-at-file.ts"
import type { ProjectSettings } from "../../project/project-settings.ts"
import type { Look } from "./studio-schema.ts"

/** A file or folder that may be chosen. */
export interface FileEntry {
  name: string
  kind: "folder" | "file"
  bytes: number
}

const mostEntries = 2000

/** Lists a folder inside one of the project's folders. Links that lead out of the folders are not listed. */
export async function listFiles(
  { folders }: ProjectSettings,
  { folder, path }: { folder: number; path: string },
): Promise<{ path: string; entries: FileEntry[]; left: number }> {
  const root = folders[folder]
  if (root === undefined) throw new QueryveilError("unknown-name", "There is no such folder.")
  const real = await allowedPath([root], join(root, path))
  const entries: FileEntry[] = []
  const names = (await readNames(real)).map(({ name }) => name).sort()
  for (const name of names.slice(0, mostEntries)) {
    const inside = await allowedPath([root], join(real, name)).catch(() => undefined)
    const found = inside === undefined ? undefined : await stat(inside).catch(() => undefined)
    if (found?.isDirectory()) entries.push({ name, kind: "folder", bytes: 0 })
    else if (found?.isFile()) entries.push({ name, kind: "file", bytes: found.size })
  }
  entries.sort((a, b) => (a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === "folder" ? -1 : 1))
  return { path: real, entries, left: Math.max(0, names.length - mostEntries) }
}

/** The real path, if it is inside one of the folders, however it is written. */
export async function allowedPath(folders: readonly string[], path: string): Promise<string> {
  let real: string
  try {
    real = await realpath(path)
  } catch (cause) {
    const why = systemCode(cause) === "ENOENT" ? "there is no such file" : `it cannot be read (${systemCode(cause)})`
    throw new QueryveilError("input-missing", `The file was not found: ${why}.`, { cause })
  }
  if (folders.some((folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)))
    return real
  throw new QueryveilError(
    "input-unreadable",
    "The file is outside the folders that were named when the studio was started. Start it again with that folder.",
  )
}

async function readNames(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    throw new QueryveilError("input-unreadable", `The folder cannot be read (${systemCode(cause)}).`, { cause })
  }
}

/** What chosen files look like: the format, and the columns of the first file with masked examples. */
export async function lookAtFiles(
  { folders }: ProjectSettings,
  { files, format = "auto", unit = "user" }: { files: readonly string[]; format?: string; unit?: "user" | "session" },
): Promise<Look> {
  const seen: { path: string; bytes: number; file: SeenFile }[] = []
  for (const path of files) {
    const real = await allowedPath(folders, path)
    const found = await stat(real)
    if (!found.isFile())
      // a pipe would be waited for
      throw new QueryveilError("input-unreadable", "This is not a file. Choose a file, or a folder's files.")
    const { size } = found
    seen.push({ path: real, bytes: size, file: await lookAtFile(real, { format: format as "auto", unit }) })
  }
  const [first] = seen
  if (first === undefined) throw new QueryveilError("usage", "Choose at least one file.")
  const problem = seen.find(({ file }) => file.problem !== undefined)?.file.problem
  return {
    files: seen.map(({ path, bytes }) => ({ path, bytes })),
    format: first.file.format,
    columns: first.file.columns.map(({ means, ...column }) => ({
      ...column,
      ...(means !== undefined && means !== "category" && { means }),
    })),
    readings: seen.flatMap(({ file: { reading } }) => (reading === undefined ? [] : [reading])),
    ...(problem && { problem }),
  }
}
